"""Which results compare, what is said when they do not, and what a comparison tells."""

import json
import math
from dataclasses import replace

import pytest

from parakh import tracks
from parakh.comparison import compare, compare_fitting
from parakh.errors import InputError, UnknownNameError
from parakh.evaluate import evaluate
from parakh.resample import Bootstrap
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from parakh.types import Segment

PLAN = Bootstrap(samples=500)
WORDS = "नमस्ते दीदी बुखार कब से है"
COUNT = 12
PRECISION = "detection_precision"


def said(count=COUNT):
    return [Segment(f"v{k:02}", "asha", 0.0, 4.0, WORDS) for k in range(count)]


def heard(wrong):
    """The same turns with the first `wrong(k)` words of recording k replaced."""
    words = WORDS.split()
    return [replace(turn, words=" ".join(["ठीक"] * wrong(k) + words[wrong(k) :])) for k, turn in enumerate(said())]


def results(system, wrong, **given):
    metrics = given.pop("metrics", ["wer", "tcpwer"])
    return evaluate(tracks.get("asr"), said(), heard(wrong), system=system, metrics=metrics, **given)


@pytest.fixture(scope="module")
def alpha():
    return results("alpha", lambda k: k % 2)


@pytest.fixture(scope="module")
def beta():
    return results("beta", lambda k: 2 + k % 2)


@pytest.fixture(scope="module")
def gamma():
    return results("gamma", lambda k: 0 if k == 5 else 1)


def changed(one, **choices):
    return replace(one, signature=Signature({**one.signature.choices, **choices}))


def lines(error):
    return str(error.value).splitlines()


def test_a_clear_difference_has_a_winner(alpha, beta):
    found = compare([alpha, beta], plan=PLAN)
    first = found.pairs[0]
    assert (first.metric, first.first, first.second, first.better) == ("wer", "alpha", "beta", "alpha")
    assert first.paired.difference == pytest.approx(-2 / 6)
    assert first.paired.p_matched_pairs is None  # every recording differs by the same two words
    assert first.flipped == ()
    assert [score.value for score in found.scores if score.metric == "wer"] == pytest.approx([0.5 / 6, 2.5 / 6])


def test_the_verdict_follows_the_way_a_metric_improves():
    def summaries(system, words):
        given = [replace(turn, words=words) for turn in said()]
        texts = [tracks.get("summarization").item(turn.session_id, turn.words) for turn in given]
        reference = [tracks.get("summarization").item(turn.session_id, WORDS) for turn in given]
        return evaluate(tracks.get("summarization"), reference, texts, system=system, metrics=["rouge1"])

    found = compare([summaries("poor", "नमस्ते"), summaries("rich", WORDS)], plan=PLAN)
    assert found.pairs[0].better == "rich"
    assert found.pairs[0].paired.p_matched_pairs is None  # F1 is no sum of errors


def test_recordings_that_go_the_other_way_are_named(alpha, gamma):
    # alpha is wrong by one word on odd recordings; gamma by one on all but v05.
    found = compare([alpha, gamma], metrics=["wer"], plan=PLAN).pairs[0]
    assert found.paired.difference == pytest.approx((6 - 11) / 72)
    assert [(gap.id, gap.first, gap.second) for gap in found.flipped] == [("v05", 1 / 6, 0.0)]
    # Without v05 alpha would be at 5 of 66 words and gamma at 11.
    assert found.flipped[0].contribution == pytest.approx((6 - 11) / 72 - (5 - 11) / 66)
    assert found.largest[0].id == "v05"


def test_pairs_against_a_baseline_and_all_pairs(alpha, beta, gamma):
    def pairs(**given):
        found = compare([alpha, beta, gamma], metrics=["wer"], plan=PLAN, **given)
        return [(pair.first, pair.second) for pair in found.pairs]

    assert pairs() == [("alpha", "beta"), ("alpha", "gamma")]
    assert pairs(baseline="gamma") == [("gamma", "alpha"), ("gamma", "beta")]
    assert pairs(all_pairs=True) == [("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma")]
    with pytest.raises(InputError, match="--baseline: found 'delta', expected one of the systems alpha, beta, gamma"):
        pairs(baseline="delta")
    with pytest.raises(InputError, match="--baseline: found --all-pairs as well"):
        pairs(baseline="alpha", all_pairs=True)


def test_the_family_of_holm_is_every_pair_and_metric(alpha, beta, gamma):
    one = compare([alpha, beta], metrics=["wer"], plan=PLAN).pairs[0]
    four = compare([alpha, beta, gamma], plan=PLAN).pairs
    assert one.p_holm == one.paired.p_permutation
    assert len(four) == 4
    assert min(pair.p_holm for pair in four) == pytest.approx(4 * one.p_holm)


