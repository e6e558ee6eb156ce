"""The lists of what was not downloaded, not offered and not readable, and of who did what, their columns as data."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from confere.app.accounts import company_lines
from confere.app.accounts.company_lines import CompanyLines
from confere.app.authenticity import untrusted_events
from confere.app.authenticity.untrusted_events import NotBelieved
from confere.app.documents.not_offered import NotOffered, not_offered
from confere.app.labels.labels import action_word, answer_word, event_word, key_groups
from confere.app.overview import activity
from confere.app.overview.activity import AccountFailure, AuditEntry, UnreadableFile
from confere.desktop.activity.activity_list import PAGE, ActivityList, copy_button, of_the_whole
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import Action, Actions
from confere.desktop.dialogs.saving.save_xml import AskWhere, Content, ask_where, save
from confere.desktop.services import Services
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import render, t

_SHA_LETTERS = 16  # that are shown: all of them would take the room of the reason


class Failures(ActivityList[AccountFailure]):
    """Open failed downloads, which every sync tries again."""

    def __init__(self, services: Services, actions: Actions) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.FAILED,
            t("Failed downloads"),
            t("The hub listed these and did not give their XML. Every sync tries them again."),
            t("No download has failed."),
            (
                TableColumn("document", t("Document"), _document, 410, tip=_document, copied=_plain_document),
                TableColumn("reason", t("Why"), lambda row: render(row.download.reason), 300, stretches=True),
                TableColumn(
                    "attempts", t("Attempts"), lambda row: formatting.count(row.download.attempts), 90, right=True
                ),
                TableColumn("tried", t("Last try"), lambda row: formatting.moment(row.tried_at), 140),
                TableColumn("account", t("Account"), lambda row: row.account, 140, rank=1),
            ),
            lambda row: (row.account, row.download.item_id, row.is_record),
            lambda company, _: company_lines.of_accounts(
                opened,
                company,
                activity.failures(opened),
                lambda row: row.account,
                lambda row: row.download.access_key or "",
            ),
        )
        retry = actions[Action.RETRY]
        self.retry = QPushButton(t("Retry all"))
        self.retry.setProperty("look", "primary")
        self.retry.setToolTip(t("Ask the hub again for what failed, without listing anything"))
        self.retry.clicked.connect(retry.trigger)
        self.retry.setEnabled(retry.isEnabled())
        self._act = retry
        retry.enabledChanged.connect(self.retry.setEnabled)
        copy_button(self)
        self._buttons.addWidget(self.retry)


class Unoffered(ActivityList[NotOffered]):
    """What the hub listed without any XML."""

    def __init__(self, services: Services) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.NOT_OFFERED,
            t("Not offered"),
            t("The hub listed these without any XML. Ask whoever emitted them, and import what they send."),
            t("The hub has offered an XML for everything that it listed."),
            (
                TableColumn(
                    "document",
                    t("Access key"),
                    lambda row: key_groups(row.access_key),
                    400,
                    stretches=True,
                    copied=lambda row: row.access_key,
                ),
                TableColumn("account", t("Account"), lambda row: row.account, 200),
            ),
            lambda row: (row.account, row.access_key),
            lambda company, _: company_lines.of_accounts(
                opened, company, not_offered(opened), lambda row: row.account, lambda row: row.access_key
            ),
        )
        copy_button(self)


class UnreadableFiles(ActivityList[UnreadableFile]):
    """What was kept exactly as it came and cannot be read. `show_wanted` carries a SHA-256."""

    show_wanted = Signal(str)

    def __init__(self, services: Services) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.UNREADABLE,
            t("Not readable"),
            t("These came in and are kept byte for byte, but are not what Confere can read."),
            t("Everything that came in can be read."),
            (
                TableColumn("problem", t("Why"), lambda row: render(row.problem), 380, stretches=True),
                TableColumn("size", t("Size"), lambda row: formatting.size(row.size), 90, right=True),
                TableColumn("sources", t("Where from"), lambda row: ", ".join(row.sources), 200),
                TableColumn(
                    "sha256",
                    t("SHA-256"),
                    lambda row: row.sha256[:_SHA_LETTERS],
                    140,
                    tip=lambda row: row.sha256,
                    copied=lambda row: row.sha256,
                ),
            ),
            lambda row: row.sha256,
            lambda _company, _: CompanyLines(activity.unreadable(opened)),
            of_others=t("Nothing tells the company of what cannot be read: these are of the whole archive."),
        )
        self.ask_where: AskWhere = ask_where
        copy_button(self)
        self.show_button = self.add_button(
            t("Show"), self._ask_to_show, t("Show what is in the file, among the documents")
        )
        self.show_button.setEnabled(False)
        self.table.entered_row.connect(self._ask_to_show)
        self.save_button = self.add_button(
            t("Save bytes…"), self._save, t("Save the file exactly as it came, to look at it or to send it back")
        )
        self.save_button.setEnabled(False)
        for button in (self.show_button, self.save_button):
            self.table.chosen.connect(lambda row, button=button: button.setEnabled(row is not None))

    def _ask_to_show(self) -> None:
        row = self.table.current
        if row is not None:
            self.show_wanted.emit(row.sha256)

    def _save(self) -> None:
        row = self.table.current
        if row is not None:
            content = Content(render(row.problem), row.sha256, f"{row.sha256[:16]}.xml")
            save(self._services, self, content, self.ask_where)


class DisbelievedList(ActivityList[NotBelieved]):
    """Events and answers that change no document's state. `show_wanted` carries a SHA-256."""

    show_wanted = Signal(str)

    def __init__(self, services: Services) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.NOT_BELIEVED,
            t("Not believed"),
            t("These came in and are kept, but do not hold: they change the state of no document."),
            t("Every event and answer that came in holds, as far as it was checked."),
            (
                TableColumn("at", t("When"), lambda row: formatting.moment(row.at), 140),
                TableColumn("said", t("What"), _said, 200),
                TableColumn(
                    "document",
                    t("Access key"),
                    lambda row: key_groups(row.access_key or ""),
                    400,
                    copied=lambda row: row.access_key or "",
                ),
                TableColumn("why", t("Why"), lambda row: render(row.why), 300, stretches=True),
            ),
            lambda row: (row.sha256, row.access_key, _said(row)),
            lambda company, _: company_lines.of_documents(
                opened, company, untrusted_events.listed(opened), lambda row: row.access_key or ""
            ),
        )
        copy_button(self)
        self.show_button = self.add_button(
            t("Show"), self._ask_to_show, t("Show what is in the file, among the documents")
        )
        self.show_button.setEnabled(False)
        self.table.entered_row.connect(self._ask_to_show)
        self.table.chosen.connect(lambda row: self.show_button.setEnabled(row is not None))

    def _ask_to_show(self) -> None:
        row = self.table.current
        if row is not None:
            self.show_wanted.emit(row.sha256)


