"""Tasks of the page Reconcile: decide ten findings of different kinds, link by hand, undo it, explain many at once."""

from __future__ import annotations

from typing import Any

from confere.system.messages import t
from tests.walk.hand import Hand
from tests.walk.stage import Stage
from tests.walk.window_view import NotThere, Target, View

KINDS = 10
LIST, GROUPS = "FindingTable", "GroupList"
_KEY_OF = {"explain": "e", "ignore": "i", "note": "n"}
_DECISIONS = tuple(_KEY_OF)
_TITLE_OF = {"explain": "Explain", "ignore": "Ignore", "note": "Note"}
_TO_TOP = 20  # clicks of the wheel
_TURNS = 12  # of the wheel until a group has to be in sight


def decide_ten_by_mouse(hand: Hand, stage: Stage) -> None:
    """The first finding of ten kinds: explained, ignored or noted, each with a reason of its own."""
    kinds = open_kinds(stage, KINDS)
    hand.click("Reconcile", "QToolButton")
    hand.click("Month: {month}", "QToolButton")
    hand.click("All months", "QMenu")
    hand.until(lambda view: view.cells(LIST), "the findings")
    for number, kind in enumerate(kinds):
        decision = _DECISIONS[number % len(_DECISIONS)]
        _choose_group(hand, kind["title"])
        hand.click(lambda view: view.cells(LIST, 1)[0])
        hand.at_rest()
        if decision == "note":
            hand.click("More", "QToolButton")
            hand.click("Note…", "QMenu")
        else:
            hand.click("Explain…" if decision == "explain" else "Ignore…", "QToolButton")
        hand.window(_TITLE_OF[decision])
        hand.type(f"walk {kind['rule']}")
        hand.click("Keep" if decision == "note" else _TITLE_OF[decision], "QPushButton")
        hand.main_window()
        hand.at_rest()
    _see_decided(stage, kinds, "walk")


def decide_ten_by_keys(hand: Hand, stage: Stage) -> None:
    """From kind to kind by keys: the list of kinds, its first finding, a letter, a reason, Ctrl+Enter."""
    kinds = open_kinds(stage, KINDS)
    hand.chord("ctrl+5")
    hand.until(lambda view: view.facts["place"] == "RECONCILE", "the page")
    hand.chord("ctrl+k")
    hand.until(lambda view: view.of_class("PaletteDialog"), "the palette of commands")
    hand.type(t("Every month"))
    hand.chord("Return")
    hand.main_window()
    hand.at_rest()
    for number, kind in enumerate(kinds):
        decision = _DECISIONS[number % len(_DECISIONS)]
        _walk_to_group(hand, kind["title"])
        hand.chord("Return")
        hand.until(lambda view: view.focus.get("class") == LIST, "the keyboard in the list of findings")
        hand.at_rest()
        hand.chord(_KEY_OF[decision])
        hand.window(_TITLE_OF[decision])
        if decision == "note":  # there may be one from before
            hand.chord("ctrl+a")
        hand.type(f"keys {kind['rule']}")
        hand.chord("ctrl+Return")
        hand.main_window()
        hand.at_rest()
        hand.until(lambda view: view.focus.get("class") == LIST, "the keyboard in the list again")
    _see_decided(stage, kinds, "keys")


def open_kinds(stage: Stage, most: int) -> list[dict[str, Any]]:
    """The kinds with open findings, those with most of them first, as the command line knows them."""
    groups = stage.told("findings", "list", "--all")["groups"]
    kinds = sorted((group for group in groups if group["open"]), key=lambda group: -group["open"])
    waiting = [group for group in groups if not group["open"] and group["not_checked"]]
    chosen = (kinds + waiting)[:most]
    assert len(chosen) == most, [group["rule"] for group in groups]
    return chosen


def link_by_hand(hand: Hand, stage: Stage) -> None:
    """An order that has no note gets one that is offered."""
    (kind,) = (group for group in stage.told("findings", "list", "--rule", "R1", "--all")["groups"])
    _choose_group(hand, kind["title"])
    hand.click(lambda view: view.cells(LIST, 1)[0])
    hand.at_rest()
    before = _by_hand(stage)
    hand.click("Link…", "QToolButton")
    hand.window("Link")
    hand.click(lambda view: view.cells("reconcile/link_papers", 0)[0])
    hand.click("Link", "QPushButton")
    hand.main_window()
    hand.until(lambda _: len(_by_hand(stage)) == len(before) + 1, "a link by hand in the archive")
    stage.notes["linked"] = _by_hand(stage) - before


