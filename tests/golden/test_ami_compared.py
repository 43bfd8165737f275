"""Four published systems on the AMI test set, compared: what each recording gives, and what a fusion that was published gives."""

from dataclasses import replace
from pathlib import Path

import pytest

from parakh import formats, tracks
from parakh.comparison import compare
from parakh.evaluate import evaluate
from parakh.resample import Bootstrap
from parakh.types import Segment

AMI = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "dover-lap" / "egs" / "ami"
SYSTEMS = {"vb": "rttm_test_vb", "sc": "rttm_test_sc", "rpn": "rttm_test_rpn", "dl": "rttm_dl_test"}
pytestmark = pytest.mark.skipif(not AMI.is_dir(), reason="the folder of public test data is not beside this checkout")


@pytest.fixture(scope="module")
def results():
    read = formats.load
    reference = read([str(AMI / "ref_rttm_test")], Segment).items
    track = tracks.get("diarization")
    return {
        name: evaluate(track, reference, read([str(AMI / file)], Segment).items, system=name, metrics=["der"])
        for name, file in SYSTEMS.items()
    }


def test_ranks_wins_and_the_best_of_each_recording(results):
    found = compare(list(results.values()), plan=Bootstrap(samples=2000), all_pairs=True)
    # The order and the values are those of the dover-lap README; dl is its fusion of the other three.
    assert [(one.system, round(100 * one.value, 2)) for one in found.ranking] == [
        ("dl", 19.86),
        ("vb", 21.5),
        ("sc", 23.56),
        ("rpn", 25.43),
    ]
    assert found.ranking[0].group == "a"
    rates = {name: {one.id: one.metrics["der"] for one in own.recordings} for name, own in results.items()}
    for duel in found.duels:
        pairs = [(rates[duel.first][name], rates[duel.second][name]) for name in found.recordings]
        assert (duel.won, duel.lost) == (sum(a < b for a, b in pairs), sum(a > b for a, b in pairs))
    (best,) = found.oracles
    scored = {one.id: one.stats["der"]["scored"] for one in results["vb"].recordings}
    chosen = sum(min(own[name] for own in rates.values()) * scored[name] for name in found.recordings)
    assert best.value == pytest.approx(chosen / sum(scored.values()), abs=1e-12)
    assert (best.best, best.value < best.alone) == ("dl", True)


def test_a_system_that_lacks_recordings_is_compared_on_the_others(results):
    fewer = replace(results["sc"], recordings=results["sc"].recordings[4:])
    found = compare([results["vb"], fewer, results["dl"]], plan=Bootstrap(samples=500), all_pairs=True)
    assert [len(found.recordings), *(pair.recordings for pair in found.pairs)] == [12, 12, 16, 12]
    own = {one.system: (one.value, one.own) for one in found.scores}
    assert own["vb"][1] == pytest.approx(0.21499, abs=1e-5)  # of all its recordings, as published
    assert own["vb"][0] != own["vb"][1]
    assert own["sc"][0] == own["sc"][1]
