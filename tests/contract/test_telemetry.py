"""Nothing is reported about the use of Parakh by what it uses."""

import os
import subprocess
import sys

import pytest


def test_onnxruntime_keeps_no_identifier_and_reports_nothing(tmp_path):
    """Its packages write an identifier and a queue of reports to the cache as soon as it starts; see its Privacy.md."""
    pytest.importorskip("onnxruntime")
    env = {name: value for name, value in os.environ.items() if name not in ("ORT_DISABLE_TELEMETRY", "CI", "XDG_CACHE_HOME")}
    code = "import parakh, onnxruntime; onnxruntime.SessionOptions()"
    subprocess.run([sys.executable, "-c", code], env={**env, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("0", "0")])
def test_the_users_own_choice_holds(before, after):
    env = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    env |= {} if before is None else {"ORT_DISABLE_TELEMETRY": before}
    code = "import parakh, os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    assert (
        subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout == f"{after}\n"
    )
