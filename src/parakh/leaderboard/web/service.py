"""What serves: settings, database, files, queue. One value that pages and API get handed."""

from __future__ import annotations

from dataclasses import dataclass

from parakh.leaderboard.database import Database
from parakh.leaderboard.queue import Queue
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store


@dataclass(frozen=True)
class Service:
    """Everything that a request may need.

    Args:
        settings: Of the service.
        database: Where everything is but files.
        store: Where files are.
        queue: Where jobs go.
    """

    settings: Settings
    database: Database
    store: Store
    queue: Queue

    @staticmethod
    def of(settings: Settings) -> Service:
        """The service that settings describe; nothing is opened yet."""
        database = Database(settings.database_url)
        return Service(settings, database, Store(settings.store), Queue(database, settings))

    def close(self) -> None:
        """Give back what it holds."""
        self.queue.close()
        self.database.close()
