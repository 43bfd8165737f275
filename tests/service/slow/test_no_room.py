"""A full disk under the pages: uploads are refused in a sentence, nothing of them stays, and /health says so."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.service import killing, sites
from tests.service.sites import NAME


def test_a_full_disk_is_told(small_disk: Path) -> None:
    site = sites.site(small_disk)
    one, filler = site.browser("one@example.org"), small_disk / "filler"
    program = site.program(site.token("one@example.org"))
    killing.fill(filler)
    with filler.open("r+b") as file:  # room for the database's journal, none for the file
        file.truncate(file.seek(0, 2) - 2**20)
    large = b"SPEAKER visit1 1 0.0 1.0 <NA> <NA> a <NA> <NA>\n" * 40_000
    fields = {"contest": "each/diarization", "system": "a"}
    page = one.post(f"/c/{NAME}/submit", fields, {"file": ("a.rttm", large)})
    answer = program.post(f"/api/v1/challenges/{NAME}/each/diarization/submissions", files={"file": ("a.rttm", large)})
    for told in (page, answer):
        assert told.status_code == 507, told.text
        assert "There is no room left here" in told.text
        assert int(told.headers["retry-after"]) > 0
    health = one.get("/health")
    assert (health.status_code, health.json()["status"]) == (503, "the data folder has no room for an upload")
    assert not list((site.store.folder / "incoming").iterdir())
    filler.unlink()
    assert one.post(f"/c/{NAME}/submit", fields, {"file": ("a.rttm", large)}).status_code == 303
    site.database.close()