def test_other_choices_are_named_one_a_line(alpha, beta):
    other = changed(beta, collar="5.0 (tcpwer)", normalization="none")
    with pytest.raises(InputError) as error:
        compare([alpha, other], sources=["a.json", "b.json"])
    assert lines(error) == [
        "b.json: collar: found 5.0, expected 3.0, as in a.json. Score both alike, or compare with --force.",
        f"b.json: normalization: found none, expected {alpha.signature.choices['normalization']}, as in a.json. "
        "Score both alike, or compare with --force.",
    ]
    found = compare([alpha, other], plan=PLAN, sources=["a.json", "b.json"], force=True)
    assert found.forced[0] == "b.json: collar: found 5.0, expected 3.0, as in a.json."
    assert found.pairs == compare([alpha, beta], plan=PLAN).pairs


def test_a_choice_that_no_compared_metric_takes_is_no_hindrance(alpha, beta):
    other = changed(beta, collar="5.0 (tcpwer)")
    assert compare([alpha, other], metrics=["wer"], plan=PLAN).forced == ()


def test_other_metrics_beside_the_common_ones_are_no_hindrance(alpha):
    alone = results("beta", lambda k: 2, metrics=["tcpwer"])
    assert alone.signature.choices["collar"] != alpha.signature.choices["collar"]  # the latter names who takes it
    assert {pair.metric for pair in compare([alpha, alone], plan=PLAN).pairs} == {"tcpwer"}


def test_intervals_in_the_results_do_not_matter(alpha, beta):
    assert compare([alpha, changed(beta, interval="bca")], plan=PLAN) == compare([alpha, beta], plan=PLAN)


def test_another_version_of_parakh_is_a_warning(alpha, beta):
    found = compare([alpha, changed(beta, parakh="0.0.9")], plan=PLAN)
    assert found.forced == ()
    assert f"scored by different versions of Parakh: {alpha.signature.choices['parakh']}, 0.0.9" in found.warnings


def test_another_version_of_a_metric_is_a_hindrance(alpha, beta):
    old = changed(beta, metrics="wer.v0,tcpwer.v1")
    with pytest.raises(InputError, match=r"^beta: wer: found version 0, expected version 1\. Score it again\.$"):
        compare([alpha, old], metrics=["wer"])


def test_every_two_are_compared_on_what_both_have(alpha, beta, gamma):
    # alpha has v00 to v11, beta lacks the first two, gamma the last three: seven recordings are common to all.
    fewer, others = replace(beta, recordings=beta.recordings[2:]), replace(gamma, recordings=gamma.recordings[:9])
    found = compare([alpha, fewer, others], metrics=["wer"], plan=PLAN, all_pairs=True)
    assert found.recordings == tuple(f"v{k:02}" for k in range(2, 9))
    assert [(pair.first, pair.second, pair.recordings) for pair in found.pairs] == [
        ("alpha", "beta", 10),
        ("alpha", "gamma", 9),
        ("beta", "gamma", 7),
    ]
    assert [(one.system, one.recordings, one.left_out) for one in found.coverage] == [
        ("alpha", 12, ("v00", "v01", "v09", "v10", "v11")),
        ("beta", 10, ("v09", "v10", "v11")),
        ("gamma", 9, ("v00", "v01")),
    ]
    # Words wrong by alpha: 0 1 0 1 ...: 6 of 72 on its own, 3 of 42 on v02 to v08. Every recording has six words.
    own = {one.system: (one.value, one.own) for one in found.scores}
    assert own["alpha"] == (pytest.approx(3 / 42), pytest.approx(6 / 72))
    assert own["beta"] == (pytest.approx(17 / 42), pytest.approx(25 / 60))
    assert own["gamma"] == (pytest.approx(6 / 42), pytest.approx(8 / 54))
    pair = compare([alpha, fewer], metrics=["wer"], plan=PLAN).pairs[0]
    assert found.pairs[0].paired == pair.paired  # a third system changes nothing but the adjustment


