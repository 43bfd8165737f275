"""Every benchmark that needs no data but its own, one after the other: ``make bench``.

The other two need recordings or a checkout: ``benchmarks/diarization.py`` and ``benchmarks/asr.py``, and
``benchmarks/diarization_scoring.py --dscore DIR``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run them; returns the first exit code that is not 0."""
    codes = [subprocess.run([sys.executable, str(HERE / name)], check=False).returncode for name in SCRIPTS]
    return next((code for code in codes if code), 0)


SCRIPTS = (
    "startup.py",
    "corpus.py",
    "word_scoring.py",
    "greedy_scoring.py",
    "diarization_scoring.py",
    "resampling.py",
    "comparing.py",
    "diagnosis.py",
    "checking.py",
)

if __name__ == "__main__":
    sys.exit(main())
