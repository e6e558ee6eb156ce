"""The card of reconciliation: open findings by rule with what is at stake, and how far the last run reaches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from confere.app.labels.labels import month_word
from confere.app.labels.reconciliation_labels import severity_word
from confere.app.overview.overview import AccountFindings
from confere.app.reconciliation.values import FindingGroup
from confere.desktop.jobs.job import JobKind
from confere.desktop.jobs.jobs import Jobs
from confere.desktop.theme.measures import GAP, ICON
from confere.desktop.theme.severity import SEVERITY_MARKS
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import Card, button, clear, focus_kept, label
from confere.desktop.widgets.elided_buttons import ElidedLink
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.system import formatting
from confere.system.messages import ngettext, render, t

_MOST: Final = 6  # rules of an account that are told one by one
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FindingsCard(Card):
    """`rule_wanted` has an account and a rule, empty for all; `run_wanted` the account to be reconciled."""

    rule_wanted = Signal(str, str)
    run_wanted = Signal(str)

    def __init__(self, look: Look, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(t("What does not agree"), parent)
        self._look, self._jobs = look, jobs
        self._shown: tuple[tuple[AccountFindings, ...], str | None] | None = None
        self._marks: list[tuple[QLabel, str, str]] = []  # with the drawing and the role of its colour
        self._runs: list[QPushButton] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(14)
        self.body.addLayout(self._rows)
        self.body.addStretch(1)
        look.changed.connect(self._paint)
        jobs.changed.connect(self._enable)

    def put(self, found: Sequence[AccountFindings], month: str | None) -> None:
        """Show how these accounts stand in this month (`YYYY-MM`), None for every one."""
        wanted = (tuple(found), month)
        self.setVisible(bool(found))
        if wanted == self._shown:
            return
        self._shown = wanted
        with focus_kept(self):
            self._fill(*wanted)
        self._paint()
        self._enable()

    def _fill(self, found: tuple[AccountFindings, ...], month: str | None) -> None:
        clear(self._rows)
        self._marks.clear()
        self._runs.clear()
        for account in found:
            self._rows.addLayout(self._account(account, month, named=len(found) > 1))

    def _account(self, account: AccountFindings, month: str | None, *, named: bool) -> QVBoxLayout:
        made = QVBoxLayout()
        made.setSpacing(3)
        if named:
            name = label(account.account)
            font = name.font()
            font.setBold(True)
            name.setFont(font)
            made.addWidget(name)
        is_known = account.run_at is not None and (account.covered or month is None)
        if is_known:
            self._put_groups(made, account)
        for line in self._reach(account, month, known=is_known):
            made.addLayout(line)
        return made

    def _put_groups(self, made: QVBoxLayout, account: AccountFindings) -> None:
        if not account.groups:
            made.addLayout(self._line("check", "good", label(t("Nothing disagrees."), "good", wraps=True)))
        else:
            made.addWidget(label(_in_all(account), "muted", wraps=True))
            grid = QGridLayout()
            grid.setHorizontalSpacing(GAP)
            grid.setVerticalSpacing(1)
            grid.setColumnStretch(1, 1)
            for row, group in enumerate(account.groups[:_MOST]):
                self._put_group(grid, row, account.account, group)
            made.addLayout(grid)
        further = _further(account)
        if further:
            link = button(further, partial(self.rule_wanted.emit, account.account, ""), "link")
            link.setAutoDefault(True)
            made.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)

    def _put_group(self, grid: QGridLayout, row: int, account: str, group: FindingGroup) -> None:
        title, count, amount = render(group.title), formatting.count(group.open), formatting.money(group.amount)
        mark = self._mark(*SEVERITY_MARKS[group.severity])
        mark.setToolTip(as_tip(severity_word(group.severity)))
        link = ElidedLink(title)
        link.setToolTip(as_tip(f"{group.rule} · {title} · {severity_word(group.severity)}"))
        link.setAccessibleName(
            t(
                "{rule} {title}: {count} open, {amount}, severity {severity}",
                rule=group.rule,
                title=title,
                count=count,
                amount=amount,
                severity=severity_word(group.severity),
            )
        )
        link.clicked.connect(lambda: self.rule_wanted.emit(account, group.rule))
        grid.addWidget(mark, row, 0)
        grid.addWidget(link, row, 1)
        grid.addWidget(label(count, right=True), row, 2, _RIGHT)
        grid.addWidget(label(amount if group.amount else "—", right=True), row, 3, _RIGHT)

    def _reach(self, account: AccountFindings, month: str | None, *, known: bool) -> list[QHBoxLayout]:
        """Of when the last run is, and what of it does not hold any more; with the button that reconciles."""
        if account.run_at is None:
            words = t("Nothing was reconciled yet: orders were not laid beside their documents.")
            return [self._line("info", "muted", label(words, wraps=True)), self._run(account)]
        when = formatting.moment(account.run_at)
        period = month_word(account.run_period) if account.run_period else t("every month")
        if not known:
            words = t(
                "Not reconciled yet: {month}. The last run was of {period}, {when}.",
                month=month_word(month or ""),
                period=period,
                when=when,
            )
            return [self._line("info", "muted", label(words, wraps=True)), self._run(account)]
        lines = [
            self._line("", "", label(t("Last run: {when}, {period}.", when=when, period=period), "muted", wraps=True))
        ]
        if not account.covered:
            words = t("Other months were not all reconciled.")
            lines += [self._line("warning", "warn", label(words, "warn", wraps=True)), self._run(account)]
        elif account.stale:
            words = t("Documents or orders came after it.")
            lines += [self._line("warning", "warn", label(words, "warn", wraps=True)), self._run(account)]
        return lines

    def _run(self, account: AccountFindings) -> QHBoxLayout:
        made = QHBoxLayout()
        made.setContentsMargins(0, GAP // 2, 0, 0)
        does = button(
            t("Reconcile now"),
            lambda: self.run_wanted.emit(account.account),
            name=t("Reconcile {account} now", account=account.account),
        )
        self._runs.append(does)
        made.addWidget(does)
        made.addStretch(1)
        return made

    def _line(self, drawing: str, role: str, what: QLabel) -> QHBoxLayout:
        made = QHBoxLayout()
        made.setSpacing(4)
        if drawing:
            made.addWidget(self._mark(drawing, role), 0, Qt.AlignmentFlag.AlignTop)
        made.addWidget(what, 1)
        return made

    def _mark(self, drawing: str, role: str) -> QLabel:
        mark = Label()
        mark.setFixedWidth(ICON)
        self._marks.append((mark, drawing, role))
        return mark

    def _enable(self) -> None:
        for does in self._runs:
            does.setEnabled(not self._jobs.has(JobKind.RECONCILE))

    def _paint(self) -> None:
        for mark, drawing, role in self._marks:
            mark.setPixmap(self._look.icon(drawing, role).pixmap(ICON, ICON))


def _in_all(account: AccountFindings) -> str:
    count = formatting.count(account.open)
    if not account.amount:
        return t("{count} open", count=count)
    return t("{count} open · {amount} at stake", count=count, amount=formatting.money(account.amount))


def _further(account: AccountFindings) -> str:
    """What is not told one by one: further rules, and what could not be checked."""
    rules, unchecked = len(account.groups) - _MOST, account.not_checked
    parts = []
    if rules > 0:
        parts.append(ngettext("{count} further kind", "{count} further kinds", rules))
    if unchecked:
        parts.append(t("{count} not checked", count=formatting.count(unchecked)))
    return " · ".join(parts)
