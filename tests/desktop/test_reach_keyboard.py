"""Every window and dialog by keyboard alone: each control has a name, Tab comes to it, and nothing traps Tab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from confere.desktop.core.actions import PLACES, Action
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.reaching import (
    controls,
    every_scene,
    name_of,
    open_main,
    show_place,
    standing,
    stops,
    walk,
    where,
)

_SHOW = QEvent.Type.Show
_WIDGET = Qt.ShortcutContext.WidgetShortcut  # heard by one list only
SPARE = 40  # presses beyond one for each stop: links inside a text are stops too


@pytest.mark.usefixtures("no_pdfs")
@pytest.mark.parametrize(
    ("archive", "scenes"), [("made", reaching.FILLED), ("made_empty", reaching.EMPTY)], ids=["filled", "empty"]
)
def test_every_window_and_dialog_is_in_use_by_keyboard_alone(
    request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication, archive: str, scenes: dict[str, reaching.Scene]
) -> None:
    """A widget that is shown before it stands in another one flashes as a window and takes the keyboard with it."""
    made: Made = request.getfixturevalue(archive)
    opened = _Opened()
    qapp.installEventFilter(opened)
    main = open_main(qtbot, made.services)
    found, wanted = {}, {where(main)}
    for name, shown in every_scene(qtbot, main, scenes):
        qapp.removeEventFilter(opened)
        wanted.add(where(shown))
        problems = [] if shown.isActiveWindow() else ["it has not the keyboard"]
        problems += out_of_reach(shown)
        if shown is main and "F5" not in [key.toString() for key in _keys_of(shown)]:
            problems.append("F5 is not among its keys")
        if problems:
            found[name] = problems
        qapp.installEventFilter(opened)
    qapp.removeEventFilter(opened)
    main.hide()
    assert found == {}
    assert set(opened.windows) <= wanted


class _Opened(QObject):
    """Notes every window that shows."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == _SHOW and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(where(watched))
        return False


def out_of_reach(window: QWidget) -> Iterator[str]:
    """What in this window a keyboard or a screen reader cannot do."""
    every = controls(window)
    if not every:
        yield "there is no control"
    for widget in every:
        if not name_of(widget):
            yield f"no name: {where(widget)}"
        if isinstance(widget, QAbstractButton):
            if _is_icon_only(widget) and not widget.toolTip():
                yield f"an icon without a tooltip: {where(widget)}"
            if widget.isEnabled() and not widget.focusPolicy() & reaching.TAB and not _is_one_of_several(widget):
                yield f"only for the mouse: {where(widget)}"
    for key, times in Counter(key.toString() for key in _keys_of(window)).items():
        if times > 1:
            yield f"{key} means {times} things"
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        yield from _not_come_to(window, key)


def _is_icon_only(button: QAbstractButton) -> bool:
    if not button.text():
        return True
    only_icon = isinstance(button, QToolButton) and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    return only_icon and not button.icon().isNull()


def _is_one_of_several(button: QAbstractButton) -> bool:
    """One of a group in which arrows go from one to the next."""
    return button.group() is not None and button.group().exclusive()


def _not_come_to(window: QWidget, key: Qt.Key) -> Iterator[str]:
    """What this key does not come to on its way round, or where it stays."""
    wanted = stops(window)
    if not wanted:
        yield f"{key.name}: nothing takes the keyboard"
        return
    wanted[0].setFocus(Qt.FocusReason.TabFocusReason)
    began = standing()
    seen = [began, *walk(window, key, len(wanted) + SPARE)]
    if seen[-1] is not began:
        yield f"{key.name} does not come round again: {[where(widget) for widget in seen[-3:]]}"
    yield from (f"{key.name} does not come to {where(widget)}" for widget in wanted if not _was_reached(widget, seen))


def _was_reached(widget: QWidget, seen: list[QWidget]) -> bool:
    """By itself, by what stands for it, or by the chosen one of its group."""
    proxy = widget.focusProxy()
    if widget in seen or (proxy is not None and _was_reached(proxy, seen)):
        return True
    if isinstance(widget, QAbstractButton) and _is_one_of_several(widget):
        return any(button in seen for button in widget.group().buttons())
    return False


def _keys_of(window: QWidget) -> list[QKeySequence]:
    """Everything that listens to keys in this window wherever the keyboard stands, letters underlined included."""
    actions = {
        action
        for widget in (window, *window.findChildren(QWidget))
        if widget.window() is window and widget.isVisibleTo(window)
        for action in widget.actions()
        if action.shortcutContext() != _WIDGET
    }
    found = [key for action in actions if isinstance(action, QAction) for key in action.shortcuts()]
    shortcuts = [entry for entry in window.findChildren(QShortcut) if entry.context() != _WIDGET]
    found += [key for entry in shortcuts if _of(entry, window) for key in entry.keys()]  # noqa: SIM118
    buttons = [entry for entry in window.findChildren(QAbstractButton) if entry.window() is window]
    found += [entry.shortcut() for entry in buttons if entry.isVisibleTo(window)]
    return [key for key in found if not key.isEmpty()]


def _of(shortcut: QShortcut, window: QWidget) -> bool:
    parent = shortcut.parent()
    return isinstance(parent, QWidget) and parent.window() is window


def test_what_is_out_of_reach_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    nameless, mouse_only, trap = QLineEdit(), QPushButton("&Mouse"), QPlainTextEdit()
    icon = QToolButton()
    icon.setAccessibleName("Icon")
    icon.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    mouse_only.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    trap.setAccessibleName("Trap")
    for widget in (nameless, icon, mouse_only, QPushButton("&Mark"), trap, QPushButton("Beyond")):
        row.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    found = [problem.partition(":")[0].partition(" QPushButton")[0] for problem in out_of_reach(window)]
    assert found == [
        "no name",
        "an icon without a tooltip",
        "only for the mouse",
        "Alt+M means 2 things",
        "Key_Tab does not come round again",
        "Key_Tab does not come to",
    ]


def test_arrows_go_through_the_places_of_the_sidebar(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    main.sidebar.buttons[Action.OVERVIEW].setFocus()
    for place in PLACES[1:]:
        qtbot.keyClick(standing(), Qt.Key.Key_Down)
        reaching.settle(qtbot, made.services)
        assert main.place is place
        assert standing() is main.sidebar.buttons[place]
    qtbot.keyClick(standing(), Qt.Key.Key_Up)
    assert main.place is PLACES[-2]


def test_arrows_go_through_the_sections_of_the_settings(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    reaching.FILLED["settings accounts"](qtbot, main)
    main.settings.places["accounts"].setFocus()
    for name in ("archive", "schedule", "terms", "names", "look"):
        qtbot.keyClick(standing(), Qt.Key.Key_Down)
        reaching.settle(qtbot, made.services)
        assert main.settings.section == name
        assert standing() is main.settings.places[name]


def test_every_menu_is_called_as_what_opens_it(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    for place in PLACES:
        show_place(qtbot, main, place)
    menus = [menu for menu in main.findChildren(QMenu) if isinstance(menu.parent(), QAbstractButton)]
    assert len(menus) > 20
    assert [menu.parent() for menu in menus if not menu.accessibleName()] == []