def _said(row: NotBelieved) -> str:
    event = row.event
    if event is not None:
        return event_word(event.code, event.description, event.access_key)
    return t("Answer of the authority: {code}", code=answer_word(row.answer.cstat if row.answer else None) or "-")


class AuditTrailList(ActivityList[AuditEntry]):
    """Who did what and when; lines are only ever added."""

    def __init__(self, services: Services) -> None:
        opened = services.opened
        super().__init__(
            services,
            activity_sections.TRAIL,
            t("Audit trail"),
            t("Who did what and when. Lines are only ever added."),
            t("Nothing was done here yet."),
            (
                TableColumn("at", t("When"), lambda row: formatting.moment(row.at), 140),
                TableColumn("actor", t("Who"), lambda row: row.line.actor, 120),
                TableColumn("action", t("What"), lambda row: action_word(row.line.action), 200),
                TableColumn("subject", t("About"), lambda row: row.subject, 240),
                TableColumn("details", t("Details"), _details, 260, stretches=True),
            ),
            lambda row: row.line.id,
            lambda company, last: CompanyLines(
                activity.trail(opened, PAGE, None if last is None else last.line.id, company)
            ),
            of_others=of_the_whole(),
            grows=True,
        )
        copy_button(self)


def _document(row: AccountFailure) -> str:
    if row.download.access_key:
        return key_groups(row.download.access_key)
    return row.download.hub_id or row.download.item_id


def _plain_document(row: AccountFailure) -> str:
    return row.download.access_key or row.download.hub_id or row.download.item_id


def _details(row: AuditEntry) -> str:
    return " ".join(render(entry) for entry in row.details)
