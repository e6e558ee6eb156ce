"""The Qt application of a window: style, language of Qt's own words, name and icon."""

from __future__ import annotations

import sys

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QStyleFactory

from confere.system.messages import language
from confere.system.resources import resource

DESKTOP_ID = "io.github.confere.Confere"
_SWITCH_S = 0.001
"""How long a reading thread may keep Python from the window's thread. Painting asks for it back some hundred times: at
Python's own five milliseconds a busy reader makes one painting of a list last a quarter of a second."""


def make_application() -> QApplication:
    """The one QApplication of this process, drawn by Fusion, which looks the same everywhere."""
    sys.setswitchinterval(_SWITCH_S)
    found = QApplication.instance()
    application = found if isinstance(found, QApplication) else QApplication(sys.argv[:1])
    application.setStyle(QStyleFactory.create("Fusion"))
    application.setApplicationName("Confere")
    application.setApplicationDisplayName("Confere")
    application.setDesktopFileName(DESKTOP_ID)
    application.setWindowIcon(QIcon(str(resource("icons", "confere.svg"))))
    return application


def speak(application: QApplication) -> None:
    """Let Qt's own words (buttons, menus of fields) and numbers follow the language in use."""
    code = language()
    QLocale.setDefault(QLocale(code))
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    translator = QTranslator(application)
    if translator.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(_WithoutAltKey(translator, application))  # asked after the other
        application.installTranslator(translator)


class _WithoutAltKey(QTranslator):
    """Finds a text whose Alt key Qt added after it was translated: "&Look in:" is known as "Look in:" only."""

    def __init__(self, words: QTranslator, parent: QApplication) -> None:
        super().__init__(parent)
        self._words = words

    def isEmpty(self) -> bool:
        """Whether it knows nothing: Qt asks no empty one."""
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """The translation, or None, which is Qt's "not known"; an empty text would be shown."""
        if "&" not in text:
            return None
        return self._words.translate(context, text.replace("&", ""), disambiguation, n) or None
