"""How a part of the window has something done beside it: asked for, or written, each room under its own topics."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QObject

T = TypeVar("T")


class When(Enum):
    """When a question begins."""

    NOW = auto()
    PAINTED = auto()
    """Once what was changed until now is painted: two threads of Python hinder each other."""
    LATER = auto()
    """Once nothing else is being asked: for what a window shows beside the rows that it opens with."""


class Question(NamedTuple):
    """`work` runs beside the window, `then` takes its answer here; without `failed` its error goes to who asks."""

    work: Callable[[], Any]
    then: Callable[[Any], None]
    failed: Callable[[Exception], None] | None = None


class Questions:
    """The two ways to ask; who takes them says where they go."""

    def ask(
        self,
        topic: str,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        *,
        when: When = When.NOW,
    ) -> None:
        """Run `work` beside the window and `then` with its answer here, unless the topic was asked again meanwhile."""
        self.put(topic, Question(work, then, failed), when)

    def write(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Run `work`, which writes, after what was to be written before; `then` with its answer here."""
        self.put_write(Question(work, then, failed))

    def put(self, topic: str, question: Question, when: When) -> None:
        """Take a question."""
        raise NotImplementedError

    def put_write(self, question: Question) -> None:
        """Take what is to be written."""
        raise NotImplementedError

    def forget(self, topic: str) -> None:
        """The answer is of no use any more."""
        raise NotImplementedError


class TopicReader(Questions):
    """Asks the reader on behalf of `owner`. Callbacks are methods of it, or `partial`s of them.

    The reader then drops what comes after the owner's end: a window is built anew when the language changes.
    """

    def __init__(self, owner: QObject, reader: Questions, room: str, failed: Callable[[Exception], None]) -> None:
        """`room` begins every topic; `failed` takes the errors."""
        self._reader = reader
        self._failed = failed
        # Of each owner's own: the one that goes must not drop the questions of the one that comes.
        self._topics = f"{room}.{id(owner)}"

    def put(self, topic: str, question: Question, when: When) -> None:
        self._reader.put(f"{self._topics}.{topic}", self._owned(question), when)

    def put_write(self, question: Question) -> None:
        self._reader.put_write(self._owned(question))

    def forget(self, topic: str) -> None:
        self._reader.forget(f"{self._topics}.{topic}")

    def _owned(self, question: Question) -> Question:
        return question._replace(failed=question.failed or self._failed)
