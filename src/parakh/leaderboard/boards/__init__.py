"""Boards: which submission stands for a team, in which rank, and which systems are not told apart.

    submissions + scores in force -> entries -> representatives -> Results from the store -> ranks and letters -> BoardRow

``making`` writes a board, ``reading`` reduces it to what a viewer may see.
"""

from parakh.leaderboard.boards.board import Board, Cell, Place, Row
from parakh.leaderboard.boards.making import refresh
from parakh.leaderboard.boards.reading import Point, history, load

__all__ = ["Board", "Cell", "Place", "Point", "Row", "history", "load", "refresh"]
