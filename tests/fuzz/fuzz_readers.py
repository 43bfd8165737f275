"""Coverage-guided fuzzing of every reader: ``python tests/fuzz/fuzz_readers.py CORPUS -max_total_time=600``.

The first byte of an input picks a format, or detection; the rest is the file.
"""

import sys
import tempfile
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))

from parakh import formats
from parakh.errors import InputError
from tests.fuzz.reader_checks import ALONE, check_detection, check_lines_alone, check_reader

NAMES = sorted(formats.all_formats())
FOLDER = Path(tempfile.mkdtemp())


def one_input(data: bytes) -> None:
    """One file to one reader."""
    which = data[0] % (len(NAMES) + 1) if data else 0
    if which == len(NAMES):
        path = FOLDER / "x"
        path.write_bytes(data[1:])
        check_detection(path)
        return
    name = NAMES[which]
    path = FOLDER / f"x{formats.get(name).suffixes[0]}"
    path.write_bytes(data[1:])
    outcome = check_reader(name, path)
    if isinstance(outcome, InputError) and name in ALONE and outcome.faults[0].line is not None and is_text(data[1:]):
        check_lines_alone(name, path, outcome)


def is_text(data: bytes) -> bool:
    """Whether a reader takes it for text, so that its faults are those of lines."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


if __name__ == "__main__":
    atheris.instrument_all()  # the finder of an editable installation passes by the import hook of instrument_imports
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
