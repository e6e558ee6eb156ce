"""The Qt application of a window: style, language of Qt's own words, name and icon."""

from __future__ import annotations

import sys

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QStyleFactory

from confere.system.messages import language
from confere.system.resources import resource

DESKTOP_ID = "io.github.confere.Confere"


def make_application() -> QApplication:
    """The one QApplication of this process, drawn by Fusion, which looks the same everywhere."""
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
        application.installTranslator(translator)
