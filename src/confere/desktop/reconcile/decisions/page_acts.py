"""What each command of the page Reconcile does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from confere.desktop.reconcile.comparison.comparison_panel import ComparisonPanel
from confere.desktop.reconcile.decisions.decision_commands import Deed
from confere.desktop.reconcile.decisions.decision_dialogs import Deciders
from confere.desktop.reconcile.decisions.decision_writer import Deeds
from confere.desktop.reconcile.decisions.reviewers import Reviewers
from confere.desktop.reconcile.findings_table import FindingList
from confere.desktop.reconcile.page_state import PageState
from confere.desktop.reconcile.tables.near_miss_pages import SuggestionsPage


class ActingPage(Protocol):
    """What of the page the commands need."""

    deciders: Deciders
    reviewers: Reviewers
    deeds: Deeds
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


def acts_of(page: ActingPage) -> dict[Deed, Callable[[], None]]:
    """Each command with what it does on the page."""
    deciders = page.deciders
    return {
        Deed.NEXT: lambda: page.findings.step(1),
        Deed.PREVIOUS: lambda: page.findings.step(-1),
        Deed.EXPLAIN: lambda: deciders.explain(page.findings.selected),
        Deed.IGNORE: lambda: deciders.ignore(page.findings.selected),
        Deed.NOTE: lambda: deciders.note(page.findings.selected),
        Deed.REOPEN: lambda: deciders.reopen(page.findings.selected),
        Deed.ASSIGN: lambda: page.reviewers.assign(page.findings.selected),
        Deed.SIGN: lambda: page.reviewers.sign(page.standing),
        Deed.LINK: lambda: deciders.ask_link(page.account, page.beside.side),
        Deed.UNLINK: lambda: page.beside.choose_link(Deed.UNLINK),
        Deed.CONFIRM: lambda: deciders.confirm(page.account, page.beside.pairs()),
        Deed.SPLIT: lambda: deciders.ask_split(page.account, page.beside.side),
        Deed.MERGE: lambda: deciders.ask_merge(page.account, page.beside.side),
        Deed.WRITE: page.write_shown,
        Deed.OPEN: page.open_paper,
        Deed.ACCEPT: page.suggestions.accept,
        Deed.UNDO: page.deeds.undo,
        Deed.REDO: page.deeds.redo,
    }
