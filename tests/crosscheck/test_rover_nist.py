"""ROVER against NIST's ``rover`` of SCTK (Debian's package sctk): the same words, times and confidences.

The tool adds times and confidences in binary, so that what touches in decimal numbers may overlap by 1e-16, and equal scores differ:
words never touch here, and the options have more digits than the confidences. It adds the costs of an alignment in single precision,
so that of equally cheap alignments its rounding takes one. A slow twin of the alignment shows that nothing else differs: in single
precision it gives what the tool gives, in whole numbers what ours gives.
"""

import os
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from parakh import formats
from parakh.fusion import Answer, _network, rover
from parakh.fusion.rover import Backend
from parakh.types import Segment

ROVER = os.environ.get("SCTK_ROVER") or shutil.which("rover") or "/usr/lib/sctk/bin/rover"
needs_rover = pytest.mark.skipif(not Path(ROVER).is_file(), reason="rover of SCTK is not installed (Debian: apt install sctk)")

METHODS = {"frequency": "meth1", "average": "meth1", "maximum": "maxconf", "share": "avgconf"}
SESSIONS = 300


def systems(rng, count):
    """What several systems hear of the same words: some lost, some other ones, some too many; pauses now and then."""
    vocabulary = [f"w{k}" for k in range(rng.choice([4, 12, 60]))]
    said, now = [], 0.0
    for _ in range(rng.randint(1, 40)):
        now += rng.choice([0.05, 0.1, 0.3, 1.2, 2.5])
        said.append((rng.choice(vocabulary), now))
        now += 0.4
    return [_heard(rng, said, vocabulary) for _ in range(count)]


def _heard(rng, said, vocabulary):
    wrong = rng.choice([0.05, 0.2, 0.5])
    words = []
    for text, start in said:
        if rng.random() < wrong / 3:
            continue
        moved = max(start + rng.choice([-0.04, -0.02, 0.0, 0.0, 0.02]), words[-1].end_time + 0.01 if words else 0.0)
        other = rng.choice(vocabulary) if rng.random() < wrong else text
        words.append(_word(rng, other, moved, 0.3))
        if rng.random() < wrong / 3:
            words.append(_word(rng, rng.choice(vocabulary), moved + 0.31, 0.08))
    return words or [_word(rng, "w0", 0.1, 0.3)]


def _word(rng, text, start, length):
    return Segment(
        "v1", None, round(start, 2), round(start + length, 2), text, channel="1", confidence=rng.randint(0, 1000) / 1000
    )


def nist(folder, given, method, alpha, null):
    command = [ROVER]
    for k, words in enumerate(given):
        formats.get("ctm").write(words, folder / f"{k}.ctm")
        command += ["-h", str(folder / f"{k}.ctm"), "ctm"]
    out = folder / "out.ctm"
    command += ["-o", str(out), "-m", METHODS[method], "-a", str(alpha), "-c", str(null), "-s", "-f", "0"]
    subprocess.run(command, check=True, capture_output=True)
    return [line.split()[2:] for line in out.read_text().splitlines()]


def twin(number):
    """The network by an alignment of arc after arc, its costs added as numbers of some kind."""

    def cost(arc, word):
        return number(0 if arc and arc.key == word.key else 1000 if arc is None else 4000)

    def align(slots, words):
        cells = [{None: [(number(3000 * b), None) for b in range(len(words) + 1)]}]
        for slot in slots:
            before = [least(cells[-1], b) for b in range(len(words) + 1)]
            own = {}
            for arc in dict.fromkeys(word for _, word in slot):
                row = []
                for b in range(len(words) + 1):
                    passing = before[b][0] + number(1 if arc is None else 3000)
                    if b == 0:
                        row.append((passing, "pass"))
                        continue
                    pairing, new = before[b - 1][0] + cost(arc, words[b - 1]), row[-1][0] + number(3000)
                    if pairing <= passing and pairing <= new:
                        row.append((pairing, "pair"))
                    else:
                        row.append((passing, "pass") if passing < new else (new, "new"))
                own[arc] = row
            cells.append(own)
        return cells

    def least(own, b):
        return min(((row[b][0], k, arc) for k, (arc, row) in enumerate(own.items())), key=lambda one: one[:2])

    def network(systems):
        slots = [[(0, word)] for word in systems[0]]
        for system, words in enumerate(systems[1:], 1):
            cells, b, joined = align(slots, words), len(words), []
            s = len(slots)
            arc = least(cells[s], b)[2]
            while s or b:
                step = cells[s][arc][b][1] if s else "new"
                if step == "new":
                    b -= 1
                    joined.append([(system, words[b]), *((k, None) for k in range(system))])
                    continue
                s -= 1
                b -= step == "pair"
                joined.append([*slots[s], (system, words[b] if step == "pair" else None)])
                arc = least(cells[s], b)[2]
            slots = joined[::-1]
        return slots

    return network


def single(thousandths):
    return np.float32(thousandths / 1000)


def options(rng, method):
    if method == "frequency":
        return {"voting": method, "alpha": 1.0, "null_confidence": 0.0}
    return {"voting": method, "alpha": rng.randint(0, 999) / 1000, "null_confidence": rng.randint(0, 999) / 1000 + 0.0007}


@needs_rover
@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("method", METHODS)
def test_no_difference(method, count, tmp_path, monkeypatch):
    rng = random.Random(f"{method} {count}")
    monkeypatch.setattr(rover, "network", twin(single))
    for _ in range(SESSIONS // 12):
        given, chosen = systems(rng, count), options(rng, method)
        expected = nist(tmp_path, given, method, chosen["alpha"], chosen["null_confidence"])
        fuse = Backend(**chosen, compare="none", boundaries="strict").fuse
        fused, _ = fuse([Answer(str(k), words) for k, words in enumerate(given)])
        assert [word.words for word in fused] == [fields[2] for fields in expected]
        for own, fields in zip(fused, expected, strict=True):
            figures = own.start_time, own.end_time - own.start_time, own.confidence
            assert figures == pytest.approx([float(fields[k]) for k in (0, 1, 3)], abs=0.00101)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_twin_in_whole_numbers(count):
    rng = random.Random(count)
    for _ in range(SESSIONS // 10):
        words = [
            [_network.Word(one.words, one.words, one.start_time, one.end_time) for one in own] for own in systems(rng, count)
        ]
        for stretch in _network.stretches(words):
            assert _network.network(stretch) == twin(int)(stretch)
