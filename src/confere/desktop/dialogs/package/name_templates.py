"""How exported files are called: four templates, tried on the month's real documents while they are typed."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.packages import file_names
from confere.app.packages.file_names import NamePreview, Placeholder, Sample
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services, keep, refusal
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.form import FormCard, FormField, text
from confere.errors import ArchiveMissing, UsageFault
from confere.system.messages import render, t
from confere.system.settings import EXPORT_EVENT, EXPORT_FOLDER, EXPORT_NAME, EXPORT_VOIDING

_SETTINGS = {"folder": EXPORT_FOLDER, "document": EXPORT_NAME, "event": EXPORT_EVENT, "voiding": EXPORT_VOIDING}
_PREVIEW_LINES = 8
_HEIGHT, _AROUND = 760, 80  # the dialog with its preview in view; what a window's frame and the system's bar take


class TemplateEditor(QWidget):
    """A template that is good is kept as it is typed; the standard one is kept as no template at all."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "names", self._failed)
        self._sample: Sample | None = None
        usual = file_names.standard()
        self._usual = {
            "folder": usual.folder,
            "document": usual.document,
            "event": usual.event,
            "voiding": usual.voiding,
        }
        settings = services.workspace.settings
        self.edits = {
            name: QLineEdit(file_names.shown(settings.get(_SETTINGS[name]) or text))
            for name, text in self._usual.items()
        }
        self._show_beginnings()
        self._last = self.edits["document"]
        self.fields = {
            "folder": FormField(
                t("Folders inside the package"),
                self.edits["folder"],
                t("Separated by /. Leave it empty for the standard."),
            ),
            "document": FormField(t("File name of a document"), self.edits["document"], t("Ends in .xml.")),
            "event": FormField(t("File name of an event"), self.edits["event"]),
            "voiding": FormField(t("File name of voided numbers"), self.edits["voiding"]),
        }
        self.reset = QPushButton(t("Use the standard names"))
        self.reset.setAutoDefault(False)
        self.reset.clicked.connect(self.use_standard)
        self.example = text("…", selectable=True)
        self.example.setAccessibleName(t("Example of an exported name"))
        self.about_example = text("", "muted")
        self.names = QPlainTextEdit()
        self.names.setReadOnly(True)
        self.names.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.names.setAccessibleName(t("Names of this month's files"))
        self.names.setTabChangesFocus(True)
        self.names.setFixedHeight(self.names.fontMetrics().lineSpacing() * (_PREVIEW_LINES + 1) + 2 * GAP)
        self.problems = text("", "warn")
        self.problems.hide()
        self._lay_out()
        for edit in self.edits.values():
            edit.textEdited.connect(self._edited)
            edit.textChanged.connect(self._try)
            edit.cursorPositionChanged.connect(partial(self._remember, edit))

    @property
    def is_of_archive(self) -> bool:
        """Whether the example is a document of the archive."""
        return self._sample is not None and not self._sample.invented

    def arrive(self) -> None:
        """Look in the archive for a document to try the templates on."""
        self._reader.ask("sample", partial(file_names.sample, self._services.opened), self._found)

    def use_standard(self) -> None:
        """The names that importers know."""
        for name, usual in self._usual.items():
            self.edits[name].setText(file_names.shown(usual))
        self._show_beginnings()
        self._edited()

    def _show_beginnings(self) -> None:
        """A field that is too narrow for its template would show the end of it, where Qt puts the cursor."""
        for edit in self.edits.values():
            edit.setCursorPosition(0)

    def _lay_out(self) -> None:
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
        for field in self.fields.values():
            card.body.addWidget(field)
        buttons = QHBoxLayout()
        buttons.addWidget(self.reset)
        buttons.addStretch(1)
        card.body.addLayout(buttons)
        tried = FormCard(t("Example"))
        for widget in (self.example, self.about_example, self.names, self.problems):
            tried.body.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(WIDE_GAP)
        column.addWidget(card)
        column.addWidget(tried)
        column.addWidget(self._list_of_placeholders())

    def _list_of_placeholders(self) -> FormCard:
        card = FormCard(t("What stands in braces"))
        card.body.addWidget(text(t("A click puts it where you were typing."), "muted"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for column, share in ((1, 4), (2, 3), (3, 3)):
            grid.setColumnStretch(column, share)
        self.placeholders: dict[str, QToolButton] = {}
        for row, entry in enumerate(file_names.placeholders()):
            button = QToolButton()
            button.setProperty("look", "chip")
            button.setText("{" + entry.word + "}")
            button.setAccessibleName(t("Put in {name}", name=entry.word))
            button.clicked.connect(partial(self._put_in, entry))
            self.placeholders[entry.name] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(text(render(entry.meaning)), row, 1)
            grid.addWidget(text(_breakable(entry.example), "muted"), row, 2)
            grid.addWidget(text(_where(entry), "muted"), row, 3)
        card.body.addLayout(grid)
        return card

    def _remember(self, edit: QLineEdit, *_places: int) -> None:
        if edit.hasFocus():
            self._last = edit

    def _put_in(self, entry: Placeholder) -> None:
        """Into the field that was typed in, where that knows it; else into the one that does."""
        last = next(name for name, edit in self.edits.items() if edit is self._last)
        edit = self._last if last in entry.known_by else self.edits[entry.known_by[0]]
        edit.insert("{" + entry.word + "}")
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
        for name, edit in self.edits.items():
            self.fields[name].tell(self._wrong(name, edit.text()))
        if any(field.problem for field in self.fields.values()):
            self.example.setText("—")
            self._reader.forget("preview")
            self._show_names("")
            self.problems.hide()
        elif self._sample is not None:
            typed = {name: edit.text().strip() for name, edit in self.edits.items()}
            # Room to break a long path, at its folders.
            shown = file_names.example(self._sample, typed["folder"], typed["document"])
            self.example.setText(shown.replace("/", "/\u200b"))
            self._ask_names(self._sample, typed)

    def _ask_names(self, sample: Sample, typed: dict[str, str]) -> None:
        """The names of the window's company and month, else of the example's."""
        scope, opened = self._services.scope, self._services.opened
        company, month = sample.company, sample.month.text
        if scope.company is not None and scope.month is not None:
            company, month = scope.company, scope.month
        self._reader.ask(
            "preview",
            lambda: file_names.preview_names(
                opened,
                company,
                month,
                folder=typed["folder"],
                document=typed["document"],
                event=typed["event"],
                voiding=typed["voiding"],
            ),
            self._have_names,
        )

    def _show_names(self, names: str) -> None:
        """Where there are none an empty box would only ask what belongs into it."""
        self.names.setPlainText(names)
        self.names.setVisible(bool(names))

    def _have_names(self, found: NamePreview) -> None:
        self._show_names("\n".join(name.path for name in found.names))
        problems = dict.fromkeys(render(problem) for name in found.names for problem in name.problems)
        self.problems.setText("\n".join(problems))
        self.problems.setVisible(bool(problems))

    def _wrong(self, name: str, typed: str) -> str:
        template = typed.strip()
        try:
            file_names.check(name, template)
        except UsageFault as wrong:
            return f"{render(wrong.what)} {render(wrong.remedy) if wrong.remedy else ''}".strip()
        return refusal(_SETTINGS[name], file_names.kept(template))

    def _edited(self) -> None:
        self._try()
        for name, edit in self.edits.items():
            typed = file_names.kept(edit.text().strip())
            value = "" if typed == self._usual[name] else typed
            if not self.fields[name].problem and value != self._services.workspace.settings.get(_SETTINGS[name]):
                self.fields[name].tell(keep(self._services, _SETTINGS[name], value))

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)


class NameTemplatesDialog(QDialog):
    """The editor by itself: what is typed is kept at once, so there is nothing to accept."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(t("Names of exported files"))
        self.setMinimumSize(860, 460)
        self.resize(self.minimumWidth(), min(_HEIGHT, self.screen().availableGeometry().height() - _AROUND))
        self.editor = TemplateEditor(services)
        inside = QWidget()
        inside.setProperty("plain", True)
        column = QVBoxLayout(inside)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.addWidget(self.editor)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, WIDE_GAP)
        layout.addWidget(scroll, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(WIDE_GAP, 0, WIDE_GAP, 0)
        foot.addWidget(buttons)
        layout.addLayout(foot)
        self.editor.arrive()


def _breakable(example: str) -> str:
    """With room to break a key, in its groups of four."""
    return "\u200b".join(example[start : start + 4] for start in range(0, len(example), 4))


def _where(entry: Placeholder) -> str:
    """Which templates know it."""
    words = {
        "folder": t("folders"),
        "document": t("documents"),
        "event": t("events"),
        "voiding": t("voided numbers"),
    }
    if len(entry.known_by) == len(words):
        return t("everywhere")
    return ", ".join(words[name] for name in entry.known_by)
