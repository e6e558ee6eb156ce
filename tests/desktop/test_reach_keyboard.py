"""Every window and dialog by keyboard alone: each control has a name, Tab comes to it, and nothing traps Tab."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.actions import PLACES, Act
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.reaching import controls, name_of, open_main, standing, stops, walk, where

_SHOW = QEvent.Type.Show
SPARE = 40  # presses beyond one for each stop: links inside a text are stops too


@pytest.fixture(params=[*(f"{name}" for name in reaching.FILLED), *(f"empty: {name}" for name in reaching.EMPTY)])
def scene(request: pytest.FixtureRequest, qtbot: QtBot) -> QWidget:
    """Each window and dialog in turn."""
    name: str = request.param
    empty = name.startswith("empty: ")
    made: Made = request.getfixturevalue("made_empty" if empty else "made")
    scenes = reaching.EMPTY if empty else reaching.FILLED
    main = open_main(qtbot, made.services)
    request.addfinalizer(main.hide)
    return scenes[name.removeprefix("empty: ")](qtbot, main)


def test_every_control_has_a_name_and_an_icon_a_tooltip(scene: QWidget) -> None:
    every = controls(scene)
    assert every
    assert not [where(widget) for widget in every if not name_of(widget)]
    icons = [
        widget
        for widget in every
        if isinstance(widget, QAbstractButton)
        and (not widget.text() or (isinstance(widget, QToolButton) and _shows_icon_only(widget)))
    ]
    assert not [where(widget) for widget in icons if not widget.toolTip()]


def _shows_icon_only(button: QToolButton) -> bool:
    only_icon = button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    return only_icon and not button.icon().isNull()


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab], ids=["tab", "shift-tab"])
def test_tab_comes_to_every_control_and_round_again(scene: QWidget, key: Qt.Key) -> None:
    wanted = stops(scene)
    assert wanted
    wanted[0].setFocus(Qt.FocusReason.TabFocusReason)
    began = standing()
    seen = [began, *walk(scene, key, len(wanted) + SPARE)]
    assert seen[-1] is began, [where(widget) for widget in seen[-3:]]
    assert not [where(widget) for widget in wanted if not _was_reached(widget, seen)]


def _was_reached(widget: QWidget, seen: list[QWidget]) -> bool:
    """By itself, by what stands for it, or by the chosen one of a group in which arrows go from one to the next."""
    proxy = widget.focusProxy()
    if widget in seen or (proxy is not None and _was_reached(proxy, seen)):
        return True
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and any(button in seen for button in group.buttons())


def test_what_can_be_clicked_can_be_pressed_by_keyboard(scene: QWidget) -> None:
    buttons = [widget for widget in controls(scene) if isinstance(widget, QAbstractButton) and widget.isEnabled()]
    deaf = [button for button in buttons if not button.focusPolicy() & reaching.TAB]
    assert not [where(button) for button in deaf if button.group() is None or not button.group().exclusive()]


def test_arrows_go_through_the_places_of_the_sidebar(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    main.sidebar.buttons[Act.OVERVIEW].setFocus()
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
    for name in ("archive", "names", "look"):
        qtbot.keyClick(standing(), Qt.Key.Key_Down)
        reaching.settle(qtbot, made.services)
        assert main.settings.section == name
        assert standing() is main.settings.places[name]


def test_nothing_shows_as_a_window_of_its_own(qtbot: QtBot, qapp: QApplication, made: Made) -> None:
    """A widget that is shown before it stands in another one flashes as a window and takes the keyboard with it."""
    shown = _Shown()
    qapp.installEventFilter(shown)
    main = open_main(qtbot, made.services)
    wanted = {where(main)}
    for name, scene in reaching.FILLED.items():
        found = scene(qtbot, main)
        if found is not main:
            wanted.add(where(found))
            found.close()
            main.activateWindow()
            qtbot.waitUntil(main.isActiveWindow)
        assert main.isActiveWindow(), name
    qapp.removeEventFilter(shown)
    assert set(shown.windows) <= wanted


class _Shown(QObject):
    """Notes every window that shows."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == _SHOW and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(where(watched))
        return False
