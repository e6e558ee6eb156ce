"""The terms of reconciliation, account by account: tolerances, days, what it declares, and the hub's feed."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from confere.app.accounts import preferences
from confere.app.accounts.preferences import Preferences
from confere.app.labels.feed_labels import feed_word
from confere.desktop.core.actions import SECTIONS
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.services import Services
from confere.desktop.settings.declarations_card import DeclaredCard
from confere.desktop.widgets.form import FormCard, FormField, SettingsSection, set_rank, text
from confere.desktop.widgets.notices import GOOD
from confere.errors import Message
from confere.sales.hub_feeds import HubFeed
from confere.sales.terms import TITLES
from confere.system import formatting
from confere.system.messages import render, t

_NARROW = 160
_WIDE = 560


_MONEY: Final = ("tolerance", "high_from")
_RELISTS: Final = ("relist_days", "relist_documents_days")
"""Numbers that are no terms of reconciliation but the account's own."""


class TermsSection(SettingsSection):
    """A change holds once the field is left; it is used by the next run."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["terms"].title)), parent)
        self._services = services
        self.topic = f"settings.terms.{id(self)}"
        self._every: dict[str, Preferences] = {}
        self._waiting: deque[tuple[str, Preferences, FormField | None]] = deque()
        self._is_writing = False
        self.account = QComboBox()
        self.account.setMaximumWidth(280)
        self.account.activated.connect(self._turn)
        self.account_field = FormField(t("Account"), self.account)
        self.body.addWidget(self.account_field)
        self.none = text(t("There is no account yet; each has its own terms."), "muted")
        self.body.addWidget(self.none)
        self.numbers: dict[str, FormField] = {}
        self._money = FormCard(t("What counts as a difference"))
        self._number(
            self._money,
            "tolerance",
            _title("tolerance"),
            t("Totals that differ by no more than this agree."),
        )
        self._number(
            self._money,
            "high_from",
            _title("high_from"),
            t("A smaller difference is medium from a tenth of it on, and low below."),
        )
        self._days = FormCard(t("How long to wait"))
        self._number(
            self._days,
            "invoice_after_hours",
            _title("invoice_after_hours"),
            t("A younger order may still wait for it."),
        )
        self._number(self._days, "freight_after_days", _title("freight_after_days"))
        self._number(self._days, "standing_days", _title("standing_days"))
        self._number(
            self._days,
            "scored_days",
            _title("scored_days"),
            t("Where nothing but buyer, total and items tells that they do."),
        )
        self._number(
            self._days,
            "relist_days",
            _title("relist_days"),
        )
        self._number(
            self._days,
            "relist_documents_days",
            _title("relist_documents_days"),
            t("For events that came without notice, and for what the hub no longer lists."),
        )
        self._declared = FormCard(t("What this account declares"))
        self.freight = QCheckBox(_title("freight_by_cte"))
        self.freight.clicked.connect(lambda on: self._keep_terms("freight_by_cte", on))
        self._declared.body.addWidget(self.freight)
        self._declared.body.addWidget(
            text(t("Otherwise no sale is reported for want of a CT-e, and freight is not compared."), "muted")
        )
        self.series = QLineEdit()
        self.series.setMaximumWidth(_WIDE)
        self.series.setPlaceholderText("11222333000181/55/1")
        self.series.editingFinished.connect(self._series_left)
        self.series_field = FormField(
            _title("visible_series"),
            self.series,
            t("CNPJ/model/series, with commas between them. Only in these a gap in the numbers is a finding."),
        )
        self._declared.body.addWidget(self.series_field)
        self._feed = FormCard(t("The hub's feeds of changes"))
        self.marks: dict[HubFeed, QCheckBox] = {}
        for feed in HubFeed:
            mark = self.marks[feed] = QCheckBox(t("Mark as read: {feed}", feed=render(feed_word(feed))))
            mark.clicked.connect(lambda on, feed=feed: self._mark_chosen(feed, on))
            self._feed.body.addWidget(mark)
        self.warning = text(
            t(
                "A feed is shared: what is marked here disappears for every other reader, the ERP included, which "
                "then never learns of that change. Leave it off unless Confere is the only one who reads that feed."
            ),
            "warn",
        )
        self._feed.body.addWidget(self.warning)
        self.complete = DeclaredCard(services, f"{self.topic}.declared", self.account.currentData)
        self._cards = (self._money, self._days, self._declared, self.complete, self._feed)
        for card in self._cards:
            self.body.addWidget(card)
        self._show_cards()

    def arrive(self) -> None:
        self._ask()

    def archive_changed(self) -> None:
        self._ask()

    def _ask(self) -> None:
        opened = self._services.opened
        self._services.reader.ask(self.topic, lambda: preferences.every(opened), self._have)
        self.complete.ask()

    def _have(self, found: tuple[tuple[str, Preferences], ...]) -> None:
        chosen = self.account.currentData()
        if self._is_writing or dict(found) == self._every:
            return
        self._every = dict(found)
        if [self.account.itemData(place) for place in range(self.account.count())] != list(self._every):
            self.account.clear()
            for name in self._every:
                self.account.addItem(name, name)
            self.account.setCurrentIndex(max(0, self.account.findData(chosen)) if self._every else -1)
        self._show_cards()
        self._turn()

    def _show_cards(self) -> None:
        for card in self._cards:
            card.setVisible(bool(self._every))
        self.none.setVisible(not self._every)
        self.account_field.setVisible(len(self._every) > 1)

    @property
    def shown(self) -> Preferences | None:
        """What the chosen account wants."""
        return self._every.get(self.account.currentData() or "")

    def _turn(self, *_: object) -> None:
        self.complete.turn()
        wanted = self.shown
        if wanted is None:
            return
        for name, field in self.numbers.items():
            edit = field.control
            if isinstance(edit, QLineEdit) and not edit.hasFocus():
                edit.setText(_shown(name, wanted))
                field.tell("")
        self.freight.setChecked(wanted.terms.freight_by_cte)
        self._show_marks(wanted)
        set_rank(self.warning, "bad" if wanted.mark_feeds else "warn")
        if not self.series.hasFocus():
            self.series.setText(", ".join(wanted.terms.visible_series))
            self.series_field.tell("")

    def _number(self, card: FormCard, name: str, title: str, hint: str = "") -> None:
        edit = QLineEdit()
        edit.setMaximumWidth(_NARROW)
        field = FormField(title, edit, hint)
        edit.editingFinished.connect(partial(self._left, name))
        self.numbers[name] = field
        card.body.addWidget(field)

    def _left(self, name: str) -> None:
        """A field was left: what is in it holds, or is said to make no sense."""
        field, wanted = self.numbers[name], self.shown
        edit = field.control
        if wanted is None or not isinstance(edit, QLineEdit) or edit.text() == _shown(name, wanted):
            field.tell("")
            return
        try:
            value = _read(name, edit.text())
        except ValueError:
            field.tell(t("{value} is no number that can stand here.", value=edit.text().strip() or "—"))
            return
        if name in _RELISTS:
            changed: dict[str, Any] = {name: value}
            self._keep(replace(wanted, **changed), field)
        else:
            self._keep_terms(name, value, field)

    def _series_left(self) -> None:
        found = tuple(part.strip() for part in self.series.text().replace("\n", ",").split(",") if part.strip())
        wanted = self.shown
        if wanted is not None and found != wanted.terms.visible_series:
            self._keep_terms("visible_series", found, self.series_field)

    def _show_marks(self, wanted: Preferences) -> None:
        for feed, mark in self.marks.items():
            mark.setChecked(wanted.marks(feed))

    def _mark_chosen(self, feed: HubFeed, on: bool) -> None:
        wanted = self.shown
        if wanted is not None:
            others = [name for name in wanted.mark_feeds if name is not feed]
            self._keep(wanted.marking([*others, feed] if on else others))

    def _keep_terms(self, name: str, value: object, field: FormField | None = None) -> None:
        wanted = self.shown
        if wanted is not None:
            changed: dict[str, Any] = {name: value}
            self._keep(replace(wanted, terms=replace(wanted.terms, **changed)), field)

    def _keep(self, wanted: Preferences, field: FormField | None = None) -> None:
        account = str(self.account.currentData())
        self._every[account] = wanted  # what is changed next goes out from it, whether it is written by then or not
        self._waiting.append((account, wanted, field))
        self._go_on()

    def _go_on(self) -> None:
        """One after the other: there are several threads, and the last wish is to be the last one written."""
        if self._is_writing or not self._waiting:
            return
        self._is_writing = True
        workspace = self._services.workspace
        account, wanted, field = self._waiting.popleft()
        self._services.reader.write(
            lambda: (account, preferences.keep(workspace, account, wanted)),
            partial(self._kept, field),
            partial(self._refused, field),
        )

    def _kept(self, field: FormField | None, found: tuple[str, Preferences]) -> None:
        account, kept = found
        self._is_writing = False
        if field is not None:
            field.tell("")
        if self._waiting:
            self._go_on()
            return
        self._every[account] = kept
        self._turn()
        self._services.notices.add(
            GOOD, t("The terms of {account} were kept; the next run uses them.", account=account), topic="terms"
        )

    def _refused(self, field: FormField | None, error: Exception) -> None:
        self._is_writing = False
        self._waiting.clear()  # they went out from what was refused
        fault = of_exception(error)
        if field is None or fault.is_bug:
            self._services.faults.tell(error)
        else:
            field.tell(f"{fault.what} {fault.remedy}".strip())
        opened = self._services.opened
        self._services.reader.ask(self.topic, lambda: preferences.every(opened), self._have_again)

    def _have_again(self, found: tuple[tuple[str, Preferences], ...]) -> None:
        """What holds still, without touching what a person has yet to mend."""
        self._every = dict(found)
        wanted = self.shown
        if wanted is not None:
            self.freight.setChecked(wanted.terms.freight_by_cte)
            self._show_marks(wanted)


def _shown(name: str, wanted: Preferences) -> str:
    if name in _RELISTS:
        return str(getattr(wanted, name))
    value: int = getattr(wanted.terms, name)
    return formatting.money(value).removeprefix("R$ ") if name in _MONEY else str(value)


def _read(name: str, typed: str) -> int:
    """The number, in centavos where it is money. Raises `ValueError`."""
    return formatting.cents(typed) if name in _MONEY else int(typed)


def _title(name: str) -> str:
    return render(Message(TITLES[name]))
