"""Tasks with documents: find one, read it, follow its freight, and list the cancelled ones of the month."""

from __future__ import annotations

import functools
import unicodedata

from confere.system.messages import t
from tests.walk.hand import Hand
from tests.walk.stage import Stage
from tests.walk.window_view import Target, View

MONTH = "2026-10"
LIST = "DocumentTable"
_CARRIED = (
    "SELECT note.number, note.series, note.access_key, freight.access_key, taxpayer.name, note.id FROM relation"
    " JOIN document AS note ON note.access_key = relation.target_key"
    " JOIN document AS freight ON freight.access_key = relation.source_key"
    " JOIN taxpayer ON taxpayer.id = note.recipient_id"
    " WHERE relation.kind = 'carries' AND note.type = 'nfe' AND note.issued_on LIKE ?"
    " GROUP BY note.id HAVING count(*) = 1 ORDER BY note.number"
)


def carried(stage: Stage) -> tuple[int, int, str, str, str, int]:
    """Number, series, key, the freight's key, recipient and id of a sale of the month with one freight."""
    rows = stage.rows(_CARRIED, f"{MONTH}%")
    assert rows, "no sale with a freight"
    number, series, key, freight, name, row = rows[0]
    return number, series, key, freight, name, row


def find_by_mouse(hand: Hand, stage: Stage) -> None:
    """By a word of the recipient's name and the number, as somebody asks on the telephone."""
    hand.click("Documents", "QToolButton")
    hand.click("Search", "SearchBox")
    _look_for(hand, stage)


def find_by_keys(hand: Hand, stage: Stage) -> None:
    hand.chord("ctrl+f")
    _look_for(hand, stage)


def _look_for(hand: Hand, stage: Stage) -> None:
    number, series, key, _, name, _ = carried(stage)
    hand.chord("ctrl+a")
    hand.type(f"{_plain(name.split()[0])} {number}")
    hand.chord("Return")
    hand.until(lambda view: view_selects(view, f"{series}/{number}"), "the row found, and selected")
    hand.until(functools.partial(shows_key, key), "its key in the details")


def _plain(word: str) -> str:
    """As it is typed in a hurry, without accents."""
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in letters if letter.isascii())


def read_by_mouse(hand: Hand, stage: Stage) -> None:
    """Details, items, over the whole window, and back to the list."""
    number, series, _, _, _, _ = carried(stage)
    hand.click(lambda view: _row(view, f"{series}/{number}"))
    hand.click("Items", "QTabBar")
    _see_items(hand, stage)
    hand.click(lambda view: _row(view, f"{series}/{number}"), times=2)
    hand.until(lambda view: not view.of_class(LIST), "the document over the whole window")
    hand.click("Back to the list (Esc)")
    _see_list_again(hand, f"{series}/{number}")


def read_by_keys(hand: Hand, stage: Stage) -> None:
    number, series, _, _, _, _ = carried(stage)
    hand.chord("alt+2")
    _see_items(hand, stage)
    hand.chord("ctrl+2")
    hand.until(lambda view: view.focus.get("class") == LIST, "the list with the keyboard")
    hand.chord("Return")
    hand.until(lambda view: not view.of_class(LIST), "the document over the whole window")
    hand.chord("Escape")
    _see_list_again(hand, f"{series}/{number}")
    assert hand.look().focus.get("class") == LIST, "the list has the keyboard again"


def _see_items(hand: Hand, stage: Stage) -> None:
    row = carried(stage)[-1]
    ((count,),) = stage.rows("SELECT count(*) FROM item WHERE document_id = ?", row)
    words = t("1 item") if count == 1 else t("{count} items", count=count)
    hand.until(lambda view: any(text.startswith(words) for text in view.texts("Label")), words)


def _see_list_again(hand: Hand, name: str) -> None:
    hand.until(lambda view: view_selects(view, name), "the list with its row selected")


def follow_freight(hand: Hand, stage: Stage) -> None:
    """From a note to its CT-e and back."""
    number, series, key, freight, _, _ = carried(stage)
    hand.click(lambda view: _row(view, f"{series}/{number}"))
    hand.click("Relations", "QTabBar")
    hand.click(lambda view: next(cell for cell in view.cells("RelationList") if cell.text.startswith("CT-e")), times=2)
    hand.until(functools.partial(shows_key, freight), "the freight's key")
    hand.click("Back to the document before", "QToolButton")
    hand.until(functools.partial(shows_key, key), "the note's key again")


def cancelled_by_mouse(hand: Hand, stage: Stage) -> None:
    """The cancelled ones of the month, by the chip of the state."""
    hand.click("Search", "SearchBox")
    hand.chord("ctrl+a", "BackSpace")
    hand.until(lambda view: len({cell.row for cell in view.cells(LIST)}) > 5, "the whole month")
    hand.click("State", "ChipButton")
    hand.click("cancelled", "QMenu")
    hand.chord("Escape")
    _see_cancelled(hand, stage)
    hand.click("Clear filters", "QPushButton")
    hand.until(lambda view: len({cell.row for cell in view.cells(LIST)}) > 5, "the whole month again")


def cancelled_by_keys(hand: Hand, stage: Stage) -> None:
    """The same as a search, which is typed."""
    hand.chord("ctrl+f", "ctrl+a")
    hand.type(f"situacao:cancelado mes:{MONTH}")
    hand.chord("Return")
    _see_cancelled(hand, stage)
    hand.chord("ctrl+f", "ctrl+a", "BackSpace", "Return")
    hand.until(lambda view: len({cell.row for cell in view.cells(LIST)}) > 5, "the whole month again")


def _see_cancelled(hand: Hand, stage: Stage) -> None:
    wanted = {
        f"{document['series']}/{document['number']}"
        for document in stage.told("list", "--month", MONTH, "--state", "cancelled")["documents"]
    }
    assert wanted, "nothing is cancelled in the month"
    hand.until(lambda view: {cell.text for cell in view.cells(LIST, 0)} == wanted, f"the list of {wanted}")


def shows_key(key: str, view: View) -> bool:
    """Whether the details are of the document with this access key."""
    return any(text.replace(" ", "").replace("\n", "") == key for text in view.texts("KeyGroups"))


def view_selects(view: View, name: str) -> bool:
    return any(cell.text == name and cell.selected for cell in view.cells(LIST, 0))


def _row(view: View, name: str) -> Target:
    return next(cell for cell in view.cells(LIST, 0) if cell.text == name)
