"""The application: every module of ``pages`` and ``api`` with its routes, behind one guard."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import parakh
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.web import api, pages
from parakh.leaderboard.web.problems import Problem, add_handlers
from parakh.leaderboard.web.security import Guard
from parakh.leaderboard.web.service import Service

_STATUSES = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507)
_ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": Problem, "description": HTTPStatus(status).phrase} for status in _STATUSES
}

_PROBLEM = "application/problem+json"


def make_app(settings: Settings) -> FastAPI:
    """The web application of the service, for any ASGI server.

    Args:
        settings: Of the service; its database has to be migrated.
    """
    service = Service.of(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = _App(
        title="Parakh leaderboard",
        version=parakh.__version__,
        description="Everything that the pages show. Send a token of yours as `Authorization: Bearer parakh_...`.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.service = service
    app.add_middleware(Guard, settings=settings)
    add_handlers(app)
    for router in routers(pages):
        app.include_router(router, include_in_schema=False)
    for router in routers(api):
        app.include_router(router, prefix="/api/v1", responses=_ERRORS)
    app.mount("/static/report", _Static(packages=[("parakh.report", "page")]))
    app.mount("/static", _Static(directory=Path(__file__).parent / "static"))
    return app


class _App(FastAPI):
    """An application whose documentation calls problems by the content type that they have."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            for methods in document["paths"].values():
                for operation in methods.values():
                    for status, response in operation["responses"].items():
                        if int(status) >= HTTPStatus.BAD_REQUEST:
                            response["content"] = {_PROBLEM: response["content"].pop("application/json")}
        return super().openapi()


def routers(package: ModuleType) -> Iterator[APIRouter]:
    """The routers of a package's modules: whoever adds a module has added its pages."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        router = getattr(importlib.import_module(found.name), "router", None)
        if isinstance(router, APIRouter):
            yield router


class _Static(StaticFiles):
    """Files of the pages, which browsers may keep for an hour."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}:
            response.headers["Cache-Control"] = "public, max-age=3600"
        return response
