"""Whether the service works, for whatever watches it."""

from __future__ import annotations

import logging
import os
import shutil
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, Response

from parakh.leaderboard import views
from parakh.leaderboard.web.service import Service

router = APIRouter()
LEAST_ROOM = 64 * 2**20
"""Bytes that have to be free in the data folder: SQLite's journal and results want some of them."""
_LOG = logging.getLogger("parakh.leaderboard")


@router.get("/health")
def health(request: Request) -> Response:
    """Status 200 while the database answers and the data folder takes an upload; otherwise 503 and what is wrong."""
    service: Service = request.app.state.service
    wrong = [*_database(service), *_folder(service.settings.data, service.settings.upload_bytes)]
    if not wrong:
        return JSONResponse({"status": "ok"})
    return JSONResponse({"status": "; ".join(wrong)}, HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "5"})


def _database(service: Service) -> list[str]:
    try:
        views.touch(service.database)
    except SQLAlchemyError as error:
        _LOG.error("health: %s", str(error).partition("\n")[0])
        return ["the database cannot be reached"]
    return []


def _folder(data: Path, upload_bytes: int) -> list[str]:
    """What is wrong with the data folder; the paths of the machine are nobody's business."""
    if not os.access(data, os.W_OK | os.X_OK):
        return ["the data folder cannot be written"]
    return ["the data folder has no room for an upload"] if shutil.disk_usage(data).free < upload_bytes + LEAST_ROOM else []
