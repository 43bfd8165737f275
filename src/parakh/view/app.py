"""The terminal application: a table of recordings, and a screen for one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from parakh.errors import counted
from parakh.view.content import Board, Shown, about, recording, safe, wrapped


class Recordings(Screen[None]):
    """The recordings of a system, worst first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", priority=True),
        Binding("m", "metric", "metric"),
        Binding("r", "turn", "reverse"),
        Binding("slash", "filter", "filter"),
        Binding("s", "system", "system"),
        Binding("i", "about", "info"),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(self, boards: Sequence[Board]) -> None:
        super().__init__()
        self.boards, self.place = list(boards), 0

    @property
    def board(self) -> Board:
        """The system that is shown."""
        return self.boards[self.place]

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Input(placeholder="part of an id, a language ...", id="filter")
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Input).display = False
        self.show(self.board)
        self.query_one(DataTable).focus()

    def show(self, board: Board) -> None:
        """Show a board in the place of the present one."""
        self.boards[self.place] = board
        names, table = board.ids(), self.query_one(DataTable)
        table.clear(columns=True)
        table.add_columns(*board.headings())
        for name in names:
            table.add_row(*board.row(name), key=name)
        order = "best" if board.reverse else "worst"
        wanted = f", with {safe(board.wanted)!r}" if board.wanted else ""
        more = f" ({self.place + 1} of {len(self.boards)} systems)" if len(self.boards) > 1 else ""
        title = f"{safe(board.system)}{more}: {counted(len(names), 'recording')}{wanted}, {order} {board.metric[1]} first"
        self.query_one("#title", Static).update(title)

    def action_metric(self) -> None:
        self.show(self.board.next_metric())

    def action_turn(self) -> None:
        self.show(replace(self.board, reverse=not self.board.reverse))

    def action_system(self) -> None:
        self.place = (self.place + 1) % len(self.boards)
        self.show(self.board)

    def action_filter(self) -> None:
        field = self.query_one(Input)
        field.display = True
        field.focus()

    def action_about(self) -> None:
        self.app.push_screen(About(self.board))

    def action_open(self) -> None:
        """Open the recording under the cursor; in the filter, go back to the table."""
        table = self.query_one(DataTable)
        if self.query_one(Input).has_focus:
            self.query_one(Input).display = bool(self.board.wanted)
            table.focus()
        elif table.row_count:
            self.app.push_screen(One(self.board, self.board.ids(), table.cursor_row))

    def on_input_changed(self, event: Input.Changed) -> None:
        self.show(replace(self.board, wanted=event.value))


class One(Screen[None]):
    """One recording: a line a turn, with the words that are not right in colour."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "error(1)", "next error"),
        Binding("p", "error(-1)", "previous"),
        Binding("g", "grave", "next grave"),
        Binding("right_square_bracket", "recording(1)", "next recording", key_display="]"),
        Binding("left_square_bracket", "recording(-1)", "previous", key_display="["),
        Binding("escape,q", "app.pop_screen", "back", key_display="esc"),
    ]

    def __init__(self, board: Board, ids: Sequence[str], place: int) -> None:
        super().__init__()
        self.board, self.ids, self.place = board, ids, place
        self.lines: list[Shown] = []

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield OptionList(markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.show()
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        self.show()

    def show(self) -> None:
        """Show the recording; its lanes are as wide as the terminal."""
        name, listed = self.ids[self.place], self.query_one(OptionList)
        self.lines = recording(self.board, name, self.app.size.width - 6)
        kept = listed.highlighted
        listed.clear_options()
        listed.add_options([Option(wrapped(line.text, self.app.size.width - 2)) for line in self.lines])
        listed.highlighted = min(kept or 0, len(self.lines) - 1) if self.lines else None
        wrong = sum(line.wrong for line in self.lines)
        title = f"{safe(name)} ({self.place + 1} of {len(self.ids)}), {counted(wrong, 'line')} with errors"
        self.query_one("#title", Static).update(title)

    def action_error(self, way: int) -> None:
        """Go to the next line with an error, or the one before."""
        self.go(way, [place for place, line in enumerate(self.lines) if line.wrong])

    def action_grave(self) -> None:
        """Go to the next line with an error on a number, a medical word or a denial."""
        self.go(1, [place for place, line in enumerate(self.lines) if line.grave])

    def go(self, way: int, places: Sequence[int]) -> None:
        """Go to the nearest of these lines in a direction; ring where there is none."""
        listed = self.query_one(OptionList)
        at = -1 if listed.highlighted is None else listed.highlighted
        ahead = [place for place in places[::way] if (place - at) * way > 0]
        if ahead:
            listed.highlighted = ahead[0]
        else:
            self.app.bell()

    def action_recording(self, way: int) -> None:
        """Go to the next recording of the table, or the one before."""
        self.place = (self.place + way) % len(self.ids)
        self.query_one(OptionList).highlighted = None
        self.show()


class About(Screen[None]):
    """A system as a whole: metrics, signatures, findings."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,i", "app.pop_screen", "back", key_display="esc")]

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def compose(self) -> ComposeResult:
        yield Static(safe(self.board.system), id="title", markup=False)
        yield OptionList(*(Option(wrapped(line, self.app.size.width - 2)) for line in about(self.board)), markup=False)
        yield Footer()


class View(App[None]):
    """Results in a terminal."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; background: $panel; color: $text; text-style: bold; }
    OptionList { border: none; padding: 0; height: 1fr; scrollbar-size-vertical: 0; }
    DataTable { height: 1fr; }
    #filter { height: 1; border: none; }
    """

    def __init__(self, boards: Sequence[Board], opened: str | None = None) -> None:
        super().__init__()
        self.boards, self.opened = boards, opened

    def on_mount(self) -> None:
        first = Recordings(self.boards)
        self.push_screen(first)
        if self.opened is not None:
            ids = first.board.ids()
            self.push_screen(One(first.board, ids, ids.index(self.opened)))
