"""The diarizers on torch, as far as they can be told without it: options, messages, chunks, clusters, posteriors."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

from parakh.audio.decode import Audio
from parakh.cascade.diarizers import diarizen, pyannote, sortformer
from parakh.cascade.diarizers._chunks import Chunks, clean_masks, median_filtered, speaker_activity
from parakh.cascade.diarizers._dendrogram import Rule, local_clusters, speaker_clusters
from parakh.cascade.networks import powerset
from parakh.errors import InputError, MissingPackageError


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: diarizen.Backend(min_speakers=3), r"min_speakers: found 3, expected 1 <= min_speakers <= max_speakers"),
        (lambda: diarizen.Backend(threshold=0.0), r"threshold: found 0\.0, expected a distance in \(0, 2\]"),
        (lambda: diarizen.Backend(step=9.0), r"step: found 9\.0, expected seconds from 0\.1 to duration"),
        (lambda: diarizen.Backend(device="gpu"), r"device: found 'gpu', expected \"auto\""),
        (lambda: pyannote.Backend(num_speakers=0), r"num_speakers: found 0, expected a whole number from 1 to 100"),
        (lambda: sortformer.Backend(max_speakers=9), r"max_speakers: found 9, expected a whole number from 1 to 4: Sortformer"),
        (lambda: sortformer.Backend(offset=0.9), r"offset: found 0\.9, expected a probability above 0 and up to onset"),
    ],
)
def test_wrong_options_are_named(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(("module", "package"), [(diarizen, "torch"), (pyannote, "pyannote.audio"), (sortformer, "nemo")])
def test_a_missing_package_is_named_with_the_command(module: Any, package: str) -> None:
    top = package.split(".", maxsplit=1)[0]
    if importlib.util.find_spec(top) and (package == top or importlib.util.find_spec(package)):
        pytest.skip(f"{package} is installed")
    with pytest.raises(MissingPackageError, match=r"needs the package .*pip install 'parakh\["):
        module.Backend().ready()
    assert module.Backend().diarize(Audio("v", np.zeros(16000, np.float32))) == []


def test_the_median_filter_is_that_of_scipy() -> None:
    from scipy.ndimage import median_filter

    active = np.random.default_rng(1).random((3, 50, 4)) < 0.5
    expected = median_filter(active.astype(float), size=(1, 11, 1), mode="reflect") > 0.5
    assert np.array_equal(median_filtered(active), expected)


def test_embeddings_are_of_speech_alone_where_there_is_enough() -> None:
    active = np.zeros((1, 10, 2), bool)
    active[0, :8, 0] = active[0, 5:, 1] = True
    masks = clean_masks(active, 3)
    assert masks[0, :, 0].tolist() == [True] * 5 + [False] * 5
    assert masks[0, :, 1].tolist() == active[0, :, 1].tolist()


def voices(rng: np.random.Generator, count: int, each: int) -> np.ndarray:
    centres = np.eye(16, dtype=np.float32)[:count] * 3
    rows: np.ndarray = (np.repeat(centres, each, axis=0) + rng.normal(size=(count * each, 16)) * 0.2).astype(np.float32)
    return rows


@pytest.mark.parametrize("count", [1, 2, 9])
def test_voices_far_apart_are_told_apart(count: int) -> None:
    rows = voices(np.random.default_rng(0), count, 20)
    labels = speaker_clusters(rows, Rule(0.6, 13, 1, 20))
    assert len(set(labels.tolist())) == count
    assert all(len(set(labels[i : i + 20].tolist())) == 1 for i in range(0, len(labels), 20))


def test_the_number_of_clusters_is_kept_within_its_limits() -> None:
    rows = voices(np.random.default_rng(0), 4, 20)
    assert len(set(speaker_clusters(rows, Rule(0.6, 13, 2, 2)).tolist())) == 2
    assert len(set(speaker_clusters(voices(np.random.default_rng(0), 1, 40), Rule(1.9, 1, 3, 3)).tolist())) == 3


def test_two_speakers_of_a_chunk_are_never_one() -> None:
    """Their embeddings are the same, so that clustering alone would make them one."""
    rng = np.random.default_rng(0)
    active = np.zeros((20, 100, 2), bool)
    active[:, :50, 0] = active[:, 50:, 1] = True
    embeddings = voices(rng, 2, 20).reshape(2, 20, 16).transpose(1, 0, 2).copy()
    embeddings[3] = embeddings[3, 0]
    clusters = local_clusters(active, embeddings, Rule(0.6, 5, 2, 2))
    assert all(one != two for one, two in clusters.tolist())
    active[7, :, 1] = False
    assert local_clusters(active, embeddings, Rule(0.6, 5, 2, 2))[7, 1] == -1


def test_activity_is_what_most_chunks_say() -> None:
    active = np.zeros((3, 399, 2), bool)
    active[0, 100:200, 0] = True
    active[1, 60:160, 1] = True  # the same stretch 40 frames on, as another local speaker
    active[2, 20:120, 0] = True
    chunks = Chunks(8.0, 0.8, active, np.zeros((3, 2, 4), np.float32))
    found = speaker_activity(chunks, np.array([[1, -1], [-1, 1], [1, -1]]), 2)
    assert np.flatnonzero(found[:, 1]).tolist() == list(range(100, 200))
    assert not found[:, 0].any()


def test_powerset_classes_and_speakers_are_one_to_one() -> None:
    for speakers, together in ((3, 2), (4, 2), (4, 4)):
        table = powerset.mapping(speakers, together)
        assert powerset.classes_of(table, table).tolist() == list(range(len(table)))
        reordered = powerset.reorderings(speakers, together)
        assert all(sorted(row.tolist()) == list(range(len(table))) for row in reordered)


def test_posteriors_of_chunks_are_joined_as_one_speaker_each() -> None:
    rng = np.random.default_rng(3)
    whole = (np.eye(4)[np.repeat(rng.integers(0, 4, 40), 10)] * 0.9 + 0.05).astype(np.float32)
    found = whole[:150]
    for start in (100, 200, 300):
        found = sortformer.joined(found, whole[start : start + 150][:, rng.permutation(4)], start)
    assert len(found) == 400
    assert np.array_equal(found[:150], whole[:150])


def test_posteriors_above_the_onset_last_until_the_offset() -> None:
    likely = np.random.default_rng(4).random((200, 4)).astype(np.float32)
    expected = np.zeros((200, 4), bool)
    on = np.zeros(4, bool)
    for frame, row in enumerate(likely):
        on = np.where(row > 0.7, True, np.where(row < 0.3, False, on))
        expected[frame] = on
    assert np.array_equal(sortformer.hysteresis(likely, 0.7, 0.3), expected)