def undo_link(hand: Hand, stage: Stage) -> None:
    linked = stage.notes["linked"]
    hand.click("Undo", "QPushButton")
    hand.until(lambda _: not linked & _by_hand(stage), "no such link in the archive any more")


def explain_many(hand: Hand, stage: Stage) -> None:
    """All open findings of the kind with most of them, in the same words."""
    (kind,) = open_kinds(stage, 1)
    _choose_group(hand, kind["title"])
    hand.click(lambda view: view.cells(LIST, 1)[0])
    hand.chord("ctrl+a")
    hand.until(lambda view: all(cell.selected for cell in view.cells(LIST, 1)), "every row selected")
    hand.at_rest()
    hand.click("Explain…", "QToolButton")
    hand.window("Explain")
    hand.type("all of them agreed")
    hand.click("Explain", "QPushButton")
    hand.main_window()
    hand.until(lambda _: _explained(stage, kind["rule"], "all of them agreed") >= kind["open"], "all of them explained")


def _choose_group(hand: Hand, title: str) -> None:
    """Click the group of this title; the wheel brings it into sight where it is not."""

    def group(view: View) -> Target:
        for cell in view.cells(GROUPS):
            if cell.text == t(title) and cell.rect[3] >= cell.seen[3] > 0 and _is_whole(cell, view):
                return cell
        raise NotThere(title)

    for turn in range(_TURNS):
        view = hand.at_rest()
        try:
            group(view)
            break
        except NotThere:
            hand.wheel(_middle_group, 3 if turn else -_TO_TOP)
    hand.click(group)
    hand.until(lambda view: group(view).selected, f"the group {title!r} chosen")
    hand.until(lambda view: view.cells(LIST), "its findings")
    hand.at_rest()


def _middle_group(view: View) -> Target:
    """A cell in the middle of the list of kinds."""
    cells = view.cells(GROUPS)
    return cells[len(cells) // 2]


def _is_whole(cell: Target, view: View) -> bool:
    """Whether the list shows all of the cell: parts of a list are cut to what is in sight."""
    usual = max(other.rect[3] for other in view.cells(GROUPS))
    return cell.rect[3] == usual


def _walk_to_group(hand: Hand, title: str) -> None:
    """Stand on the group by its first letters, as in any list, else arrow by arrow."""
    if hand.look().focus.get("class") != GROUPS:
        _tab_to_groups(hand)
    hand.chord("Home")
    hand.until(lambda view: _current_group(view).row <= 1, "the first group")
    for _ in range(60):
        before = _current_group(hand.at_rest())
        if before.text == t(title):
            return
        hand.chord("Down")
        hand.until(lambda view, row=before.row: _current_group(view).row > row, "the next group")
    raise AssertionError(f"the group {title!r} cannot be walked to")


def _current_group(view: View) -> Target:
    return next(cell for cell in view.cells(GROUPS) if cell.current)


def _tab_to_groups(hand: Hand) -> None:
    for _ in range(40):
        hand.chord("shift+Tab")
        if hand.look().focus.get("class") == GROUPS:
            return
    raise AssertionError("Tab does not come to the list of kinds")


def _see_decided(stage: Stage, kinds: list[dict[str, Any]], word: str) -> None:
    """Ask the archive what became of each."""
    found = {row["note"]: row for row in stage.told("findings", "list", "--all")["findings"] if row["note"]}
    states = {"explain": "explained", "ignore": "ignored", "note": None}
    for number, kind in enumerate(kinds):
        decision = _DECISIONS[number % len(_DECISIONS)]
        row = found.get(f"{word} {kind['rule']}")
        assert row is not None, f"{kind['rule']}: nothing is written, but {sorted(found)}"
        assert row["rule"] == kind["rule"]
        assert states[decision] in (None, row["state"]), row


def _by_hand(stage: Stage) -> set[tuple[str, str]]:
    return {(link["order"], link["key"]) for link in stage.told("links", "list")["links"] if link["manual"]}


def _explained(stage: Stage, rule: str, note: str) -> int:
    rows = stage.told("findings", "list", "--rule", rule, "--state", "explained", "--all")["findings"]
    return sum(row["note"] == note for row in rows)
