"""Table 1 of the DISPLACE-M paper: character and word error rates of each system, by set, and its diarization error rate."""

from __future__ import annotations

from parakh.report.inputs import Inputs
from parakh.report.tables import Table, TableKind
from parakh.report.tables._columns import Wanted
from parakh.report.tables._columns import table as table_of
from parakh.report.tables._sets import sets

TABLE = TableKind("Speech recognition by system and set", "DISPLACE-M challenge, arXiv 2603.02813, Table 1")
_METRICS = ("cer", "wer", "tcpwer")


def table(inputs: Inputs) -> Table | None:
    """CER, WER and tcpWER for each set, then DER; None without results of speech recognition.

    >>> table(Inputs(()))
    """
    asr = [Wanted(own, name, group=where) for where, own in sets(inputs, "asr").items() for name in _METRICS]
    der = [Wanted(own, "der", group=where) for where, own in sets(inputs, "diarization").items()]
    caption = "Speech recognition: character, word and time-constrained minimum-permutation word error rate."
    is_there = any(name in one.metrics for one in inputs.of("asr") for name in _METRICS)
    return table_of("challenge-asr", caption, {"": [*asr, *der]}) if is_there else None
