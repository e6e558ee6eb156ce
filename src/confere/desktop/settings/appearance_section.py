"""How the window looks and speaks, and whether it shows natural persons."""

from __future__ import annotations

import os

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QComboBox, QRadioButton, QWidget

from confere.desktop.core.actions import SECTIONS
from confere.desktop.services import Services, keep
from confere.desktop.widgets.form import FormCard, FormField, SettingsSection, text
from confere.errors import Message
from confere.system.language_choice import LANGUAGE_VARIABLE
from confere.system.messages import render, set_language, t
from confere.system.settings import APPEARANCE, APPEARANCES, COMPACT_ROWS, HIDE_PEOPLE, LANGUAGE

# Each language in its own words, for whoever does not read the one in use.
_LANGUAGES = (("pt_BR", "Português (Brasil)"), ("en", "English"), ("es", "Español"))


class LookSection(SettingsSection):
    """Everything here holds at once. `language_changed`: the window has to be built again."""

    language_changed = Signal()
    hiding_changed = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["look"].title)), parent)
        self._services = services
        settings = services.workspace.settings
        look = FormCard(t("Appearance"))
        self.appearances: dict[str, QRadioButton] = {}
        group = QButtonGroup(self)
        titles = {"system": t("As the system is"), "light": t("Light"), "dark": t("Dark")}
        for code in APPEARANCES:
            choice = QRadioButton(titles[code])
            group.addButton(choice)
            look.body.addWidget(choice)
            self.appearances[code] = choice
        self._mark_appearance()
        group.buttonClicked.connect(self._choose_appearance)
        services.look.changed.connect(self._mark_appearance)
        self.compact = QCheckBox(t("Rows of lists stand close, so that more of them fit"))
        self.compact.setChecked(settings.get(COMPACT_ROWS))
        self.compact.toggled.connect(self._choose_density)
        look.body.addWidget(self.compact)
        self.body.addWidget(look)
        speech = FormCard(t("Language"))
        self.language = QComboBox()
        self.language.addItem(t("As the system is"), "")
        for code, name in _LANGUAGES:
            self.language.addItem(name, code)
        self.language.setCurrentIndex(max(self.language.findData(settings.get(LANGUAGE)), 0))
        self.language.setMaximumWidth(280)
        self.language.activated.connect(self._choose_language)
        speech.body.addWidget(
            FormField(
                t("Language of the window"),
                self.language,
                _of_language(),
            )
        )
        self.body.addWidget(speech)
        people = FormCard(t("Privacy (LGPD)"))
        self.hide_people = QCheckBox(t("Hide the CPF and the name of natural persons in lists"))
        self.hide_people.setChecked(settings.get(HIDE_PEOPLE))
        self.hide_people.toggled.connect(self._choose_hiding)
        people.body.addWidget(self.hide_people)
        people.body.addWidget(
            text(
                t(
                    "A CPF shows as ***.456.789-** and a name by its initials, for work where others see the screen. "
                    "The XML and the packages stay complete, as the law asks."
                ),
                "muted",
            )
        )
        self.body.addWidget(people)
        # The window that is built again takes this page with it, so not from within its own combo box.
        self._speak = QTimer(self)
        self._speak.setSingleShot(True)
        self._speak.setInterval(0)
        self._speak.timeout.connect(self.language_changed)

    def arrive(self) -> None:
        self._mark_appearance()

    def _mark_appearance(self) -> None:
        """The window has another way to change it (Ctrl+Shift+D)."""
        choice = self.appearances.get(self._services.look.appearance)
        if choice is not None:
            choice.setChecked(True)

    def _choose_appearance(self) -> None:
        chosen = next(code for code, choice in self.appearances.items() if choice.isChecked())
        keep(self._services, APPEARANCE, chosen)
        self._services.look.use(chosen)

    def _choose_density(self, is_compact: bool) -> None:
        keep(self._services, COMPACT_ROWS, is_compact)
        self._services.look.let_rows_stand_close(is_compact)

    def _choose_language(self) -> None:
        code = str(self.language.currentData())
        if code == self._services.workspace.settings.get(LANGUAGE):
            return
        keep(self._services, LANGUAGE, code)
        set_language(code or None)
        self._speak.start()

    def _choose_hiding(self, hide: bool) -> None:
        keep(self._services, HIDE_PEOPLE, hide)
        self.hiding_changed.emit()


def _of_language() -> str:
    """What the choice means; a variable of the system that stands above it is named."""
    if os.environ.get(LANGUAGE_VARIABLE):
        return t("The variable {name} decides again at the next start, as long as it is set.", name=LANGUAGE_VARIABLE)
    return t("Of the commands too. Amounts are written in the Brazilian way in every language.")
