"""Learning rates and the order of examples as plain functions of the step: nothing of them has to be saved."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

SCHEDULES = ("one_cycle", "linear", "cosine", "constant")


def rate(schedule: str, step: int, total: int, warmup: float) -> float:
    """The factor on the learning rate at a step.

    All rise linearly to 1 over the first ``warmup`` of the steps. Then ``linear`` and ``cosine`` fall to 0, ``one_cycle`` falls
    along a cosine to a ten-thousandth, and ``constant`` stays.

    Args:
        schedule: One of ``SCHEDULES``.
        step: Steps taken before this one.
        total: Steps of the whole run.
        warmup: Share of the steps in [0, 1).

    Returns:
        A factor in [0, 1].

    >>> [round(rate("linear", step, 10, 0.2), 2) for step in (0, 1, 2, 6, 10)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    first = warmup * total
    if step < first:
        return min(1.0, (step + 1) / first)
    progress = min(1.0, (step - first) / max(1.0, total - first))
    fall = (1 + math.cos(math.pi * progress)) / 2
    return {"linear": 1 - progress, "cosine": fall, "one_cycle": 1e-4 + (1 - 1e-4) * fall, "constant": 1.0}[schedule]


def order(seed: int, epoch: int, count: int) -> NDArray[np.int64]:
    """The examples in the order of one pass, the same for one seed and pass on every machine.

    >>> order(1, 0, 4).tolist() == order(1, 0, 4).tolist(), sorted(order(1, 1, 4).tolist())
    (True, [0, 1, 2, 3])
    """
    return np.random.default_rng([seed, epoch]).permutation(count)


def batch(seed: int, step: int, count: int, size: int) -> list[int]:
    """The examples of one batch; passes follow each other, each with an order of its own and no batch over its end.

    >>> len(batch(1, 0, 5, 4)), len(batch(1, 1, 5, 4))
    (4, 1)
    """
    each = math.ceil(count / size)
    epoch, place = divmod(step, each)
    return [int(one) for one in order(seed, epoch, count)[place * size : (place + 1) * size]]
