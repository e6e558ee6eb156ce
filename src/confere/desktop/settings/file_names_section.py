"""How exported files are called: two templates, tried on a real document while they are typed."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QToolButton, QWidget

from confere.app.packages import file_names
from confere.app.packages.file_names import Placeholder, Sample
from confere.desktop.services import Services
from confere.desktop.settings.setting_field import keep, refusal
from confere.desktop.widgets.form import FormCard, FormField, SettingsSection, text
from confere.desktop.widgets.plain_text import Label
from confere.errors import UsageFault
from confere.system.messages import render, t
from confere.system.settings import EXPORT_FOLDER, EXPORT_NAME


class NamesSection(SettingsSection):
    """A template that is good is kept as it is typed; the standard one is kept as no template at all."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(t("Export names"), parent)
        self._services = services
        self.topic = f"settings.names.{id(self)}"
        self._sample: Sample | None = None
        usual = file_names.standard()
        self._usual = {"folder": usual.folder, "document": usual.document}
        settings = services.workspace.settings
        self.folder = QLineEdit(settings.get(EXPORT_FOLDER) or usual.folder)
        self.document = QLineEdit(settings.get(EXPORT_NAME) or usual.document)
        self._last = self.document
        self.fields = {
            "folder": FormField(
                t("Folders inside the package"), self.folder, t("Separated by /. Leave it empty for the standard.")
            ),
            "document": FormField(t("File name of a document"), self.document, t("Ends in .xml.")),
        }
        card = FormCard(t("Templates"))
        card.body.addWidget(
            text(
                t(
                    "Accounting systems import the standard names. Change them only where yours asks for others; "
                    "the XML itself is never touched."
                ),
                "muted",
            )
        )
        card.body.addWidget(self.fields["folder"])
        card.body.addWidget(self.fields["document"])
        self.reset = QPushButton(t("Use the standard names"))
        self.reset.clicked.connect(self.use_standard)
        buttons = QHBoxLayout()
        buttons.addWidget(self.reset)
        buttons.addStretch(1)
        card.body.addLayout(buttons)
        self.body.addWidget(card)
        tried = FormCard(t("Example"))
        self.example = text("…", selectable=True)
        self.example.setAccessibleName(t("Example of an exported name"))
        tried.body.addWidget(self.example)
        self.about_example = text("", "muted")
        tried.body.addWidget(self.about_example)
        self.body.addWidget(tried)
        self.body.addWidget(self._list_of_placeholders())
        for edit in (self.folder, self.document):
            edit.textEdited.connect(self._edited)
            edit.textChanged.connect(self._try)
            edit.cursorPositionChanged.connect(partial(self._remember, edit))

    def arrive(self) -> None:
        self._services.reader.ask(self.topic, partial(file_names.sample, self._services.opened), self._found)

    def archive_changed(self) -> None:
        if self._sample is None or self._sample.invented:
            self.arrive()

    def use_standard(self) -> None:
        """The names that importers know."""
        self.folder.setText(self._usual["folder"])
        self.document.setText(self._usual["document"])
        self._edited()

    def _list_of_placeholders(self) -> FormCard:
        card = FormCard(t("What stands in braces"))
        card.body.addWidget(text(t("A click puts it where you were typing."), "muted"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.placeholders: dict[str, QToolButton] = {}
        for row, entry in enumerate(file_names.placeholders()):
            button = QToolButton()
            button.setProperty("look", "chip")
            button.setText("{" + entry.name + "}")
            button.setAccessibleName(t("Put in {name}", name=entry.name))
            button.clicked.connect(partial(self._put_in, entry))
            self.placeholders[entry.name] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(text(render(entry.meaning)), row, 1)
            where = Label(t("folders and files") if entry.in_folders else t("files"))
            where.setProperty("rank", "muted")
            grid.addWidget(where, row, 2)
        card.body.addLayout(grid)
        return card

    def _remember(self, edit: QLineEdit, *_places: int) -> None:
        if edit.hasFocus():
            self._last = edit

    def _put_in(self, entry: Placeholder) -> None:
        edit = self._last if entry.in_folders else self.document
        edit.insert("{" + entry.name + "}")
        edit.setFocus()
        self._edited()

    def _found(self, found: Sample) -> None:
        self._sample = found
        self.about_example.setText(
            t("Of an invented document: the archive has none yet.")
            if found.invented
            else t("Of a document of your archive.")
        )
        self._try()

    def _try(self) -> None:
        """Show what the templates give, or under each what is wrong with it."""
        for name, edit in (("folder", self.folder), ("document", self.document)):
            self.fields[name].tell(self._wrong(name, edit.text()))
        if any(field.problem for field in self.fields.values()):
            self.example.setText("—")
        elif self._sample is not None:
            folder, document = self.folder.text().strip(), self.document.text().strip()
            # Room to break a long path, at its folders.
            self.example.setText(file_names.example(self._sample, folder, document).replace("/", "/\u200b"))

    def _wrong(self, name: str, typed: str) -> str:
        sample = self._sample or file_names.invented()
        template = typed.strip()
        try:
            file_names.example(sample, *((template, "") if name == "folder" else ("", template)))
        except UsageFault as wrong:
            return f"{render(wrong.what)} {render(wrong.remedy) if wrong.remedy else ''}".strip()
        return refusal(EXPORT_FOLDER if name == "folder" else EXPORT_NAME, template)

    def _edited(self) -> None:
        self._try()
        for name, edit, setting in (
            ("folder", self.folder, EXPORT_FOLDER),
            ("document", self.document, EXPORT_NAME),
        ):
            typed = edit.text().strip()
            value = "" if typed == self._usual[name] else typed
            if not self.fields[name].problem and value != self._services.workspace.settings.get(setting):
                self.fields[name].tell(keep(self._services, setting, value))