def test_without_a_recording_common_to_all_pairs_are_compared_all_the_same(alpha, beta, gamma):
    parts = [replace(one, recordings=one.recordings[k : k + 8]) for k, one in ((0, alpha), (4, beta))]
    nobody = replace(gamma, recordings=gamma.recordings[8:])
    found = compare([*parts, nobody], metrics=["wer"], plan=PLAN, all_pairs=True)
    assert found.recordings == found.ranking == found.oracles == ()
    assert [pair.recordings for pair in found.pairs] == [4, 0, 4]
    assert found.pairs[1].paired.difference is None
    assert all(one.value is None and one.own is not None for one in found.scores)
    assert any(line.startswith("no recording is common to all") for line in found.warnings)
    with pytest.raises(InputError, match="gamma: recordings: found none of the others', expected recordings scored in alpha"):
        compare([parts[0], nobody])


def test_another_reference_of_a_recording_that_both_have_is_named(alpha, beta):
    other = replace(beta.recordings[3], contents={"reference": "0" * 32})
    fewer = replace(beta, recordings=(*beta.recordings[1:3], other, *beta.recordings[4:]))
    with pytest.raises(InputError) as error:
        compare([alpha, fewer])
    assert lines(error) == [
        "beta: reference: found another one of v03, expected that in alpha. Score both alike, or compare with --force."
    ]
    blank = replace(fewer, recordings=tuple(replace(one, contents={}) for one in fewer.recordings))
    told = compare([alpha, blank], plan=PLAN).warnings
    assert any("whether their references are the same could not be seen" in line for line in told)


def test_published_figures_stand_beside_and_are_never_tested(alpha, beta):
    paper = Results(
        "asr", "paper", Signature({"track": "asr", "published": "a paper", "collar": "5.0"}), {"wer": Score(0.01, Stats())}, ()
    )
    found = compare([alpha, paper, beta], plan=PLAN)
    assert found.systems == ("alpha", "paper", "beta")
    assert [(one.system, one.recordings, one.published) for one in found.coverage][1] == ("paper", 0, "a paper")
    assert {name for pair in found.pairs for name in (pair.first, pair.second)} == {"alpha", "beta"}
    assert "paper" not in {one.system for one in found.ranking}
    assert [one.own for one in found.scores if one.system == "paper"] == [0.01, None]
    assert "paper: published with other choices than these: collar 5.0" in found.warnings
    assert found.pairs == compare([alpha, beta], plan=PLAN).pairs
    alone = compare([alpha, paper], plan=PLAN)
    assert alone.pairs == alone.duels == ()
    with pytest.raises(InputError, match="--baseline: found 'paper'"):
        compare([alpha, paper, beta], baseline="paper")
    with pytest.raises(InputError, match="compare: found published figures only, expected a results file"):
        compare([paper, replace(paper, system="other")])


def test_what_may_be_compared_is_and_the_rest_is_named(alpha, beta, gamma):
    paper = Results("asr", "paper", Signature({"published": "a paper"}), {"wer": Score(0.01, Stats())}, ())
    other = changed(gamma, normalization="none")
    found = compare_fitting([paper, alpha, other, beta], metrics=["wer"], plan=PLAN)
    assert found.systems == ("paper", "alpha", "beta")
    assert found.warnings[0].startswith("gamma is not compared: normalization none, not ")
    assert found.pairs == compare([alpha, beta], metrics=["wer"], plan=PLAN).pairs
    assert compare_fitting([paper, alpha, other]) is None
    halves = [replace(alpha, recordings=alpha.recordings[:6]), replace(beta, recordings=beta.recordings[6:])]
    assert compare_fitting([paper, *halves]) is None
    assert compare_fitting([paper, *halves, gamma], metrics=["wer"], plan=PLAN).recordings == ()


def test_what_could_not_be_tested_is_not_told_apart():
    # Both hear somebody in one recording only; half of the exchanges leave a side that hears nobody, whose precision is undefined.
    def of(name, speech_first, false):
        heard = Stats(speech=10.0, missed_speech=0.0, false_speech=false)
        silent = Stats(speech=10.0, missed_speech=10.0, false_speech=0.0)
        own = [heard if (k == 0) == speech_first and k < 2 else silent for k in range(COUNT)]
        rows = tuple(RecordingResult(f"v{k:02}", {}, {PRECISION: one}) for k, one in enumerate(own))
        return Results("diarization", name, Signature({}), {PRECISION: Score(0.5, Stats())}, rows)

    found = compare([of("good", True, 0.0), of("bad", False, 30.0)], plan=PLAN)
    assert [(one.value, one.group) for one in found.ranking] == [(1.0, "a"), (0.25, "a")]
    assert found.duels[0].p is None
    assert found.duels[0].better is None


