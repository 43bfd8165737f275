"""The leaderboard in a browser and over HTTP: pages without need of JavaScript, and the API that shows the same.

Every module of ``pages`` and ``api`` has a ``router``, and what it shows comes from ``views`` and the service's modules.
"""
