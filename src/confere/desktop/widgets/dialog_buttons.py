"""What dialogs share: the row of buttons of one that does one thing or nothing, texts that outlive a cancelled one, and
a size that the screen has."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping

from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QBoxLayout, QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from confere.desktop.core.window_memory import Draft
from confere.desktop.widgets.form import text
from confere.system.messages import t

_TITLE_BAR = 32  # what a window manager adds above
_WINDOW_EDGE = 6  # and below, which is not known before it has done so


def buttons_of(dialog: QDialog, does: QPushButton) -> QDialogButtonBox:
    """Cancel, and `does`: what the dialog is for, which Enter presses too."""
    # With its dialog from the start: a button that is in none yet becomes nobody's default.
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, dialog)
    box.button(QDialogButtonBox.StandardButton.Cancel).setText(t("Cancel"))
    does.setProperty("look", "primary")
    box.addButton(does, QDialogButtonBox.ButtonRole.AcceptRole)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    does.setDefault(True)
    submit_by_keys(dialog, does)
    return box


def submit_by_keys(dialog: QDialog, does: QPushButton) -> None:
    """Ctrl+Enter presses `does` too, also out of a text in which Enter begins a line."""
    for keys in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(keys), dialog, does.click)


def keep_draft(
    dialog: QDialog,
    drafts: MutableMapping[Hashable, Draft],
    about: Hashable,
    *fields: QLineEdit | QPlainTextEdit,
) -> None:
    """Put what was typed there before and not used back into `fields`; Esc keeps what is typed now among `drafts`.

    `about` is what the texts are about, such as a selection. Where `fields` say something else by now than when that
    was typed, the dialog shows it. For a dialog that is laid out, with its buttons last.
    """
    before = _texts(fields)
    known = drafts.get(about)
    if known is not None:
        for field, typed in zip(fields, known.typed, strict=True):
            if isinstance(field, QPlainTextEdit):
                field.setPlainText(typed)
                field.moveCursor(QTextCursor.MoveOperation.End)
            else:
                field.setText(typed)
        layout = dialog.layout()
        if isinstance(layout, QBoxLayout):
            layout.insertWidget(layout.count() - 1, text(t("Typed before and not used yet."), "muted"))
            changed = [now for was, now in zip(known.before, before, strict=True) if was != now]
            if changed:
                words = t("It was changed elsewhere since, and says now: {text}", text=", ".join(changed) or "-")
                layout.insertWidget(layout.count() - 1, text(words, "warn", selectable=True))

    def ended(result: int) -> None:
        typed = _texts(fields)
        if result == QDialog.DialogCode.Accepted or typed == before or not any(part.strip() for part in typed):
            drafts.pop(about, None)
        else:
            drafts[about] = Draft(before, typed)

    dialog.finished.connect(ended)


def _texts(fields: tuple[QLineEdit | QPlainTextEdit, ...]) -> tuple[str, ...]:
    return tuple(field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text() for field in fields)


def resize_on_screen(dialog: QWidget, width: int, height: int) -> None:
    """Be so large, or as large as the screen has room for beside the system's bars."""
    room = dialog.screen().availableSize()
    dialog.resize(min(width, room.width()), min(height, room.height() - _TITLE_BAR))


def keep_on_screen(dialog: QWidget) -> None:
    """Move it up and to the left as far as it reaches beyond the screen: it was placed before it grew."""
    room, frame = dialog.screen().availableGeometry(), dialog.frameGeometry()
    beside = max(frame.right() - room.right(), 0)
    below = max(frame.bottom() + _WINDOW_EDGE - room.bottom(), 0)
    if beside or below:
        dialog.move(max(frame.left() - beside, room.left()), max(frame.top() - below, room.top()))
