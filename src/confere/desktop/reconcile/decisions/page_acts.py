"""What each command of the page Reconcile does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from confere.desktop.reconcile.comparison.comparison_panel import ComparisonPanel
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.decisions.decision_dialogs import Deciders
from confere.desktop.reconcile.decisions.decision_writer import DecisionWriter
from confere.desktop.reconcile.decisions.reviewers import Reviewers
from confere.desktop.reconcile.findings_table import FindingList
from confere.desktop.reconcile.page_state import PageState
from confere.desktop.reconcile.tables.near_miss_pages import SuggestionsPage


class ActingPage(Protocol):
    """What of the page the commands need."""

    deciders: Deciders
    reviewers: Reviewers
    writer: DecisionWriter
    findings: FindingList
    beside: ComparisonPanel
    suggestions: SuggestionsPage
    standing: PageState

    @property
    def account(self) -> str | None:
        """The account in use."""

    def write_shown(self) -> None:
        """Send the invoice data of the orders that are shown."""

    def open_paper(self) -> None:
        """Open the document that is shown."""


def acts_of(page: ActingPage) -> dict[Command, Callable[[], None]]:
    """Each command with what it does on the page."""
    deciders = page.deciders
    return {
        Command.NEXT: lambda: page.findings.step(1),
        Command.PREVIOUS: lambda: page.findings.step(-1),
        Command.EXPLAIN: lambda: deciders.explain(page.findings.selected),
        Command.IGNORE: lambda: deciders.ignore(page.findings.selected),
        Command.NOTE: lambda: deciders.note(page.findings.selected),
        Command.REOPEN: lambda: deciders.reopen(page.findings.selected),
        Command.ASSIGN: lambda: page.reviewers.assign(page.findings.selected),
        Command.SIGN: lambda: page.reviewers.sign(page.standing),
        Command.LINK: lambda: deciders.ask_link(page.account, page.beside.side),
        Command.UNLINK: lambda: page.beside.choose_link(Command.UNLINK),
        Command.CONFIRM: lambda: deciders.confirm(page.account, page.beside.pairs()),
        Command.SPLIT: lambda: deciders.ask_split(page.account, page.beside.side),
        Command.MERGE: lambda: deciders.ask_merge(page.account, page.beside.side),
        Command.WRITE: page.write_shown,
        Command.OPEN: page.open_paper,
        Command.ACCEPT: page.suggestions.accept,
        Command.UNDO: page.writer.undo,
        Command.REDO: page.writer.redo,
    }
