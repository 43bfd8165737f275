"""Log-mel features equal faster-whisper 1.2.1's."""

from __future__ import annotations

import numpy as np
import pytest

from parakh.cascade.whisper.features import HOP, MEL_BINS, log_mel

feature_extractor = pytest.importorskip("faster_whisper.feature_extractor", reason="faster-whisper is not installed")


@pytest.mark.parametrize("samples", [400, 16_000, 48_123])
def test_equal_features(samples: int) -> None:
    noise = np.random.default_rng(samples).normal(0, 0.1, samples).astype(np.float32)
    own = log_mel(noise)
    assert own.shape == (MEL_BINS, samples // HOP)
    theirs = feature_extractor.FeatureExtractor()(noise, padding=0)
    np.testing.assert_allclose(own, theirs[:, : own.shape[1]], atol=1e-5)
