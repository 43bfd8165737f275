"""What each kind of difference is put down to, and that the ledger adds up."""

import json
from dataclasses import replace

import pytest

from parakh.diagnosis import plain
from parakh.diagnostics.categories import parse_terms
from parakh.diagnostics.ledger import Account, Plan, account, best_next, ledger
from parakh.diagnostics.setup import Setup
from parakh.errors import UnknownNameError
from parakh.metrics import cpwer, tcpwer
from parakh.resample import Bootstrap, Resampler
from parakh.types import Segment

SAID = [
    Segment("v1", "asha", 0.0, 4.0, "आपको कब से बुखार है", language="hi"),
    Segment("v1", "mother", 4.0, 8.0, "दो दिन से खाँसी भी आ रही", language="hi"),
    Segment("v1", "asha", 8.0, 10.0, "दवा रोज़ लीजिए", language="hi"),
]
LABELS = {"asha": "p", "mother": "q"}


def heard_from(said, **changes):
    return [replace(one, speaker=LABELS[one.speaker], **changes) for one in said]


def found(reference, hypothesis, metric="tcpwer", setup=None, **options):
    one = account(reference, hypothesis, Plan(setup or Setup("hi"), metric, options))
    assert sum(one.steps.values()) == one.errors
    return {name: (one.marginals[name], step) for name, step in one.steps.items() if step}


def pair(reference, hypothesis, metric="tcpwer", setup=None):
    """Two texts of one speaker at one time."""
    return found(
        [Segment("v1", "A", 0.0, 5.0, reference, language="hi")],
        [Segment("v1", "p", 0.0, 5.0, hypothesis, language="hi")],
        metric,
        setup,
    )


def test_a_perfect_system_owes_nothing():
    assert found(SAID, heard_from(SAID)) == {}


def test_words_at_the_wrong_time_are_a_matter_of_timing():
    late = [replace(one, start_time=one.start_time + 60, end_time=one.end_time + 60) for one in heard_from(SAID)]
    assert found(SAID, late) == {"timing": (30, 30)}  # all 15 words missed and made up
    marginals = account(SAID, late, Plan(Setup("hi"))).marginals
    assert {name: count for name, count in marginals.items() if count} == {"timing": 30, "deletions": 15, "insertions": 15}
    assert found(SAID, late, "cpwer") == {}


def test_timing_is_what_tcpwer_has_over_cpwer():
    late = [replace(one, start_time=one.start_time + 6.5, end_time=one.end_time + 6.5) for one in heard_from(SAID)]
    late[1] = replace(late[1], words="दो दिन खाँसी नहीं आ रही")
    over = tcpwer.stats(SAID, late)["errors"] - cpwer.stats(SAID, late)["errors"]
    assert over > 0
    assert found(SAID, late)["timing"] == (over, over)


def test_what_nobody_said_follows_its_late_turn():
    late = [replace(one, start_time=one.start_time + 60, end_time=one.end_time + 60) for one in heard_from(SAID)]
    late[1] = replace(late[1], words="दो दिन से अरे खाँसी भी आ रही")
    assert found(SAID, late) == {"timing": (30, 30), "insertions": (16, 1)}


def test_a_turn_of_the_wrong_speaker():
    heard = heard_from(SAID)
    heard[2] = replace(heard[2], speaker="q")
    assert found(SAID, heard) == {"speaker": (6, 6)}
    assert found(SAID, heard, "cpwer") == {"speaker": (6, 6)}
    assert found(SAID, heard, "wer") == {}


def test_a_misheard_word_goes_with_the_turn_around_it():
    heard = heard_from(SAID)
    heard[2] = replace(heard[2], speaker="q", words="दवा रोज़ पीजिए")
    assert found(SAID, heard) == {"speaker": (5, 5), "substitutions": (0, 1)}


