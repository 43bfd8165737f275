"""DOVER-Lap on the AMI test set: the result that its authors published, from the three systems' answers that they published."""

from pathlib import Path

import pytest

from parakh import formats
from parakh.fusion import Answer, sessions
from parakh.fusion.dover_lap import Backend
from parakh.metrics import der
from parakh.results import total

AMI = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "dover-lap" / "egs" / "ami"
pytestmark = pytest.mark.skipif(not AMI.is_dir(), reason="the folder of public test data is not beside this checkout")


def read(name):
    return formats.get("rttm").read(AMI / name).items


def fused(**options):
    systems = [Answer(name, read(f"rttm_test_{name}")) for name in ("rpn", "sc", "vb")]
    return [turn for _, answers in sessions(systems) for turn in Backend(**options).fuse(answers)[0]]


def rates(reference, hypothesis):
    """DER, miss, false alarm and confusion in percent."""
    sides = [Answer("", reference), Answer("", hypothesis)]
    figures = total([der.stats(*(one.segments for one in pair)) for _, pair in sessions(sides)])
    shares = [100 * figures[key] / figures["scored"] for key in ("miss", "false_alarm", "confusion")]
    return [sum(shares), *shares]


def test_the_published_result():
    """README of dover-lap: 9.96 miss, 2.16 false alarm, 7.75 confusion, DER 19.86."""
    assert rates(read("ref_rttm_test"), fused()) == pytest.approx([19.86, 9.96, 2.16, 7.75], abs=0.0075)


def test_the_published_answer():
    """Apart from its rounding, and from turns that touch in decimal numbers but not in the binary ones of the tool."""
    assert rates(read("rttm_dl_test"), fused())[0] < 0.06


def test_every_system_is_worse_than_what_is_made_of_them():
    reference = read("ref_rttm_test")
    best = min(rates(reference, read(f"rttm_test_{name}"))[0] for name in ("rpn", "sc", "vb"))
    for options in ({"weighting": "equal"}, {"weighting": "agreement"}, {"mapping": "hungarian"}, {"smoothing": 0.0}):
        assert rates(reference, fused(**options))[0] < best - 0.9, options