def test_a_ranking_alone_is_the_same_ranking(alpha, beta, gamma):
    whole, alone = (compare([alpha, beta, gamma], plan=PLAN, ranking_only=only) for only in (False, True))
    assert (alone.ranking, alone.scores, alone.duels) == (whole.ranking, whole.scores, whole.duels)
    assert alone.pairs == alone.oracles == alone.fusions == ()


def test_what_two_others_disagree_on_keeps_the_later_out(alpha, beta, gamma):
    first = replace(alpha, recordings=alpha.recordings[:8])
    other = replace(gamma, recordings=(*gamma.recordings[:11], replace(gamma.recordings[11], contents={"reference": "0" * 32})))
    found = compare_fitting([first, beta, other], metrics=["wer"], plan=PLAN)
    assert found.systems == ("alpha", "beta")
    assert "gamma is not compared: reference another one of v11" in found.warnings[0]


def test_too_few_samples_for_so_many_pairs_is_said(alpha):
    systems = [replace(alpha, system=f"s{k}") for k in range(6)]
    few, enough = (compare(systems, metrics=["wer"], plan=Bootstrap(samples=samples)).warnings for samples in (200, 1000))
    # 15 / 201 is above 0.05, 15 / 1001 is below it.
    told = "adjusted for 15 pairs no p-value can be below 0.075: no two are told apart in the matrix; take more --samples"
    assert told in few
    assert not any("are told apart in the matrix" in line for line in enough)


def test_fusions_without_a_recording_common_to_all_stand_by_what_they_gain(alpha, beta, gamma):
    parts = [replace(one, recordings=one.recordings[k : k + 8]) for k, one in ((0, alpha), (4, gamma))]
    third = replace(beta, recordings=beta.recordings[8:])
    found = compare([*parts, third], metrics=["wer"], plan=PLAN).fusions
    # On v04 to v07 alpha errs 0 1 0 1 times and gamma 1 0 1 1: choosing saves one of alpha's two errors, of 24 words.
    assert [(one.systems, one.recordings) for one in found] == [(("alpha", "gamma"), 4), (("gamma", "beta"), 4)]
    assert [one.gain for one in found] == [pytest.approx(1 / 24), 0.0]


def test_wins_and_the_best_of_each_recording_by_hand(alpha, beta, gamma):
    # Words wrong of six: alpha 0 1 0 1 ..., beta 2 3 2 3 ..., gamma 1 but 0 on v05.
    found = compare([alpha, beta, gamma], metrics=["wer"], plan=PLAN)
    duels = {(one.first, one.second): (one.won, one.lost, one.tied) for one in found.duels}
    assert duels == {("alpha", "beta"): (12, 0, 0), ("alpha", "gamma"): (6, 1, 5), ("beta", "gamma"): (0, 12, 0)}
    assert [(one.system, one.group) for one in found.ranking] == [("alpha", "a"), ("gamma", "a"), ("beta", "b")]
    (best,) = found.oracles
    assert (best.value, best.best, best.alone) == (pytest.approx(5 / 72), "alpha", pytest.approx(6 / 72))
    # Alone the best on six, on v05 gamma is, and five recordings are shared by the two.
    assert best.shares == pytest.approx({"alpha": 8.5 / 12, "beta": 0.0, "gamma": 3.5 / 12})
    first = found.fusions[0]
    assert (first.systems, first.value) == (("alpha", "gamma"), pytest.approx(5 / 72))
    # Errors that both make: one on each odd recording but v05; that one or the other makes: one on each.
    assert first.overlap == pytest.approx(5 / 12)


def test_another_track_is_named(alpha):
    turns = evaluate(tracks.get("diarization"), said(), said(), system="turns")
    with pytest.raises(InputError, match=r"^turns: track: found diarization, expected asr, as in alpha"):
        compare([alpha, turns])


def test_two_systems_or_more_each_with_a_name(alpha, beta):
    with pytest.raises(InputError, match="compare: found 1 results file, expected two or more"):
        compare([alpha])
    with pytest.raises(InputError) as error:
        compare([alpha, alpha, replace(beta, system="alpha")], sources=["a.json", "b.json", "c.json"])
    assert lines(error) == [
        "b.json: found the same results as in a.json, expected each only once. Give one of the two.",
        "c.json: system: found 'alpha', expected a name other than that in a.json. "
        "Give it another with `parakh score ... --system NAME`.",
    ]


def test_a_name_that_a_terminal_would_obey(alpha, beta):
    with pytest.raises(InputError, match=r"b.json: system: found 'x\\x1b\[2J', expected printable text"):
        compare([alpha, replace(beta, system="x\x1b[2J")], sources=["a.json", "b.json"])


