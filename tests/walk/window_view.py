"""What the window shows, as the walk reads it: asks the inspected process, and finds in its answer what to click."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from confere.system.messages import t
from tests.end_to_end.screen import wait_until

ARROW = "▾"  # after the text of a button that has a menu beside what it does: that part of it
_PATIENCE = 60.0  # seconds


class NotThere(AssertionError):
    """Nothing on the screen answers to what was looked for."""


@dataclass(frozen=True, slots=True)
class Target:
    """A widget, or a part of one, with its place on the screen in pixels: left, top, width, height."""

    text: str
    owner: int  # the widget's number
    window: int
    rect: tuple[int, int, int, int]
    seen: tuple[int, int, int, int]
    enabled: bool
    row: int = -1
    column: int = -1
    selected: bool = False
    current: bool = False

    @property
    def middle(self) -> tuple[int, int]:
        return self.rect[0] + self.rect[2] // 2, self.rect[1] + self.rect[3] // 2


class View:
    """One answer of the inspected process. Texts to look for are the program's English ones; they are translated."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts
        self.widgets: list[dict[str, Any]] = facts["widgets"]
        self.windows: list[dict[str, Any]] = facts["windows"]

    @cached_property
    def _by_number(self) -> dict[int, dict[str, Any]]:
        return {widget["id"]: widget for widget in self.widgets}

    @property
    def title(self) -> str:
        """Of the active window; empty where none is."""
        return str(self.window(self.facts["active"])["title"]) if self.facts["active"] else ""

    @property
    def focus(self) -> dict[str, Any]:
        """The widget that has the keyboard, or nothing."""
        return self._by_number.get(self.facts["focus"], {})

    @property
    def is_at_rest(self) -> bool:
        return not self.facts["reads"]

    def window(self, number: int) -> dict[str, Any]:
        return next((window for window in self.windows if window["id"] == number), {"title": "", "rect": [0, 0, 0, 0]})

    def has_window(self, title: str) -> bool:
        """Whether a window of this English title is open."""
        return bool(self.titled(title))

    def titled(self, title: str) -> list[dict[str, Any]]:
        """The windows of this English title."""
        return [window for window in self.windows if _says(title, window["title"])]

    def matching(self, text: str, kind: str = "") -> Iterator[Target]:
        """Widgets, entries of menus, tabs, cells and column heads of this English text or name, in front first."""
        front = self.facts["popup"] or self.facts["active"]
        ordered = sorted(self.widgets, key=lambda widget: widget["window"] != front)
        for widget in ordered:
            if kind and kind not in (widget["class"], *widget["kinds"]):
                continue
            if any(_says(text, widget[field]) for field in ("text", "name", "tip", "object")):
                yield _target(widget, widget, widget["text"] or widget["name"])
            for part in widget["parts"]:
                if _says(text, part["text"]):
                    yield _target(widget, part, part["text"])

    def find(self, text: str, kind: str = "") -> Target:
        """The first of them that can be seen and used. Raises `NotThere`."""
        found = list(self.matching(text, kind))
        for target in found:
            if target.enabled and target.seen[2] > 0:
                return target
        raise NotThere(f"{text!r} {kind} is not on the screen ({len(found)} hidden or disabled)")

    def has(self, text: str, kind: str = "") -> bool:
        """Whether something of this text can be seen."""
        return any(target.seen[2] > 0 for target in self.matching(text, kind))

    def of_class(self, name: str) -> list[dict[str, Any]]:
        """Every visible widget of this class of the program."""
        return [widget for widget in self.widgets if widget["class"] == name]

    def cells(self, view: str, column: int | None = None) -> list[Target]:
        """The cells in sight of the lists of this class, accessible name or object name."""
        return [
            _target(widget, part, part["text"])
            for widget in self.widgets
            if view in (widget["class"], widget["object"]) or _says(view, widget["name"])
            for part in widget["parts"]
            if "row" in part and (column is None or part["column"] == column) and part["seen"][3] > 0
        ]

    def texts(self, name: str) -> list[str]:
        """The texts of all widgets of this class."""
        return [widget["text"] for widget in self.of_class(name)]

    def is_in(self, target: Target, widget: dict[str, Any]) -> bool:
        """Whether the target is a part of this widget, or of one in it."""
        at = self._by_number.get(target.owner)
        while at is not None and at["id"] != widget["id"]:
            at = self._by_number.get(at["parent"])
        return at is not None

    def is_under_mouse(self, target: Target) -> bool:
        return target.owner in self.facts["under_mouse"]


class Eyes:
    """Looks at the inspected process, through its socket."""

    def __init__(self, path: Path) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(_PATIENCE)
        wait_until(lambda: self._line.connect_ex(str(path)) == 0, "the inspected process")
        self._file = self._line.makefile("rwb")

    def look(self) -> View:
        """What is on the screen now."""
        self._file.write(b"look\n")
        self._file.flush()
        answer = self._file.readline()
        if not answer:
            raise NotThere("the window's process has ended")
        return View(json.loads(answer))

    def close(self) -> None:
        self._file.close()
        self._line.close()


def _says(wanted: str, shown: str) -> bool:
    """Whether the shown text is the translation of the wanted one; `{fields}` of it stand for anything."""
    if not shown:
        return False
    shown = shown.replace("&", "").strip().removesuffix("…")
    if wanted == shown:
        return True
    if wanted.endswith(f" {ARROW}") and shown.endswith(f" {ARROW}"):
        wanted, shown = wanted.removesuffix(f" {ARROW}"), shown.removesuffix(f" {ARROW}")
    pattern = re.escape(t(wanted).removesuffix("…")).replace(r"\{", "{").replace(r"\}", "}")
    return re.fullmatch(re.sub(r"\{\w+\}", ".*", pattern), shown, re.DOTALL) is not None


def _target(widget: dict[str, Any], part: dict[str, Any], text: str) -> Target:
    return Target(
        text,
        widget["id"],
        widget["window"],
        tuple(part["rect"]),
        tuple(part["seen"]),
        widget["enabled"] and part["enabled"],
        part.get("row", -1),
        part.get("column", -1),
        part.get("selected", False),
        part.get("current", False),
    )
