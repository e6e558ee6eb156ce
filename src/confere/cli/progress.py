"""Shows a job's progress on a terminal: what, how many, how long still."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn
from rich.progress import Progress as Display
from rich.text import Text

from confere.cli import prose
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain
from confere.system.progress import Progress


class Bars:
    """A `Reporter` that draws one bar for each step of the job; nothing is drawn before the first word."""

    def __init__(self, console: Console) -> None:
        self._display = Display(
            SpinnerColumn(finished_text=" "),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            _Done(),
            _Time(),
            console=console,
            transient=True,
            refresh_per_second=8,
        )
        self._lock = threading.Lock()
        self._tasks: dict[str, TaskID] = {}
        self._shown = False

    def progress(self, progress: Progress) -> None:
        what = plain(render(progress.what))
        with self._lock:
            self._show()
            task = self._tasks.get(what)
            if task is None:
                task = self._tasks[what] = self._display.add_task(what, total=progress.total, seconds=None, spent=0.0)
            self._display.update(
                task,
                completed=progress.done,
                total=progress.total,
                seconds=progress.remaining,
                spent=progress.elapsed,
            )

    def note(self, note: Message) -> None:
        with self._lock:
            self._show()
            console = self._display.console
            console.print(prose.wrapped(plain(render(note)), console.width), soft_wrap=True)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bars away while somebody is asked something."""
        with self._lock:
            if self._shown:
                self._display.stop()
                self._shown = False
        yield

    def close(self) -> None:
        with self._lock:
            if self._shown:
                self._display.stop()
                self._shown = False

    def _show(self) -> None:
        if not self._shown:
            self._display.start()
            self._shown = True


class _Done(ProgressColumn):
    """1.200 of 2.000, or 1.200 while nobody knows how many there are."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(formatting.count(int(task.completed)))
        # Pages of a list overlap a little, so that more may be counted than there are.
        done = min(int(task.completed), int(task.total))
        return Text(t("{done} of {total}", done=formatting.count(done), total=formatting.count(int(task.total))))


class _Time(ProgressColumn):
    """How long still; how long so far while that cannot be told."""

    def render(self, task: Task) -> Text:
        seconds = task.fields.get("seconds")
        if seconds is None:
            return Text(formatting.duration(task.fields.get("spent", 0.0)), style="dim")
        if seconds == 0:
            return Text("")
        return Text(t("{time} left", time=formatting.duration(seconds)), style="dim")
