"""Boards: who stands on them, in which order, in which group, and what each viewer gets to see of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from parakh import tracks
from parakh.evaluate import evaluate
from parakh.leaderboard import boards, small_slices, tables
from parakh.leaderboard.boards import Board
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import BoardRow, Contest, Kind, PhaseRow, ScoreRow, Submission
from parakh.leaderboard.references import References
from parakh.leaderboard.views_submission import submission_view
from parakh.leaderboard.visibility import ANYBODY, Viewer
from parakh.results import Results
from parakh.types import Recording, Segment
from tests.service.made_boards import METRICS, ORGANISER, START, Made, noisy, results

Make = Callable[..., Made]


@pytest.fixture
def make(database: Database, tmp_path: Path) -> Make:
    return lambda **given: Made(database, tmp_path, **given)


def order(board: Board) -> list[tuple[int | None, str]]:
    return [(row.rank, row.team) for row in board.rows]


def test_the_best_is_first_and_equals_share_a_rank(make: Make) -> None:
    made = make()
    made.hand_in("low", [0.4] * 4)
    made.hand_in("late twin", [0.2] * 4)
    made.hand_in("top", [0.1] * 4)
    made.hand_in("twin", [0.2] * 4)
    assert order(made.board()) == [(1, "top"), (2, "late twin"), (2, "twin"), (4, "low")]


def test_an_undefined_score_is_never_first_and_has_no_rank(make: Make) -> None:
    made = make()
    made.hand_in("nothing", None)
    assert order(made.board()) == [(None, "nothing")]
    made.hand_in("bad", [0.99] * 4)
    board = made.board()
    assert order(board) == [(1, "bad"), (None, "nothing")]
    assert board.rows[1].group == ""


def test_ties_are_broken_by_the_metrics_named_for_it(make: Make) -> None:
    made = make()
    equal = results([0.2] * 4)
    better = replace(equal, metrics={**equal.metrics, "cer": replace(equal.metrics["cer"], value=0.1)})
    made.hand_in("plain", None, made=equal)
    made.hand_in("better", None, made=better)
    assert order(made.board()) == [(1, "better"), (2, "plain")]
    made.hand_in("plain", None, made=better)
    assert made.board().rows[0].team == "better"  # the same values now, and it was there first
    assert [row.rank for row in made.board().rows] == [1, 1]


def test_higher_is_better_where_the_metric_says_so(make: Make) -> None:
    f1 = replace(METRICS, track="topics", metrics=("topic_f1",), rank_by="topic_f1", tie_break=(), slice_by=())
    made = make(metrics=f1)
    for team, share in (("half", 50), ("all", 100), ("none", 0)):
        made.hand_in(team, None, made=topics(share, f1))
    assert [row.team for row in made.board().rows] == ["all", "half", "none"]
    best = [point.best for point in boards.history(made.database, made.contest, ANYBODY, START)]
    assert best == [0.5, 1.0, 1.0]


def topics(share: int, metrics: Any) -> Any:
    from parakh import metrics as metric_registry
    from parakh.aggregate import About, score_all
    from parakh.results import RecordingResult, Results, Signature, Stats

    one = {"topic_f1": Stats(tp=share, fp=100 - share, fn=100 - share)}
    rows = tuple(RecordingResult(f"v{k}", {"topic_f1": share / 100}, one) for k in range(6))
    scores = score_all([metric_registry.get("topic_f1")], [one] * 6, [About(row.id, 60.0, None) for row in rows], None)
    return Results("topics", "made", Signature({"track": "topics", "parakh": "0.1.0"}), scores, rows)


@pytest.mark.parametrize(("rule", "expected"), [("best", "second"), ("last", "third"), ("chosen", "first")])
def test_which_submission_stands_for_a_team(make: Make, rule: str, expected: str) -> None:
    made = make(represents=rule)
    made.hand_in("one", [0.5] * 4, system="first", is_chosen=True)
    made.hand_in("one", [0.2] * 4, system="second")
    made.hand_in("one", [0.3] * 4, system="third")
    (row,) = made.board().rows
    assert (row.system, row.submissions) == (expected, 3)


def test_the_best_stands_for_a_team_that_has_not_chosen(make: Make) -> None:
    made = make(represents="chosen")
    made.hand_in("one", [0.5] * 4, system="first")
    made.hand_in("one", [0.2] * 4, system="second")
    assert made.board().rows[0].system == "second"


def test_what_is_withdrawn_or_scored_with_something_else_does_not_stand(make: Make) -> None:
    made = make()
    best = made.hand_in("one", [0.1] * 4, system="best")
    made.hand_in("one", [0.2] * 4, system="other")
    old = made.hand_in("two", [0.1] * 4)
    made.change(lambda session: setattr(by_key(session, best), "is_withdrawn", True))
    made.change(
        lambda session: setattr(session.scalars(select(ScoreRow).filter_by(submission_id=old)).one(), "references", "before")
    )
    assert [row.system for row in made.board().rows] == ["other"]


def by_key(session: Any, key: str) -> Submission:
    return session.scalars(select(Submission).filter_by(id=key)).one()


def test_baselines_stand_in_their_place_without_a_rank_and_closed_systems_with_one(make: Make) -> None:
    made = make()
    made.hand_in("organisers", [0.1] * 4, kind=Kind.BASELINE.value, system="cascade")
    made.hand_in("organisers", [0.5] * 4, kind=Kind.BASELINE.value, system="silence")
    made.hand_in("organisers", [0.2] * 4, kind=Kind.CLOSED.value, system="closed")
    made.hand_in("one", [0.3] * 4, system="ours")
    assert [(row.rank, row.system) for row in made.board().rows] == [
        (None, "cascade"),
        (1, "closed"),
        (2, "ours"),
        (None, "silence"),
    ]


def test_a_baseline_handed_in_again_replaces_itself(make: Make) -> None:
    made = make(represents="last")
    made.hand_in("organisers", [0.5] * 4, kind=Kind.BASELINE.value, system="cascade")
    made.hand_in("organisers", [0.3] * 4, kind=Kind.BASELINE.value, system="cascade")
    (row,) = made.board().rows
    assert row.cell("wer").value == pytest.approx(0.3)


def test_slices_have_ranks_and_groups_of_their_own(make: Make) -> None:
    made = make()
    hindi = [0.1 if place % 2 == 0 else 0.5 for place in range(40)]  # recordings are in Hindi and Kannada by turns
    made.hand_in("hindi", hindi)
    made.hand_in("kannada", [0.7 - rate for rate in hindi])
    board = made.board()
    assert board.slices == {"language": ("hi", "kn"), "place": ("clinic", "home", "phone", "van")}
    assert [(row.rank, row.team, row.group) for row in board.sliced("language", "hi").rows] == [
        (1, "hindi", "a"),
        (2, "kannada", "b"),
    ]
    assert [row.team for row in board.sliced("language", "kn").rows] == ["kannada", "hindi"]
    with pytest.raises(KeyError):
        board.sliced("language", "ta")
    with pytest.raises(KeyError):
        board.sliced("age", "40")


def test_systems_of_one_quality_share_a_letter_and_others_do_not(make: Make) -> None:
    made = make()
    for place, rate in enumerate((0.20, 0.20, 0.205, 0.35, 0.352, 0.6)):
        made.hand_in(f"team {place}", noisy(rate, place))
    groups = {row.team: row.group for row in made.board().rows}
    assert [groups[f"team {place}"] for place in range(6)] == ["a", "a", "a", "b", "b", "c"]


def test_a_system_between_two_groups_carries_both_letters(make: Make) -> None:
    made = make()
    made.hand_in("top", [0.20] * 40)
    made.hand_in("between", [0.26, 0.16] * 20)  # a point worse than the top on average, give or take five
    made.hand_in("low", [0.22] * 40)
    assert [(row.team, row.group) for row in made.board().rows] == [("top", "a"), ("between", "ab"), ("low", "b")]


def test_few_recordings_tell_nobody_apart_and_the_board_says_so(make: Make) -> None:
    made = make()
    made.hand_in("good", [0.1] * 4)
    made.hand_in("bad", [0.9] * 4)
    board = made.board(ORGANISER)
    assert [row.group for row in board.rows] == ["a", "a"]
    assert board.notes == ("4 recordings are too few to tell 2 systems apart",)


def test_a_field_with_a_slice_of_few_recordings_is_withheld_whole(make: Make) -> None:
    made = make()  # 9 recordings: of the places two have three, and two have two or fewer
    submission = made.hand_in("one", [0.1] * 9)
    board = made.board()
    assert board.slices == {"language": ("hi", "kn")}
    assert set(board.rows[0].values) == set(board.rows[0].places) == {"", "language"}
    assert "place=" not in tables.to_csv(board)
    assert "place=" not in tables.to_csv(Board.from_dict(board.to_dict()))
    assert board.notes[-1].startswith("Not shown by place: a value of it has fewer than 3 recordings")
    assert set(made.board(ORGANISER).slices) == {"language", "place"}
    own = Viewer(2, "one@example.org", teams=frozenset([made.team("one")]))
    for viewer, fields in ((ANYBODY, {"language"}), (own, {"language"}), (ORGANISER, {"language", "place"})):
        view = submission_view(made.database, made.store, viewer, submission, START)
        assert view is not None
        assert set(view.slices) == fields
    made.change(lambda session: setattr(session.get_one(Contest, made.contest_id).phase, "shows", int(Sight.RECORDINGS)))
    assert set(made.board().slices) == {"language", "place"}


def test_a_board_that_did_not_count_recordings_yet_withholds_every_slice(make: Make) -> None:
    made = make()
    made.hand_in("one", [0.1] * 40)
    document = made.board().to_dict()
    assert document["small"] == []
    del document["small"]
    assert Board.from_dict(document).small == ("language", "place")


def test_results_made_with_other_choices_are_named_and_in_no_group(make: Make) -> None:
    made = make()
    for place in range(3):
        made.hand_in(f"team {place}", noisy(0.3, place))
    other = results(noisy(0.3, 9))
    choices = {**other.signature.choices, "collar": "3.0"}
    made.hand_in("other", None, made=replace(other, signature=type(other.signature)(choices)))
    board = made.board()
    assert {row.team: row.group for row in board.rows}["other"] == ""
    assert board.notes[0].startswith("1 row scored with other choices than the rest")


def test_refresh_makes_a_board_once_for_each_version(make: Make) -> None:
    made = make()
    made.hand_in("one", [0.1] * 4)
    again = lambda: boards.refresh(made.database, made.store, made.contest_id)  # noqa: E731
    assert [again(), again()] == [True, False]
    first = made.board()
    made.change(lambda session: None)
    assert again()
    assert replace(made.board(), made_at=first.made_at, version=first.version) == first


def test_an_older_state_never_takes_the_place_of_a_newer_one(make: Make) -> None:
    made = make()
    made.hand_in("one", [0.1] * 4)
    made.board()
    with made.database.write() as session:
        session.get_one(BoardRow, (made.contest_id, False)).version = 99
    made.change(lambda session: None)
    assert not boards.refresh(made.database, made.store, made.contest_id)


def test_a_board_reads_back_as_it_was_written(make: Make) -> None:
    made = make(freezes=START + timedelta(days=1))
    made.hand_in("मेरा दल", noisy(0.3, 1), samples=100, tags=["a", "b"], paper="https://example.org", system="<b>")
    board = made.board()
    assert Board.from_dict(board.to_dict()) == board
    low, high = board.rows[0].cell("wer", "language", "hi")[1:]
    assert low is not None and high is not None and low < high  # noqa: PT018


def test_a_frozen_board_stands_still_for_all_but_organisers_until_the_reveal(make: Make) -> None:
    made = make(freezes=START + timedelta(days=7))
    made.hand_in("early", [0.3] * 4)
    made.hand_in("late", [0.1] * 4, days=8)
    made.hand_in("early", [0.2] * 4, days=8, system="late as well")
    late = START + timedelta(days=9)
    team = Viewer(5, "e@example.org", teams=frozenset({made.team("early")}))
    for viewer in (ANYBODY, team):
        board = made.board(viewer, late)
        assert [(row.team, row.submissions) for row in board.rows] == [("early", 1)]
        assert board.freezes == START + timedelta(days=7)
    assert [row.team for row in made.board(ANYBODY, START).rows] == ["late", "early"]  # nobody looks at it before the freeze
    assert [row.team for row in made.board(ORGANISER, late).rows] == ["late", "early"]
    assert {point.team for point in boards.history(made.database, made.contest, ANYBODY, late)} == {"early"}
    assert [point.value for point in boards.history(made.database, made.contest, team, late)] == pytest.approx([0.3, 0.2])
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "revealed_at", late))
    assert [row.team for row in made.board(ANYBODY, late).rows] == ["late", "early"]


def test_a_board_made_for_another_freeze_is_not_shown(make: Make) -> None:
    made = make(freezes=START + timedelta(days=7))
    made.hand_in("late", [0.1] * 4, days=5)
    made.board()
    late = START + timedelta(days=9)
    with made.database.write() as session:
        session.scalars(select(PhaseRow)).one().freezes = START + timedelta(days=3)
    assert boards.load(made.database, made.contest, ANYBODY, late) is None
    assert made.board(ANYBODY, late).rows == ()


def test_before_scores_may_be_seen_a_board_names_the_teams_and_nothing_else(make: Make) -> None:
    made = make(shows=Sight.NOTHING)
    made.hand_in("zebra", noisy(0.1, 1), system="secret system", paper="https://example.org", tags=["secret"])
    made.hand_in("ant", noisy(0.5, 2))
    board = made.board(Viewer(5, "z@example.org", teams=frozenset({made.team("zebra")})))
    assert board.is_blind
    assert order(board) == [(None, "ant"), (None, "zebra")]
    for row in board.rows:
        assert (row.submission, row.system, row.tags, row.paper, row.made_at, row.group) == ("", "", (), "", None, "")
        assert not row.values
        assert not row.places
    assert boards.history(made.database, made.contest, ANYBODY, START) == []
    assert order(made.board(ORGANISER)) == [(1, "zebra"), (2, "ant")]
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "revealed_at", START))
    assert order(made.board()) == [(1, "zebra"), (2, "ant")]


def test_a_hidden_challenge_has_a_board_for_those_who_take_part(make: Make) -> None:
    made = make()
    made.hand_in("one", [0.1] * 4)
    made.change(lambda session: setattr(session.get_one(Contest, made.contest_id).phase.challenge, "is_public", False))
    member = Viewer(5, "a@example.org", teams=frozenset({made.team("one")}))
    assert made.board(member).rows
    assert boards.load(made.database, made.contest, ANYBODY, START) is None
    assert boards.load(made.database, made.contest, Viewer(6, "b@example.org", teams=frozenset({"x"})), START) is None
    assert boards.history(made.database, made.contest, ANYBODY, START) == []


def test_history_shows_of_others_what_stood_on_the_board(make: Make) -> None:
    made = make()
    for rate in (0.5, 0.6, 0.4):
        made.hand_in("one", [rate] * 4)
    made.hand_in("organisers", [0.01] * 4, kind=Kind.BASELINE.value)
    made.hand_in("two", [0.45] * 4)
    public = boards.history(made.database, made.contest, ANYBODY, START)
    assert [(point.team, point.value, point.best) for point in public] == [
        ("one", 0.5, 0.5),
        ("one", 0.4, 0.4),
        ("two", 0.45, 0.4),
    ]
    member = Viewer(5, "a@example.org", teams=frozenset({made.team("one")}))
    assert [point.value for point in boards.history(made.database, made.contest, member, START)] == [0.5, 0.6, 0.4, 0.45]


def test_history_of_a_team_that_has_chosen_shows_others_its_choice(make: Make) -> None:
    made = make(represents="chosen")
    made.hand_in("one", [0.3] * 4)
    made.hand_in("one", [0.5] * 4, is_chosen=True)
    assert [point.value for point in boards.history(made.database, made.contest, ANYBODY, START)] == [0.5]


def test_no_board_yet(make: Make) -> None:
    made = make()
    assert boards.load(made.database, made.contest, ANYBODY, START) is None
    assert made.board().rows == ()


def test_results_of_the_scorer_have_ranks_and_groups_in_slices_of_recordings_and_ranks_alone_in_those_of_speakers(
    make: Make,
) -> None:
    names = [f"v{place:02}" for place in range(24)]
    known = [Recording(name, duration=9.0, language=("hi", "kn")[place % 2]) for place, name in enumerate(names)]
    said = [Segment(name, "A", 0.0, 8.0, "एक दो तीन चार", role="health_worker") for name in names]
    wrong = [replace(one, words="एक दो तीन") if place % 2 else one for place, one in enumerate(said)]
    rules = replace(METRICS, metrics=("wer",), tie_break=(), slice_by=("language", "role"))
    made = make(metrics=rules)
    for team, answer in (("right", said), ("wrong", wrong)):
        found = evaluate(tracks.get("asr"), said, answer, metrics=["wer"], recordings=known, slice_by=rules.slice_by)
        made.hand_in(team, None, made=found)
    board = made.board()
    assert board.slices == {"language": ("hi", "kn"), "role": ("health_worker",)}
    assert [(row.rank, row.group) for row in board.rows] == [(1, "a"), (2, "b")]
    assert [(row.rank, row.group) for row in board.sliced("language", "hi").rows] == [(1, "a"), (1, "a")]
    assert [(row.rank, row.group) for row in board.sliced("language", "kn").rows] == [(1, "a"), (2, "b")]
    assert [(row.rank, row.group) for row in board.sliced("role", "health_worker").rows] == [(1, ""), (2, "")]


@pytest.mark.parametrize(("guests", "small"), [(2, ("role",)), (3, ())])
def test_fields_of_speakers_count_the_recordings_in_which_something_is_said(guests: int, small: tuple[str, ...]) -> None:
    said = [Segment(f"v{place}", "A", 0.0, 8.0, "एक दो", role="health_worker") for place in range(5)]
    said += [Segment(f"v{place}", "B", 8.0, 9.0, "तीन" if place < guests else "", role="guest") for place in range(5)]
    answer = [*said, Segment("v0", "C", 1.0, 2.0, "और")]  # a speaker who stands for nobody
    found = evaluate(tracks.get("asr"), said, answer, metrics=["cpwer"], slice_by=["role"])
    assert small_slices.in_results(Results.from_json(found.to_json())) == small
    recordings = tuple(Recording(f"v{place}") for place in range(5))
    references = References(tuple(said), None, recordings, None, "abc")
    assert small_slices.in_references(references, replace(METRICS, metrics=("cpwer",), slice_by=("role",))) == small
