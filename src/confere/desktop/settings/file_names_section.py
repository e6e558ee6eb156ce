"""How exported files are called: the editor of the templates as a part of the settings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from confere.desktop.core.actions import SECTIONS
from confere.desktop.dialogs.package.name_templates import TemplateEditor
from confere.desktop.services import Services
from confere.desktop.widgets.form import SettingsSection
from confere.errors import Message
from confere.system.messages import render


class NamesSection(SettingsSection):
    """Holds a `TemplateEditor`."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["names"].title)), parent)
        self.editor = TemplateEditor(services)
        self.body.addWidget(self.editor)

    def arrive(self) -> None:
        self.editor.arrive()

    def archive_changed(self) -> None:
        if not self.editor.is_of_archive:
            self.editor.arrive()
