"""The archive: where it is, how large, whether it is whole, its backups, and until when it is kept."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from confere.app.authenticity import trust
from confere.app.maintenance import storage
from confere.app.maintenance.storage import ArchiveFacts
from confere.desktop.core.actions import SECTIONS
from confere.desktop.core.file_manager import open_folder
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_results import CheckJobResult
from confere.desktop.services import Services
from confere.desktop.settings.backups_card import BackupsCard
from confere.desktop.settings.home.home_choice import HomeChoice
from confere.desktop.settings.keeping_card import KeepingCard
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.form import FormCard, SettingsSection, set_rank, text
from confere.desktop.widgets.plain_text import Label
from confere.errors import ConfereError, Message
from confere.system import formatting
from confere.system.messages import render, t

_CALM_MS = 2000  # counting walks over all contents, and a sync changes the archive all the time


class ArchiveSection(SettingsSection):
    """Checking is a job; what it found is shown here when it ends."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["archive"].title)), parent)
        self._services = services
        self.topic = f"settings.archive.{id(self)}"
        self.values: dict[str, QLabel] = {}
        self._lay_out_place()
        self._lay_out_health()
        self.backups = BackupsCard(services)
        self.body.addWidget(self.backups)
        self._lay_out_judging()
        self.keeping = KeepingCard(services)
        self.body.addWidget(self.keeping)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_CALM_MS)
        self._later.timeout.connect(self.refresh)
        services.jobs.changed.connect(self._enable)
        services.jobs.ended.connect(self._job_ended)
        services.look.changed.connect(self._paint)
        self._paint()

    def arrive(self) -> None:
        self.refresh()

    def archive_changed(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def refresh(self) -> None:
        """Look at the archive again."""
        services = self._services
        services.reader.ask(self.topic, partial(storage.facts, services.opened), self._show)
        services.reader.ask(f"{self.topic}.trust", partial(trust.store, services.workspace.home), self._show_store)
        self.home.ask()
        self.backups.ask()
        self.keeping.ask()

    def _lay_out_place(self) -> None:
        card = FormCard(t("What is kept, and where"))
        card.body.addLayout(
            self._grid(
                ("place", t("Place")),
                ("documents", t("Documents")),
                ("events", t("Events")),
                ("contents", t("Files as received")),
                ("days", t("Issued")),
                ("size", t("Size on the disk")),
                ("free", t("Free on the disk")),
            )
        )
        self.open = QPushButton(t("Open the folder"))
        self.open.clicked.connect(lambda: open_folder(self._services.workspace.home.root))
        self.home = HomeChoice(self._services)
        card.body.addLayout(_row(self.open, self.home.button))
        card.body.addWidget(self.home)
        self.body.addWidget(card)

    def _lay_out_health(self) -> None:
        card = FormCard(t("Is everything whole?"))
        card.body.addWidget(
            text(
                t("Reads every file back and compares it with the SHA-256 that it came with. Nothing is changed."),
                "muted",
            )
        )
        card.body.addLayout(self._grid(("checked", t("Last whole check"))))
        self.verify = QPushButton(t("Verify everything"))
        self.verify.clicked.connect(self.start_verifying)
        card.body.addLayout(_row(self.verify))
        self.verified = text("", selectable=True)
        self.verified.hide()
        card.body.addWidget(self.verified)
        self.body.addWidget(card)

    def _lay_out_judging(self) -> None:
        card = FormCard(t("What authenticity is judged by"))
        card.body.addWidget(
            text(
                t(
                    "Certificates of ICP-Brasil and official schemas that Confere lacks go into these folders. "
                    "They count at once for what you open; F8 checks again what they change."
                ),
                "muted",
            )
        )
        self.open_trust = QPushButton(t("Open the certificates"))
        self.open_trust.clicked.connect(lambda: self._open_own(trust.TRUST_FOLDER))
        self.open_schemas = QPushButton(t("Open the schemas"))
        self.open_schemas.clicked.connect(lambda: self._open_own(trust.SCHEMA_FOLDER))
        card.body.addLayout(_row(self.open_trust, self.open_schemas))
        self.trusted = text("", selectable=True)
        self.trusted.hide()
        card.body.addWidget(self.trusted)
        self.body.addWidget(card)

    def _open_own(self, name: str) -> None:
        try:
            folder = trust.own_folder(self._services.workspace.home, name)
        except ConfereError as error:
            self._services.faults.tell(error)
        else:
            open_folder(folder)

    def _show_store(self, store: trust.Store) -> None:
        if store.warnings:
            _say(self.trusted, "\n".join(map(render, store.warnings)), "warn")
        else:
            count = formatting.count(len(store.added))
            _say(self.trusted, t("Files of yours with certificates: {count}.", count=count) if store.added else "", "")

    def _grid(self, *lines: tuple[str, str]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(lines):
            head = Label(title)
            head.setProperty("rank", "muted")
            head.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(head, row, 0)
            self.values[name] = text("…", selectable=True)
            self.values[name].setAccessibleName(title)
            grid.addWidget(self.values[name], row, 1)
        return grid

    def _show(self, facts: ArchiveFacts) -> None:
        for name, value in _shown(facts).items():
            if self.values[name].text() != value:
                self.values[name].setText(value)
        self._enable(exists=facts.exists)

    def _enable(self, exists: bool | None = None) -> None:
        there = self._services.opened.exists if exists is None else exists
        self.verify.setEnabled(there and not self._services.jobs.has(JobKind.CHECK))

    def start_verifying(self) -> None:
        """Have every content read back."""
        if self._services.jobs.has(JobKind.CHECK):
            return
        _say(self.verified, t("Running…"), "muted")
        self._services.jobs.start(JobRequest(JobKind.CHECK, t("Verifying the archive"), ("doctor", "--verify")))

    def _job_ended(self, outcome: JobOutcome) -> None:
        if outcome.order.kind is not JobKind.CHECK:
            return
        if outcome.stopped:
            _say(self.verified, t("Stopped. Nothing was changed."), "muted")
        elif outcome.error is not None:
            _say(self.verified, f"{outcome.error.what} {outcome.error.remedy or ''}".strip(), "bad")
        else:
            findings = outcome.result.of("archive", "vault") if isinstance(outcome.result, CheckJobResult) else ()
            is_well = all(finding.well for finding in findings)
            _say(self.verified, "\n".join(finding.what for finding in findings), "good" if is_well else "bad")
        self._enable()
        self.refresh()

    def _paint(self) -> None:
        for button, icon in (
            (self.open, "open"),
            (self.verify, "check"),
            (self.open_trust, "open"),
            (self.open_schemas, "open"),
        ):
            button.setIcon(self._services.look.icon(icon))


def _shown(facts: ArchiveFacts) -> dict[str, str]:
    """The facts in words, by the name of their line."""
    size = formatting.size(facts.file_bytes)
    if facts.holdings.raw_bytes:
        size = t(
            "{size}, {percent} % of the {raw} that came in",
            size=size,
            percent=round(100 * facts.file_bytes / facts.holdings.raw_bytes),
            raw=formatting.size(facts.holdings.raw_bytes),
        )
    documents = formatting.count(facts.holdings.documents)
    if facts.holdings.versions:
        documents = t(
            "{count}; other versions: {versions}", count=documents, versions=formatting.count(facts.holdings.versions)
        )
    contents = formatting.count(facts.holdings.contents)
    if facts.holdings.unreadable:
        contents = t(
            "{count}, of which {bad} cannot be read", count=contents, bad=formatting.count(facts.holdings.unreadable)
        )
    days = t("nothing yet")
    if facts.holdings.first_day and facts.holdings.last_day:
        days = t(
            "{first} to {last}",
            first=formatting.date(facts.holdings.first_day),
            last=formatting.date(facts.holdings.last_day),
        )
    return {
        "place": str(facts.place) if facts.exists else t("{path} (made by the first sync or import)", path=facts.place),
        "documents": documents,
        "events": formatting.count(facts.holdings.events),
        "contents": contents,
        "days": days,
        "size": size,
        "free": formatting.size(facts.free_bytes),
        "checked": t("never") if facts.checked_at is None else formatting.moment(facts.checked_at),
    }


def _say(label: QLabel, sentence: str, rank: str) -> None:
    label.setText(sentence)
    set_rank(label, rank)
    label.setVisible(bool(sentence))


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(GAP)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