def test_a_metric_that_is_not_there(alpha, beta):
    with pytest.raises(InputError, match="alpha: metrics: found no cer, expected one of wer, tcpwer"):
        compare([alpha, beta], metrics=["cer"])
    with pytest.raises(UnknownNameError, match="did you mean 'wer'"):
        compare([alpha, beta], metrics=["weer"])


def renamed(one: Results) -> Results:
    return Results.from_json(one.to_json().replace('"wer"', '"qwer"'))


def test_a_metric_of_another_installation(alpha, beta):
    with pytest.raises(InputError, match="alpha: metrics: found 'qwer', expected metrics of this installation"):
        compare([renamed(alpha), renamed(beta)])


@pytest.mark.parametrize(
    ("stats", "found"),
    [
        (Stats(), "none"),
        (Stats(errors=1), "no length"),
        (Stats({"errors": None, "length": 3}), "errors None"),
        (Stats(errors=10**400, length=3), "errors 1000"),
    ],
)
def test_statistics_that_cannot_be_scored(alpha, beta, stats, found):
    spoilt = replace(beta.recordings[3], stats={**beta.recordings[3].stats, "wer": stats})
    broken = replace(beta, recordings=(*beta.recordings[:3], spoilt, *beta.recordings[4:]))
    with pytest.raises(InputError, match=f"beta: recordings.v03.stats.wer: found {found}.*, expected statistics to score"):
        compare([alpha, broken], metrics=["wer"])


def test_groups_strata_and_what_lacks_one(alpha, beta):
    groups = {f"v{k:02}": f"speaker {k // 3}" for k in range(COUNT)}
    found = compare([alpha, beta], plan=PLAN, groups=groups, unit="groups of one speaker")
    assert (found.units, found.unit) == (4, "groups of one speaker")
    assert found.warnings == ("4 groups of one speaker can be exchanged in 16 ways: no p-value can be below 0.125",)
    assert compare([alpha, beta], plan=PLAN, strata=groups).units == COUNT
    del groups["v07"]
    with pytest.raises(InputError, match=r"^v07: groups of one speaker: found nothing, expected a value for every recording"):
        compare([alpha, beta], groups=groups, unit="groups of one speaker")


def test_matched_pairs_are_for_errors_of_the_same_lengths(alpha, gamma):
    longer = replace(gamma, recordings=tuple(map(lengthened, gamma.recordings)))
    same, other = (compare([alpha, one], metrics=["wer"], plan=PLAN).pairs[0] for one in (gamma, longer))
    # gamma's errors less alpha's: 1 on six recordings, -1 on v05, 0 on five; z = mean / (deviation / sqrt(12)).
    mean, deviation = 5 / 12, math.sqrt((7 - 25 / 12) / 11)
    assert same.paired.p_matched_pairs == pytest.approx(math.erfc(mean / deviation * math.sqrt(12 / 2)), rel=1e-10)
    assert other.paired.p_matched_pairs is None
    # MER holds errors too, but counts them against something that the system changes.
    mine, theirs = (results(name, wrong, metrics=["mer"]) for name, wrong in (("a", lambda k: k % 2), ("b", lambda k: k % 3)))
    extra = [replace(turn, words=turn.words + " ठीक") for turn in heard(lambda k: k % 2)]
    more = evaluate(tracks.get("asr"), said(), extra, system="c", metrics=["mer"])
    assert compare([mine, theirs], plan=PLAN).pairs[0].paired.p_matched_pairs is not None
    assert compare([mine, more], plan=PLAN).pairs[0].paired.p_matched_pairs is None


def lengthened(recording):
    stats = Stats({**recording.stats["wer"], "length": recording.stats["wer"]["length"] + 1})
    return replace(recording, stats={**recording.stats, "wer": stats})


def test_the_order_of_recordings_does_not_matter(alpha, beta):
    turned = replace(beta, recordings=beta.recordings[::-1])
    assert compare([alpha, turned], plan=PLAN) == compare([alpha, beta], plan=PLAN)


def test_json_is_flat_and_repeats_itself(alpha, beta):
    text = compare([alpha, beta], plan=PLAN).to_json()
    assert text == compare([alpha, beta], plan=PLAN).to_json()
    document = json.loads(text)
    assert document["schema"] == "parakh.comparison/1"
    assert document["plan"] == {"method": "bca", "level": 0.95, "samples": 500, "seed": 1}
    pair = document["pairs"][0]
    assert {"difference", "interval", "p_permutation", "p_bootstrap", "p_matched_pairs", "p_holm", "flipped"} <= set(pair)
    assert pair["better"] == "alpha"
