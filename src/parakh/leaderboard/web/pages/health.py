"""Whether the service works, for whatever watches it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from parakh.leaderboard import views
from parakh.leaderboard.web.service import Service

router = APIRouter()


@router.get("/health")
def health(request: Request) -> Response:
    """Status 200 while the database answers."""
    service: Service = request.app.state.service
    views.touch(service.database)
    return JSONResponse({"status": "ok"})
