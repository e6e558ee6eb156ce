"""What a command works with: its data folder, its output, who listens to its progress and how it is stopped."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from confere.cli.options.global_options import Given
from confere.cli.output import Mode, Output, is_terminal
from confere.errors import Message
from confere.system.messages import render, t
from confere.system.paths import Home, find_home
from confere.system.processes.cancellation import Stop, stop_on_signals
from confere.system.progress import Reporter, Silent

if TYPE_CHECKING:
    from confere.app.context import Workspace
    from confere.cli.progress import Bars

_YES = ("y", "yes", "s", "sim", "sí", "si")


class Face:
    """One call of one command."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.stop = Stop()
        self.out = Output(Mode.LINES if given.progress_json else Mode.JSON if given.json else Mode.PEOPLE)
        self._bars: Bars | None = None

    @cached_property
    def home(self) -> Home:
        return find_home(self.given.home)

    @cached_property
    def workspace(self) -> Workspace:
        """The data folder in use; the rooms behind it are loaded only now."""
        from confere.app.context import Workspace

        return Workspace.at(self.home.root)

    @property
    def hides_people(self) -> bool:
        """Whether lists for people name no natural person; what programs and `show` are given is whole."""
        from confere.system.settings import HIDE_PEOPLE

        return self.workspace.settings.get(HIDE_PEOPLE)

    @contextmanager
    def job(self) -> Iterator[Reporter]:
        """Run long work: its progress is shown, and the first Ctrl+C asks it to stop at a safe place."""
        with stop_on_signals(self.stop):
            try:
                yield self._reporter()
            finally:
                if self._bars is not None:
                    self._bars.close()

    @property
    def interactive(self) -> bool:
        """Whether somebody is there to answer a question."""
        alone = self.given.exit_with_stdin or not self.out.for_people
        return not alone and is_terminal(sys.stdin) and is_terminal(sys.stderr)

    @property
    def prompt(self) -> Callable[[Message], str] | None:
        """Asks for a token without showing it; None where nobody can answer."""
        return self.ask_hidden if self.interactive else None

    def ask_hidden(self, what: Message) -> str:
        with self._bars.aside() if self._bars is not None else nullcontext():
            try:
                return getpass.getpass(f"{render(what)}: ", stream=sys.stderr)
            except EOFError:
                return ""

    def confirm(self, question: Message) -> bool:
        """Ask for a yes, in any of our languages; anything else is a no."""
        sys.stderr.write(self.out.asked(f"{render(question)} {t('[y/N]')} "))
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in _YES

    def _reporter(self) -> Reporter:
        if self.out.mode is Mode.LINES:
            return self.out.lines
        if not self.out.for_people or not is_terminal(sys.stderr):
            return Silent()
        from confere.cli.progress import Bars

        self._bars = Bars(self.out.error_console)
        return self._bars
