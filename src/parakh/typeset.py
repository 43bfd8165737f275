"""Text and numbers as papers print them: escaped for LaTeX and Markdown, rounded to what an interval supports."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}\allowbreak{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "†": r"$^{\dagger}$",
}
_METRICS: Mapping[str, str] = {
    "der": "DER",
    "jer": "JER",
    "wder": "WDER",
    "wer": "WER",
    "cer": "CER",
    "cpwer": "cpWER",
    "cpcer": "cpCER",
    "tcpwer": "tcpWER",
    "tcpcer": "tcpCER",
    "orcwer": "ORC-WER",
    "tcorcwer": "tcORC-WER",
    "mimower": "MIMO-WER",
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "rougeLsum": "ROUGE-Lsum",
}
_LIGATURE = re.compile(r"([-',])(?=\1)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def short(metric: str) -> str:
    """A metric as papers write it; one that they do not know goes by its own name.

    >>> short("tcpwer"), short("tau_strict")
    ('tcpWER', 'tau_strict')
    """
    return _METRICS.get(metric, metric)


def latex(text: str) -> str:
    r"""Text as LaTeX prints it: all its special signs escaped, letters of every script as they are.

    >>> latex("5 % & _x_")
    '5 \\% \\& \\_x\\_'
    """
    return _LIGATURE.sub(r"\1{}", "".join(_LATEX.get(sign, sign) for sign in _CONTROL.sub(" ", text)))


def markdown(text: str) -> str:
    r"""Text as Markdown shows it, in a cell of a table too.

    >>> markdown("a|b *c*")
    'a\\|b \\*c\\*'
    """
    return re.sub(r"([\\`*_{}\[\]<>#|~$&!])", r"\\\1", _CONTROL.sub(" ", text))


def decimals(halves: Iterable[float], most: int = 6) -> int:
    """How many decimals the narrowest interval of a column supports.

    Half the interval keeps two digits where they are at most 35, else one; so a value known to within 0.4 has one decimal, one
    known to within 0.12 has two.

    Args:
        halves: Half the width of each interval, in the unit shown.
        most: The most decimals.

    Returns:
        From 0 to ``most``; 2 where there are no intervals.

    Source: the rounding rule of the Particle Data Group's Review of Particle Physics.

    >>> decimals([0.4]), decimals([0.12]), decimals([12.0]), decimals([])
    (1, 2, 0, 2)
    """
    known = [half for half in halves if half > 0]
    if not known:
        return 2
    power = math.floor(math.log10(min(known)))
    digits = 2 if round(min(known) / 10 ** (power - 1)) <= 35 else 1
    return min(most, max(0, digits - 1 - power))
