"""The leaderboard: blind evaluation as a service, on one machine or several.

    challenge.toml + references -> challenge        uploaded file -> archive -> validation -> scoring (a child process) -> Results
                                                                                                   |
    people, teams, submissions, scores: database; files: store                                    boards -> pages, API, exports

What a viewer may see is decided in ``visibility`` alone; what a submission has to be, in ``validation`` alone.
"""
