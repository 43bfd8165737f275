"""Folds: functions that give every spelling of one word the same letters, one rule a function.

Each is for comparison only and takes a word or a whole text in NFC. Blocks of the Indian scripts share one layout (Unicode 16,
chapter 12): what is said of an offset in the block holds in each script named. Which fold is used where: ``tiers``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from parakh.text.tokens import INVISIBLE

_DEVANAGARI, _BENGALI, _GURMUKHI, _GUJARATI, _TELUGU, _KANNADA = 0x900, 0x980, 0xA00, 0xA80, 0xC00, 0xC80
_BLOCK = 0x80
_ANUSVARA, _VISARGA, _NUKTA, _VIRAMA = 0x02, 0x03, 0x3C, 0x4D
_CLASSES = {0x19: 0x15, 0x1E: 0x1A, 0x23: 0x1F, 0x28: 0x24, 0x2E: 0x2A}  # a nasal, and the first stop of its class of four


def canonical(text: str) -> str:
    r"""Unicode NFC: one spelling for letters that are canonically equal; meaning and look never change.

    >>> canonical("\u0921\u093c") == canonical("\u095c")
    True
    """
    return unicodedata.normalize("NFC", text)


_CHILLU = {"ണ": "ൺ", "ന": "ൻ", "ര": "ർ", "ല": "ൽ", "ള": "ൾ", "ക": "ൿ"}
_CHILLU_PARTS = re.compile("([ണനരലളക])\u0d4d\u200d")


def chillu(text: str) -> str:
    r"""Malayalam consonant + virama + ZWJ -> chillu letter, which is how Unicode 5.1 writes it; before any rule on joiners.

    >>> chillu("അവന്\u200d")
    'അവൻ'
    """
    return _CHILLU_PARTS.sub(lambda match: _CHILLU[match[1]], text) if "\u200d" in text else text


def khanda_ta(text: str) -> str:
    r"""Bengali and Assamese ta + virama + ZWJ -> khanda ta, its own letter since Unicode 4.1; before any rule on joiners.

    >>> khanda_ta("হঠাত\u09cd\u200d")
    'হঠাৎ'
    """
    return text.replace("\u09a4\u09cd\u200d", "ৎ")


def atomic_letters(text: str) -> str:
    """Every letter that virama + ZWJ writes too, as the one code point it is: chillus and khanda ta."""
    return khanda_ta(chillu(text))


def eyelash_ra(text: str) -> str:
    r"""Marathi and Nepali eyelash ra: ra + virama + ZWJ -> rra + virama, Unicode's recommended spelling; before joiners.

    It is no plain ra: Marathi दर्या "sea" and दऱ्या "valleys" stay apart.

    >>> eyelash_ra("दर\u094d\u200dया") == "दऱ\u094dया"
    True
    """
    return text.replace("\u0930\u094d\u200d", "\u0931\u094d")


_NO_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))


def joiners(text: str) -> str:
    r"""ZWJ, ZWNJ, zero-width space, word joiner, soft hyphen, byte order and direction marks -> nothing.

    Also where a joiner tells two spellings apart, as in Bengali র\u200d্য and র্য or inside an Urdu compound.

    >>> joiners("क्\u200dषमा\ufeff")
    'क्षमा'
    """
    return text if text.isascii() else text.translate(_NO_INVISIBLE)


_NTA = re.compile("(?:ൻ\u0d4d?|ന\u0d4d)റ|ന\u0d4dഺ|ൻ\u0d4d?ഺ")


def nta(text: str) -> str:
    """The Malayalam conjunct nta: chillu n (+ virama) + rra, na + virama + ttta -> na + virama + rra, as most write it.

    >>> nta("എൻറെ"), nta("എൻ്റെ")
    ('എന്റെ', 'എന്റെ')
    """
    return _NTA.sub("ന\u0d4dറ", text) if "റ" in text or "ഺ" in text else text


def au_sign(text: str) -> str:
    """Malayalam: the old two-part vowel sign au -> the modern au length mark.

    >>> au_sign("കൌമാരം")
    'കൗമാരം'
    """
    return text.replace("\u0d4c", "\u0d57")


def vowel_letters(text: str) -> str:
    r"""An independent vowel written in parts -> the letter that looks the same, as Unicode 16 bids (chapter 12, "vowel letters").

    >>> vowel_letters("अ\u0945प") == "\u0972प", vowel_letters("भार्इ")
    (True, 'भाई')
    """
    letters, parts = _vowel_parts()
    return text if text.isascii() else parts.sub(lambda match: letters[match[0]], text)


@cache
def _vowel_parts() -> tuple[dict[str, str], re.Pattern[str]]:
    """Letter by parts, and the pattern that finds the parts."""
    import csv  # neither is needed to start
    from importlib.resources import files

    with files("parakh.text").joinpath("vowel_letters.tsv").open(encoding="utf-8") as table:
        rows = [(_signs(row["parts"]), _signs(row["letter"])) for row in csv.DictReader(table, delimiter="\t")]
    return dict(rows), re.compile("|".join(parts for parts, _ in rows))


def _signs(codes: str) -> str:
    """The text of some code points in hexadecimal."""
    return "".join(chr(int(code, 16)) for code in codes.split())


def chandrabindu(text: str) -> str:
    """Chandrabindu -> anusvara in Devanagari and Gujarati; nasalisation itself is never dropped.

    >>> chandrabindu("हूँ"), chandrabindu("हैं")
    ('हूं', 'हैं')
    """
    return text.replace("\u0901", "\u0902").replace("\u0a81", "\u0a82")


_NASAL_BLOCKS = (_DEVANAGARI, _GURMUKHI, _GUJARATI, _TELUGU, _KANNADA)
_STOPS = {
    chr(block + nasal): {chr(block + first + k) for k in range(4)} for block in _NASAL_BLOCKS for nasal, first in _CLASSES.items()
}
_ANY_STOP = "".join(sorted(set().union(*_STOPS.values())))
_VIRAMAS = "".join(chr(block + _VIRAMA) for block in _NASAL_BLOCKS)
_NASAL = re.compile(f"([{''.join(_STOPS)}])[{_VIRAMAS}](?=([{_ANY_STOP}]))")


def nasals(text: str) -> str:
    """Nasal consonant + virama -> anusvara, before a stop of its own class only; Gurmukhi tippi -> bindi.

    In Devanagari, Gurmukhi, Gujarati, Telugu and Kannada, where both are spellings of one sound.

    >>> nasals("सम्बन्ध"), nasals("उन्हें"), nasals("जन्म")
    ('संबंध', 'उन्हें', 'जन्म')
    """
    return text if text.isascii() else _NASAL.sub(_to_anusvara, text).replace("\u0a70", "\u0a02")


def _to_anusvara(match: re.Match[str]) -> str:
    nasal, stop = match.groups()
    return _sign(nasal, _ANUSVARA) if stop in _STOPS[nasal] else match[0]


def _sign(letter: str, offset: int) -> str:
    """The sign at an offset in the block of a letter."""
    return chr(ord(letter) // _BLOCK * _BLOCK + offset)


_NUKTA_BLOCKS = (_DEVANAGARI, _BENGALI, _GURMUKHI, _GUJARATI, _TELUGU, _KANNADA)
_BORROWED = "".join(chr(block + letter) for block in _NUKTA_BLOCKS for letter in (0x15, 0x16, 0x17, 0x1C, 0x2B))
_NUKTAS = "".join(chr(block + _NUKTA) for block in _NUKTA_BLOCKS)
_DROPPABLE = re.compile(f"(?<=[{_BORROWED}])[{_NUKTAS}]+")


def nuktas(text: str) -> str:
    """The nukta of k, kh, g, j and ph -> nothing: borrowed sounds, written with it or without; that of a flap stays.

    >>> nuktas(canonical("चीज़")), nuktas(canonical("पड़ा")) == canonical("पड़ा")
    ('चीज', True)
    """
    return text if text.isascii() else _DROPPABLE.sub("", text)


def visarga(text: str) -> str:
    """An ASCII colon between two letters of an Indian script -> the visarga of that script.

    >>> visarga("दु:ख"), visarga("नाम: 2:30")
    ('दुःख', 'नाम: 2:30')
    """
    if ":" not in text or text.isascii():
        return text
    signs = list(text)
    for k in range(1, len(text) - 1):
        if text[k] == ":" and _is_indic_letter(text[k - 1]) and _is_indic_letter(text[k + 1]):
            signs[k] = _sign(text[k - 1], _VISARGA)
    return "".join(signs)


def _is_indic_letter(sign: str) -> bool:
    return "\u0900" <= sign <= "\u0dff" and unicodedata.category(sign)[0] in "LM"


_STOP = re.compile(r"[।॥۔᱾᱿꯫|](?!\w)")


def sentence_ends(text: str) -> str:
    """Danda, double danda, bar, Urdu full stop, Ol Chiki and Meetei Mayek dandas -> full stop, unless a word follows at once.

    >>> sentence_ends("है।"), sentence_ends("है |"), sentence_ends("a|b")
    ('है.', 'है .', 'a|b')
    """
    return _STOP.sub(".", text)


_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»〝〞＂", '"') | dict.fromkeys("‘’‚‛‹›ʼ`´", "'"))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"))


def quotes(text: str) -> str:
    """Curly, low and angle quotation marks, grave and acute accent -> ASCII quotation mark or apostrophe.

    >>> print(quotes("“हाँ” don’t"))
    "हाँ" don't
    """
    return text.translate(_QUOTES)


def dashes(text: str) -> str:
    """Hyphen, non-breaking hyphen, en and em dash, minus -> ASCII hyphen.

    >>> dashes("10–12 भाई‑साहब")
    '10-12 भाई-साहब'
    """
    return text if text.isascii() else text.translate(_DASHES)


_DIGIT = re.compile(r"[^\D0-9]")


def ascii_digits(text: str) -> str:
    """Decimal digits of every script -> ASCII, by numeric value; Tamil and Malayalam signs for 10, 100, 1000 are none.

    >>> ascii_digits("२५० ೨೫೦ ௰")
    '250 250 ௰'
    """
    return text if text.isascii() else _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def lower_case(text: str) -> str:
    """Lower case; only Latin letters have one among the scripts met here."""
    return text.lower()


_URDU = str.maketrans("\u064a\u0649\u0643\u0647\u0629\u06d5\u06c0،؟؛", "\u06cc\u06cc\u06a9\u06c1\u06c3\u06c1\u06c2,?;", "\u0640")


def urdu_letters(text: str) -> str:
    """Arabic yeh, alef maksura, kaf, heh and teh marbuta -> the Urdu letters; Arabic comma, question mark, semicolon -> ASCII.

    The stretching sign (tatweel) goes. Two-eyed heh stays: it is what makes an aspirate.

    >>> urdu_letters("كيا") == "کیا", urdu_letters("ہے؟")
    (True, 'ہے?')
    """
    return text if text.isascii() else text.translate(_URDU).replace("ی\u0654", "ئ")


_GLIDE = re.compile("(?<=[\u0904-\u0914\u0915-\u0939\u093c\u093e-\u094c\u0958-\u095f])य(?:(ी)|े)")


def glides(text: str) -> str:
    """Hindi ये and यी after a vowel -> ए and ई (गये, गए); also where they are two words (दायी "giver", दाई "midwife").

    >>> glides("गये"), glides("नयी"), glides("ये"), glides("क्ये")
    ('गए', 'नई', 'ये', 'क्ये')
    """
    return _GLIDE.sub(lambda match: "ई" if match[1] else "ए", text) if "य" in text else text
