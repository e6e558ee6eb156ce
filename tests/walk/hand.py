"""An accountant's hand: clicks, keys, texts and wheel as real events, counted as steps; each target looked at first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.end_to_end.screen import Screen
from tests.walk.window_view import Eyes, NotThere, Target, View

PATIENCE = 30.0  # seconds; a bound for machines under load
_PAUSE = 0.1

Finder = Callable[[View], Target]


class Hand:
    """`steps` counts since the task began; `faults` are targets that were not wholly on the screen."""

    def __init__(self, screen: Screen, eyes: Eyes, size: tuple[int, int]) -> None:
        self._screen, self._eyes, self._size = screen, eyes, size
        self.steps = 0
        self.faults: list[str] = []
        self._may_use_mouse = True

    @contextmanager
    def without_mouse(self) -> Iterator[None]:
        """Within the block a click is an error."""
        self._may_use_mouse = False
        try:
            yield
        finally:
            self._may_use_mouse = True

    # -- looking

    def look(self) -> View:
        return self._eyes.look()

    def until(self, condition: Callable[[View], object], what: str, patience: float = PATIENCE) -> View:
        """Look again and again until it holds."""
        end = time.monotonic() + patience
        while True:
            view = self.look()
            try:
                if condition(view):
                    return view
            except (NotThere, StopIteration, IndexError):
                pass  # what is looked for is not there yet
            if time.monotonic() > end:
                raise AssertionError(f"never happened: {what}; in front: {view.title!r}, messages: {_messages(view)}")
            time.sleep(_PAUSE)

    def at_rest(self) -> View:
        """Wait until nothing is being read, and nothing moves from one look to the next."""
        before: list[list[int]] = []

        def rests(view: View) -> bool:
            nonlocal before
            now = [widget["rect"] for widget in view.widgets]
            same, before = now == before, now
            return same and view.is_at_rest and bool(view.facts["active"])

        return self.until(rests, "the window at rest")

    def see(self, text: str, kind: str = "") -> Target:
        """Wait until this can be seen and used."""
        found: list[Target] = []

        def there(view: View) -> bool:
            found[:] = [view.find(text, kind)]
            return True

        try:
            self.until(there, f"{text!r} {kind} on the screen")
        except AssertionError as error:
            raise AssertionError(f"{error}; {_near(self.look(), text)}") from None
        return found[0]

    def window(self, title: str) -> View:
        """Wait until the window of this English title is in front."""
        return self.until(lambda view: view.has_window(title) and _is_front(view, title), f"the window {title!r}")

    def main_window(self) -> View:
        """Wait until no dialog is open and the main window has the keyboard."""
        return self.until(
            lambda view: (
                view.window(view.facts["active"]).get("class") == "MainWindow"
                and not view.facts["popup"]
                and not any(window["modal"] for window in view.windows)
            ),
            "the main window in front",
        )

    # -- acting: each is one step

    def click(self, what: str | Finder, kind: str = "", *, times: int = 1, held: tuple[str, ...] = ()) -> None:
        """Click it: an English text, or what the finder finds. `times` 2 is a double click, one step as well."""
        assert self._may_use_mouse, "the mouse is not to be used"
        self._aim(what, kind)
        self._screen.press(1, times, held)
        self.steps += 1

    def wheel(self, what: str | Finder, clicks: int, kind: str = "") -> None:
        """Turn the wheel over it, downwards where positive: one step."""
        assert self._may_use_mouse, "the mouse is not to be used"
        self._aim(what, kind, whole=False)
        self._screen.press(5 if clicks > 0 else 4, abs(clicks))
        self.steps += 1

    def chord(self, *keys: str) -> None:
        """Press one key with what is held, `ctrl+f`; each of several is a step."""
        for key in keys:
            self._ready()
            self._screen.keys(key)
            self.steps += 1

    def type(self, text: str) -> None:
        """Type a text: one step."""
        self._ready()
        self._screen.type(text)
        self.steps += 1

    def _ready(self) -> None:
        """Keys get lost while no window of the program has the keyboard."""
        self.until(lambda view: view.facts["active"] or view.facts["popup"], "a window with the keyboard")

    def _aim(self, what: str | Finder, kind: str, *, whole: bool = True) -> Target:
        """Move the mouse onto it; it has to be where it was when the hand arrives."""
        for _ in range(5):
            target = self._place_of(what, kind)
            self._screen.move(*target.middle)
            arrived: list[View] = []

            def there(view: View, target: Target = target, arrived: list[View] = arrived) -> bool:
                arrived[:] = [view]
                return view.is_under_mouse(target)

            try:
                self.until(there, f"{target.text!r} under the mouse", patience=3.0)
            except AssertionError:
                self._close_message(arrived[0])
                continue
            if self._place_of(what, kind).rect == target.rect:
                if whole:
                    self._judge(target, arrived[0])
                return target
        raise AssertionError(f"{target.text!r} at {target.rect} is covered by something else")

    def _close_message(self, view: View) -> None:
        """Close the message that lies over what is to be clicked, where one does: a step as well."""
        card = next((card for card in view.of_class("NoticeCard") if card["id"] in view.facts["under_mouse"]), None)
        if card is None:
            return
        closing = [found for found in view.matching("Close this message", "QToolButton") if view.is_in(found, card)]
        self._screen.move(*closing[0].middle)
        self._screen.press()
        self.steps += 1
        self.until(lambda later: card["id"] not in {found["id"] for found in later.widgets}, "the message closed")

    def _place_of(self, what: str | Finder, kind: str) -> Target:
        if isinstance(what, str):
            return self.see(what, kind)
        found: list[Target] = []
        self.until(lambda view: found.append(what(view)) or True, "what is to be clicked")
        return found[-1]

    def _judge(self, target: Target, view: View) -> None:
        """Wholly on the screen, wholly in its window, and nothing of it scrolled away."""
        window = tuple(view.window(target.window)["rect"])
        for name, room in (("the screen", (0, 0, *self._size)), ("its window", window), ("sight", target.seen)):
            if not _is_within(target.rect, room):
                self.faults.append(f"{target.text!r} at {target.rect} is not wholly in {name} {room}")


def _is_within(inner: tuple[int, ...], outer: tuple[int, ...]) -> bool:
    """One pixel is forgiven: places at 200 % are rounded."""
    left, top, width, height = inner
    return (
        left >= outer[0] - 1
        and top >= outer[1] - 1
        and left + width <= outer[0] + outer[2] + 1
        and top + height <= outer[1] + outer[3] + 1
    )


def _is_front(view: View, title: str) -> bool:
    return any(window["id"] == view.facts["active"] for window in view.titled(title))


def _messages(view: View) -> list[str]:
    return [str(text)[:120] for text in view.facts["messages"][-3:]]


def _near(view: View, text: str) -> str:
    """What the screen shows instead, for whoever mends."""
    words = sorted({widget["text"] for widget in view.widgets if widget["text"]} - {text})
    return f"shown: {words[:80]}"
