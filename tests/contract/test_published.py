"""Published figures: what a file of them becomes, and what is said of one that is wrong."""

from pathlib import Path

import pytest

from parakh import published
from parakh.errors import InputError

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "published"

WHOLE = """\
[[system]]
name = "Sarvam"
track = "diarization"
source = "a paper"
set = "all"
signature = {collar = "0.25 (der)"}
[system.metrics]
der = 16.0
[system.parts.der]
miss = 6.3
[system.slices.language.hi]
der = 14
"""


def test_figures_become_results_without_recordings():
    (one,) = published.read(WHOLE, "x.toml")
    assert (one.system, one.track, one.recordings) == ("Sarvam", "diarization", ())
    assert one.metrics["der"].value == 0.16
    assert one.metrics["der"].parts == {"miss": 0.063}
    assert one.slices["language"]["hi"]["der"].value == 0.14
    assert str(one.signature) == "track:diarization|published:a paper|set:all|collar:0.25 (der)"
    assert published.source_of(one) == "a paper"


def test_percent_is_divided_as_people_do_it():
    text = '[[system]]\nname = "x"\ntrack = "asr"\nsource = "s"\n[system.metrics]\nwer = 18.15\ncer = 7\n'
    metrics = published.read(text, "x.toml")[0].metrics
    assert (metrics["wer"].value, metrics["cer"].value) == (0.1815, 0.07)


def test_every_fault_is_told_at_once_with_its_line():
    text = """\
[[system]]
name = "x"
track = "as"
sorce = "a"
[system.metrics]
werr = 19.6
wer = "a"
[system.parts.der]
miss = 3
[system.slices.language]
hi = 3
[[system]]
name = 3
source = "s"
track = "asr"
signature = 4
metrics = {wer = nan}
"""
    with pytest.raises(InputError) as error:
        published.read(text, "x.toml")
    assert str(error.value).splitlines() == [
        "x.toml:4: sorce: found 'sorce', expected one of name, track, source, url, set, signature, metrics, parts, slices. "
        "Take it out, or mend its name.",
        "x.toml:1: source: found nothing, expected printable text. Add it.",
        "x.toml:3: track: found 'as', expected one of asr, diarization, summarization, topics.",
        "x.toml:8: parts.der: found 'der', expected a metric that has a value under [system.metrics].",
        "x.toml:6: metrics.werr: found 'werr', expected the name of a metric. Did you mean 'wer'?",
        "x.toml:7: metrics.wer: found 'a', expected a number from 0 to 1e+06, in percent.",
        "x.toml:11: slices.language.hi: found 3, expected a table of metrics.",
        "x.toml:13: name: found 3, expected printable text.",
        "x.toml:16: signature: found 4, expected a table.",
        "x.toml:17: metrics.wer: found nan, expected a number from 0 to 1e+06, in percent.",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[system]\n", "x.toml:1: found no TOML"),
        ("", "x.toml: system: found nothing, expected [[system]] once or more."),
        ("system = 3\n", "x.toml:1: system: found 3, expected [[system]] once or more."),
        (WHOLE + WHOLE, "x.toml:14: name: found 'Sarvam', expected each system once for a track and set."),
        (WHOLE.replace("Sarvam", "Sar\\u001bvam"), "x.toml:2: name: found 'Sar\\x1bvam', expected printable text."),
        (
            '[[system]]\nname = "X"\ntrack = "asr"\nsource = "a paper"\nmetrics = {tcpwer = -4}\n',
            "x.toml:5: metrics.tcpwer: found -4,",
        ),
        (
            '[[system]]\nname = "X"\ntrack = "topics"\nsource = "a paper"\nmetrics = {rouge1 = 140}\n',
            "x.toml:5: metrics.rouge1: found 140, expected a number from 0 to 100, in percent.",
        ),
        (WHOLE.replace("a paper", " "), "x.toml:4: source: found ' ', expected printable text."),
    ],
)
def test_what_is_no_file_of_figures(text, told):
    with pytest.raises(InputError) as error:
        published.read(text, "x.toml")
    assert str(error.value).startswith(told)


def test_the_bundled_figures_are_those_of_their_papers():
    found = published.load([str(EXAMPLES / "displace-m.toml"), str(EXAMPLES / "diarbench.toml")])
    by_name = {(one.system, one.track): one for one in found}
    assert by_name["Gemini 2.5 Pro", "asr"].metrics.keys() == {"cer", "wer"}  # it gives no times
    assert by_name["best team", "topics"].metrics["rouge1"].value == 0.46
    assert by_name["Sarvam", "diarization"].metrics["der"].parts == {"miss": 0.063, "false_alarm": 0.039, "confusion": 0.059}
    assert all(published.source_of(one) for one in found)
