"""What a package is made as: for which accounting system, as ZIP, folder or bag, and where its events go."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QPushButton

from confere.app.packages import accounting_systems
from confere.app.packages.export import Events, ExportChoice, Form
from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import GAP
from confere.system.messages import t

_BAG: Final = "+bag"
_SHORTEST = 14  # characters of a choice


class PackageForm(QObject):
    """The controls, as rows of a form. A system brings its own form and place of events, which can be changed then.

    `changed`: something else is chosen. What was accepted once is chosen the next time.
    """

    changed = Signal()

    def __init__(self, memory: Memory, parent: QObject) -> None:
        super().__init__(parent)
        self._memory = memory
        self.system = _combo(t("Accounting system"))
        self._systems = {entry.name: entry for entry in accounting_systems.every()}
        for name, entry in self._systems.items():
            self.system.addItem(t("Any (standard)") if name == accounting_systems.STANDARD else entry.title)
            self.system.setItemData(self.system.count() - 1, name)
        self.form = _combo(t("Made as"))
        for text, form in (
            (t("ZIP"), Form.ZIP.value),
            (t("Folder"), Form.FOLDER.value),
            (t("BagIt in a ZIP"), Form.ZIP.value + _BAG),
            (t("BagIt folder"), Form.FOLDER.value + _BAG),
        ):
            self.form.addItem(text, form)
        self.events = _combo(t("Events"))
        for text, place in (
            (t("in their own folder"), Events.OWN),
            (t("beside documents"), Events.BESIDE),
            (t("one folder a document"), Events.INSIDE),
        ):
            self.events.addItem(text, place.value)
        self.with_pdf = QCheckBox(t("PDFs too (DANFE, DACTE), beside"))
        for combo, name in self._kept():
            combo.setCurrentIndex(max(0, combo.findData(memory.text(name))))
        self.system.currentIndexChanged.connect(self._follow_system)
        self.form.currentIndexChanged.connect(self.changed)
        self.events.currentIndexChanged.connect(self.changed)

    def add_rows(self, form: QFormLayout, naming: QPushButton) -> None:
        """A row each; `naming` is the button for templates of one's own, which stands beside the system."""
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self.system, 1)
        row.addWidget(naming)
        form.addRow(t("Accounting system"), row)
        form.addRow(t("Made as"), self.form)
        form.addRow(t("Events"), self.events)

    def applied(self, choice: ExportChoice) -> ExportChoice:
        """The choice with what is chosen here."""
        form, bag = str(self.form.currentData()).removesuffix(_BAG), str(self.form.currentData()).endswith(_BAG)
        layout = self._systems[self.system.currentData()]
        options = replace(choice.options, form=Form(form), bag=bag, events=Events(self.events.currentData()))
        return replace(
            choice,
            options=options,
            folder_template=layout.folder,
            name_template=layout.document,
            with_pdf=self.with_pdf.isChecked(),
        )

    def keep(self) -> None:
        """Remember it for the next time."""
        for combo, name in self._kept():
            self._memory.put(name, combo.currentData())

    def _kept(self) -> tuple[tuple[QComboBox, str], ...]:
        return (self.system, "export/system"), (self.form, "export/form"), (self.events, "export/events")

    def _follow_system(self) -> None:
        layout = self._systems[self.system.currentData()]
        with QSignalBlocker(self.form), QSignalBlocker(self.events):
            self.form.setCurrentIndex(self.form.findData(layout.form))
            self.events.setCurrentIndex(self.events.findData(layout.events))
        self.changed.emit()


def _combo(name: str) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    give_way(combo)
    return combo


def give_way(combo: QComboBox) -> None:
    """Let it be narrower than its longest choice: on a small screen the table beside it needs the room."""
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(_SHORTEST)
