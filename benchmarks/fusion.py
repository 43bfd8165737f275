"""Time DOVER-Lap beside its reference tool, on the three systems that were published for the AMI test set.

    python benchmarks/fusion.py DATA

DATA is the folder with dover-lap/egs/ami. Both get turns as Python objects; CPU milliseconds for all 16 meetings, the least of
three rounds. The tool (dover-lap 1.3.1) gets numpy's sum of matrices of several shapes as it was before numpy 1.24.
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

import numpy as np
from timing import cpu_milliseconds

from parakh import formats
from parakh.fusion import Answer, sessions
from parakh.fusion.dover_lap import Backend

SYSTEMS = ("rpn", "sc", "vb")


class OldNumpy:
    """numpy with the sum that the tool counts on."""

    def __getattr__(self, name: str) -> object:
        return getattr(np, name)

    def sum(self, values: object, *arguments: object, **options: object) -> object:
        if isinstance(values, list) and getattr(values[0], "ndim", 0):
            return functools.reduce(np.add, values)
        return np.sum(values, *arguments, **options)  # type: ignore[call-overload]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data / "dover-lap" / "egs" / "ami"
    systems = [Answer(name, formats.get("rttm").read(folder / f"rttm_test_{name}").items) for name in SYSTEMS]
    meetings = [answers for _, answers in sessions(systems)]

    from dover_lap.libs.turn import Turn, merge_turns
    from dover_lap.src.doverlap import DOVERLap
    from dover_lap.src.mapping import greedy

    greedy.np, greedy.info = OldNumpy(), lambda *_, **__: None
    theirs = [
        [[Turn(t.start_time, offset=t.end_time, speaker_id=t.speaker, file_id="v") for t in one.segments] for one in answers]
        for answers in meetings
    ]
    for mapping in ("greedy", "hungarian"):
        fuse = Backend(mapping=mapping).fuse
        combine = functools.partial(DOVERLap.combine_turns_list, file_id="v", label_mapping=mapping, gaussian_filter_std=0.5)
        own = cpu_milliseconds(lambda fuse=fuse: [fuse(one) for one in meetings], 3)
        tool = cpu_milliseconds(lambda combine=combine: [combine([merge_turns(t) for t in one]) for one in theirs], 3)
        print(f"{mapping:10} parakh {own:7.0f} ms   dover-lap {tool:7.0f} ms   {tool / own:.1f} x")


if __name__ == "__main__":
    main()
