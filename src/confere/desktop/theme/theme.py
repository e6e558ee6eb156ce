"""The look in use: palette and style sheet, following the system or fixed, told to whoever paints by hand."""

from __future__ import annotations

import string

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from confere.desktop.theme import icons
from confere.desktop.theme.palettes import DARK, LIGHT, Colours
from confere.system.resources import resource

SYSTEM, FIXED_LIGHT, FIXED_DARK = "system", "light", "dark"

# What the system draws itself, title bars and dialogs for files, is to be light or dark with the rest.
_SCHEMES = {FIXED_LIGHT: Qt.ColorScheme.Light, FIXED_DARK: Qt.ColorScheme.Dark}
_AS_THE_SYSTEM = Qt.ColorScheme.Unknown
_DRAWINGS = ("arrow", "up", "tick", "check", "dot")  # each once for light and once for dark


class Look(QObject):
    """Applies the palette to the application; `changed` comes after another one was applied.

    `density_changed` comes when the rows of lists are to be higher or lower.
    """

    changed = Signal()
    density_changed = Signal()

    def __init__(
        self,
        application: QApplication,
        appearance: str = SYSTEM,
        *,
        is_compact: bool = False,
        styles_later: bool = False,
    ) -> None:
        """`styles_later` leaves the style sheet to the first `apply_styles`."""
        super().__init__(application)
        self._is_compact = is_compact
        self._styles_later = styles_later
        self._application = application
        self._appearance = appearance
        self._icons: dict[tuple[str, str, bool], QIcon] = {}  # of both palettes: drawing one costs more than keeping it
        self.colours = LIGHT
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def appearance(self) -> str:
        return self._appearance

    @property
    def is_compact(self) -> bool:
        """Whether the rows of lists stand close."""
        return self._is_compact

    def let_rows_stand_close(self, is_compact: bool) -> None:
        """Lists take it at once."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.density_changed.emit()

    def use(self, appearance: str) -> None:
        """Follow the system, or be light or dark whatever it is."""
        self._appearance = appearance
        self._apply()

    def icon(self, name: str, role: str = "text") -> QIcon:
        """The icon in the colour of that role (a field of `Colours`); ask again after `changed`."""
        known = (name, role, self.colours.is_dark)
        if known not in self._icons:
            self._icons[known] = icons.icon(name, getattr(self.colours, role), self.colours.strong_line)
        return self._icons[known]

    def picture(self, name: str, role: str, size: int, density: float) -> QPixmap:
        """The drawing as large as a picture, for a screen of `density` device pixels to a logical one."""
        return icons.pixmap(name, getattr(self.colours, role), size, density)

    def apply_styles(self) -> None:
        """Set the style sheet that was left for later.

        Where there is one, Qt hands it to all that stands in a widget whenever that is put into another one: a window
        is put together in half the time without.
        """
        self._styles_later = False
        self._set_sheet()

    def _system_changed(self) -> None:
        if self._appearance == SYSTEM:
            self._apply()

    def _apply(self) -> None:
        hints = self._application.styleHints()
        hints.setColorScheme(_SCHEMES.get(self._appearance, _AS_THE_SYSTEM))
        dark = self._appearance == FIXED_DARK or (
            self._appearance == SYSTEM and hints.colorScheme() == Qt.ColorScheme.Dark
        )
        self.colours = DARK if dark else LIGHT
        self._application.setPalette(palette_of(self.colours))
        if not self._styles_later:
            self._set_sheet()
        self.changed.emit()

    def _set_sheet(self) -> None:
        sheet = style_sheet(self.colours)
        if self._application.styleSheet() != sheet:  # the same again would polish every widget anew for nothing
            # In place of another one Qt polishes each widget once for every widget that it stands in: measured 2.3 s
            # of processor with every page open, against 0.4 s by way of none.
            self._application.setStyleSheet("")
            self._application.setStyleSheet(sheet)


def palette_of(colours: Colours) -> QPalette:
    """Every role of Qt's palette, so that no colour of the system shines through."""
    palette = QPalette()
    role = QPalette.ColorRole
    for which, name in (
        (role.Window, colours.window),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Text, colours.text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.bad),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.accent),
        (role.Highlight, colours.accent_soft),
        (role.HighlightedText, colours.text),
        (role.Accent, colours.accent),
        (role.Light, colours.raised),
        (role.Midlight, colours.raised),
        (role.Mid, colours.line),
        (role.Dark, colours.strong_line),
        (role.Shadow, colours.line),
    ):
        palette.setColor(which, QColor(name))
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.muted))
    return palette


def style_sheet(colours: Colours) -> str:
    """The one style sheet with its `$names` filled in from the colours."""
    text = resource("theme", "confere.qss").read_text(encoding="utf-8")
    shade = "dark" if colours.is_dark else "light"
    names = {name: str(value) for name, value in colours._asdict().items()}
    drawings = {name: resource("theme", f"{name}-{shade}.svg").as_posix() for name in _DRAWINGS}
    return string.Template(text).substitute(names, **drawings)
