"""``parakh serve``: the leaderboard, its API and a worker in one process."""

from __future__ import annotations

from dataclasses import replace

import typer

from parakh.leaderboard.serving import ANYWHERE, address_of, listen, serve


def run(
    data: str | None,
    config: str | None,
    address: str | None,
    database_url: str | None,
    *,
    host: str,
    port: int,
    work: bool,
    demo: bool,
) -> None:
    """Serve until it is stopped."""
    from parakh.leaderboard.settings import Settings

    settings = Settings.load(config, {"data": data, "database_url": database_url, "address": address})
    with listen(host, port) as listener:
        if settings.address == Settings.address:  # nobody said how browsers reach it
            settings = replace(settings, address=address_of(host, listener))
            if host in ANYWHERE:
                typer.echo("Only this machine's browsers are answered until --address says how others reach it.")
        serve(settings, listener, work=work, demo=demo, say=typer.echo)
