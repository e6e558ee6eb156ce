"""Questions of one room: their topics are its own, and so is what becomes of their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject

from confere.desktop.core.background_reader import BackgroundReader

T = TypeVar("T")


class TopicReader:
    """Asks the reader on behalf of `owner`. Callbacks are methods of it, or `partial`s of them.

    The reader then drops what comes after the owner's end: a window is built anew when the language changes.
    """

    def __init__(
        self, owner: QObject, reader: BackgroundReader, room: str, failed: Callable[[Exception], None]
    ) -> None:
        """`room` begins every topic; `failed` takes the errors."""
        self._reader = reader
        self._failed = failed
        # Of each owner's own: the one that goes must not drop the questions of the one that comes.
        self._topics = f"{room}.{id(owner)}"

    def ask(
        self,
        topic: str,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        *,
        after_painting: bool = False,
    ) -> None:
        """As `BackgroundReader.ask`."""
        self._reader.ask(f"{self._topics}.{topic}", work, then, failed or self._failed, after_painting=after_painting)

    def write(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """As `BackgroundReader.write`."""
        self._reader.write(work, then, failed or self._failed)

    def forget(self, topic: str) -> None:
        """The answer is of no use any more."""
        self._reader.forget(f"{self._topics}.{topic}")