def test_a_word_made_up_beside_one_missed_by_another_is_no_matter_of_speakers():
    heard = heard_from(SAID)
    heard[0] = replace(heard[0], words="आपको कब से बुखार है जरूर")
    heard[1] = replace(heard[1], words="दो दिन से खाँसी भी आ")
    assert found(SAID, heard) == {"deletions": (1, 1), "insertions": (1, 1)}


def test_one_label_for_two_speakers():
    heard = [replace(one, speaker="p") for one in SAID]
    assert found(SAID, heard) == {"speaker": (14, 14)}  # the mother's 7 words, made up here and missing there


def test_a_speaker_whom_nobody_heard_and_one_whom_nobody_is():
    assert found(SAID, [one for one in heard_from(SAID) if one.speaker == "p"]) == {"deletions": (7, 7)}
    ghost = Segment("v1", "r", 40.0, 42.0, "धन्यवाद देखने")
    assert found(SAID, [*heard_from(SAID), ghost]) == {"insertions": (2, 2)}
    assert found(SAID, []) == {"deletions": (15, 15)}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "item", "errors"),
    [
        ("वह बड़ा है", "वह बड\u093cा है".replace("बड\u093cा", "ब\u0921\u093cा"), "encoding", 0),
        ("यह क़लम है", "यह \u0958लम है", "encoding", 1),
        ("मैं हूँ यहाँ", "मैं हूं यहाँ", "orthographic", 1),
        ("भाई साहब आए", "भाईसाहब आए", "boundary", 2),
        ("गोली 500mg की", "गोली 500 mg की", "boundary", 2),
        ("दाम २५० है", "दाम 250 है", "format", 1),
        ("बुखार है।", "बुखार है", "punctuation", 1),
        ("बुखार है ।", "बुखार है।", "punctuation", 2),
        ('"हाँ" बोला', "हाँ बोला", "punctuation", 1),
        ("बुखार है। अब", "बुखार है, अब", "punctuation", 1),
        ("दाम 250 है", "दाम 205 है", "numerals", 1),
        ("बुखार है", "बुखार था", "substitutions", 1),
        ("तेज बुखार है", "बुखार है", "deletions", 1),
        ("बुखार है", "बुखार है जी", "insertions", 1),
        ("बुखार है। हाँ।", "बुखार है।", "deletions", 1),
        ("बुखार है।", "बुखार है। हाँ।", "insertions", 1),
    ],
)
@pytest.mark.parametrize("metric", ["tcpwer", "cpwer", "wer"])
def test_one_difference_is_one_item(reference, hypothesis, item, errors, metric):
    assert pair(reference, hypothesis, metric) == ({item: (errors, errors)} if errors else {})


def test_a_word_of_several_differences_falls_to_the_last():
    # Neither repair alone makes it the word of the reference.
    assert pair("मैं हूँ।", "मैं हूं") == {"punctuation": (0, 1)}


def test_categories_come_after_punctuation_in_their_order_fillers_first():
    setup = Setup("hi", categories=(parse_terms("MEDICAL", ["बुखार", "खून की जाँच"]), parse_terms("FILLER", ["हम्म"])))
    assert pair("हम्म मुझे बुखार है", "मुझे खार है", setup=setup) == {"FILLER": (1, 1), "MEDICAL": (1, 1)}
    items = Plan(setup).items
    assert items[items.index("punctuation") + 1 :][:3] == ("FILLER", "MEDICAL", "numerals")


def test_a_term_of_several_words_is_mended_as_one():
    setup = Setup("hi", categories=(parse_terms("MEDICAL", ["खून की जाँच"]),))
    assert pair("कल खून की जाँच होगी", "कल खूब होगी", setup=setup) == {"MEDICAL": (3, 3)}


def test_invisible_signs_are_encoding():
    assert pair("दवा ली है", "दवा\u200b ली है") == {"encoding": (1, 1)}


def test_the_length_is_that_of_the_forms_taken():
    said = [Segment("v1", "A", 0.0, 2.0, "पाँच सौ गोली", forms=("500 गोली",)), Segment("v1", "A", 2.0, 3.0, "जी")]
    one = account(said, [Segment("v1", "p", 0.0, 2.0, "500 गोली")], Plan(Setup("hi")))
    assert (one.length, one.errors, one.steps["deletions"]) == (3, 1, 1)


def test_what_no_transcript_could_mend_is_other():
    said = [Segment("v1", "A", 1.0, 1.0, "जी")]  # no duration, so nothing overlaps it
    heard = [Segment("v1", "p", 1.0, 1.0, "जी")]
    assert found(said, heard, collar=0.0)["other"] == (0, 2)


def test_words_keep_their_place_where_segments_of_a_speaker_overlap():
    said = [Segment("v1", "A", 0.0, 10.0, "एक दो तीन चार"), Segment("v1", "A", 5.0, 6.0, "पाँच छह")]
    heard = [replace(one, speaker="p") for one in said]
    heard[1] = replace(heard[1], words="पाँच सात")
    assert found(said, heard, collar=0.5) == {"substitutions": (1, 1)}


def test_a_ledger_adds_up_and_reads_as_json():
    plan = Plan(Setup("hi"), options={"collar": 3.0})
    late = [replace(one, start_time=one.start_time + 60, end_time=one.end_time + 60) for one in heard_from(SAID)]
    short = heard_from(SAID)[:2]
    accounts = [account(SAID, heard, plan) for heard in (late, short)]
    whole = ledger(accounts, plan)
    assert (whole.metric, whole.options, whole.errors, whole.length, whole.rate) == ("tcpwer", {"collar": 3.0}, 33, 30, 1.1)
    assert sum(item.step for item in whole.items) == 33
    assert sum(item.points for item in whole.items) == pytest.approx(1.1)
    assert [item.name for item in whole.items] == list(plan.items)[:-1]
    assert json.loads(json.dumps(plain(whole)))["items"][0] == {
        "name": "timing",
        "marginal": 30,
        "step": 30,
        "marginal_points": 1.0,
        "points": 1.0,
        "marginal_interval": None,
        "interval": None,
    }
    assert ledger(accounts[1:], plan).errors == 3


def test_intervals_are_those_of_the_shares_over_recordings():
    plan = Plan(Setup("hi"))
    accounts = [Account(f"v{k}", k % 4, 20, {"timing": k % 4}, {"timing": k % 4}) for k in range(40)]
    item = ledger(accounts, plan, Resampler(40, Bootstrap(samples=1000))).items[0]
    assert item.interval == item.marginal_interval
    low, high = item.interval
    assert 0.05 < low < item.points == 0.075 < high < 0.1
    assert ledger(accounts, plan, Resampler(40, Bootstrap(samples=1000))).items[1].interval is None


def test_a_rate_without_reference_words_is_none():
    whole = ledger([account([], [Segment("v1", "p", 0.0, 1.0, "जी")], Plan(Setup("hi")))], Plan(Setup("hi")))
    assert (whole.rate, whole.items[-1].name, whole.items[-1].step, whole.items[-1].points) == (None, "insertions", 1, None)


def test_the_next_thing_to_do_is_the_largest_that_is_one_thing():
    plan = Plan(Setup("hi"))

    def next_of(**counts):
        one = best_next(ledger([Account("v1", 0, 100, counts, {})], plan))
        return one and one.name

    assert next_of(timing=3, speaker=5, substitutions=40) == "speaker"
    assert next_of(timing=3, punctuation=3) == "timing"
    assert next_of(encoding=-1, deletions=2, insertions=4) == "insertions"
    assert next_of(timing=-2) is None


def test_a_ledger_is_kept_of_three_metrics():
    with pytest.raises(UnknownNameError, match="tcpwer"):
        Plan(Setup("hi"), "tcpwr")
