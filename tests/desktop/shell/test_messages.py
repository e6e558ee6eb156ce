"""Messages over the pages: nothing moves for them, good news goes by itself, and a keyboard comes to them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from confere.desktop.core import error_reporting
from confere.desktop.core.actions import PLACES, Action
from confere.desktop.shell.overlay import notice_card
from confere.desktop.shell.overlay.notice_overlay import NoticeOverlay
from confere.desktop.shell.window import MainWindow
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.notices import BAD, GOOD, INFO, WARN, Notices
from confere.errors import HubAddressRefused, message
from tests.desktop.conftest import Made
from tests.desktop.reaching import activate, open_main, show_place, standing


class Stage(QWidget):
    """Something that messages lie over: a button, a bar at the bottom."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.told = Notices(self)
        self.here, self.bar = QPushButton("Here"), QPushButton("Bar")
        column = QVBoxLayout(self)
        column.addWidget(self.here)
        column.addStretch(1)
        column.addWidget(self.bar)
        self.notices = NoticeOverlay(self.told, look, self, self.bar)


@pytest.fixture
def stage(qtbot: QtBot, qapp: QApplication) -> Stage:
    made = Stage(Look(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(900, 560)
    made.show()
    activate(qtbot, made)
    return made


Places = dict[int, tuple[str, QRect]]
LONG = "The hub answered nothing for a long time, and then it said that it knows nothing of this. " * 3


@pytest.fixture
def main(qtbot: QtBot, made: Made) -> MainWindow:
    return open_main(qtbot, made.services)


def places_of(window: MainWindow) -> Places:
    """Where each widget that is seen stands on the screen, messages left out."""
    return {
        id(widget): (type(widget).__name__, QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()))
        for widget in (window, *window.findChildren(QWidget))
        if widget.isVisible() and widget is not window.notices and not window.notices.isAncestorOf(widget)
    }


def places_at_rest(qtbot: QtBot, window: MainWindow) -> Places:
    """As `places_of`, once a page has laid out what it read."""
    looks: list[Places] = []

    def is_at_rest() -> bool:
        looks.append(places_of(window))
        return looks[-3:] == [looks[-1]] * 3

    qtbot.waitUntil(is_at_rest)
    return looks[-1]


def tell_everything(notices: Notices) -> None:
    notices.add(GOOD, "Saved.")
    notices.add(WARN, LONG, action=("Show what failed", lambda: None))
    notices.add(INFO, "Something else.")
    refusal = HubAddressRefused(message("The address is none."), message("Copy it from the hub."))
    notices.add_fault(error_reporting.of_exception(refusal))


def at_rest() -> None:
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def covered(window: MainWindow) -> list[str]:
    """The buttons that a message lies over, but for those that can be scrolled from under it."""
    over = QRect(window.notices.mapToGlobal(QPoint(0, 0)), window.notices.size())
    found = []
    for button in window.findChildren(QAbstractButton):
        parent: QWidget | None = button
        while parent is not None and parent is not window.notices and not isinstance(parent, QAbstractScrollArea):
            parent = parent.parentWidget()
        place = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
        if parent is None and button.isVisible() and over.intersects(place):
            found.append(button.accessibleName() or button.text())
    return found


@pytest.mark.usefixtures("no_pdfs")
@pytest.mark.parametrize("size", [(1280, 720), (960, 540)])
def test_no_message_covers_what_can_be_pressed(qtbot: QtBot, main: MainWindow, size: tuple[int, int]) -> None:
    main.resize(*size)
    refusal = HubAddressRefused(message("The address is none."), message("Copy it from the hub."))
    main.services.notices.add_fault(error_reporting.of_exception(refusal))
    main.services.notices.add(BAD, LONG, action=("Show what failed", lambda: None))
    for place in PLACES:
        show_place(qtbot, main, place)
        at_rest()
        assert covered(main) == [], place
    main.go_to(Action.DOCUMENTS)
    for tab in ("summary", "items", "history", "relations", "xml"):
        main.details.show_tab(tab)
        at_rest()
        assert covered(main) == [], tab
    main.go_to(Action.RECONCILE)
    main.reconcile.footer.undo.show()  # after something was decided
    at_rest()
    assert covered(main) == []
    assert main.notices.height() > 60


@pytest.mark.usefixtures("no_pdfs")
def test_nothing_on_any_page_moves_for_a_message(qtbot: QtBot, main: MainWindow) -> None:
    for place in PLACES:
        show_place(qtbot, main, place)
        focused = standing()
        before = places_at_rest(qtbot, main)
        assert len(before) > 20, place
        tell_everything(main.services.notices)
        at_rest()
        assert main.notices.isVisible()
        assert places_of(main) == before, place
        main.notices.more.click()
        at_rest()
        assert len(main.notices.cards) == 4
        assert places_of(main) == before, place
        main.notices.close_all.click()
        at_rest()
        assert not main.notices.isVisible()
        assert places_of(main) == before, place
        assert standing() is focused, place


def test_a_keyboard_comes_to_them_and_esc_closes_one_after_the_other(qtbot: QtBot, main: MainWindow) -> None:
    main.services.notices.add(BAD, "one")
    main.services.notices.add(BAD, "two", action=("Look", lambda: None))
    at_rest()
    here = main.sidebar.buttons[Action.ACTIVITY]
    here.setFocus()
    QTest.keySequence(here, QKeySequence("Ctrl+M"))
    assert standing().text() == "Look"
    QTest.keyClick(standing(), Qt.Key.Key_Escape)
    assert main.notices.texts == ["one"]
    assert standing() is main.notices.cards[0].close_button
    QTest.keyClick(standing(), Qt.Key.Key_Escape)
    assert main.notices.texts == []
    assert standing() is here
    assert not main.actions_by_act[Action.MESSAGES].isEnabled()


def test_two_are_seen_and_a_number_stands_for_the_rest(qtbot: QtBot, stage: Stage) -> None:
    tell_everything(stage.told)
    stage.told.add(GOOD, "Saved again.")
    at_rest()
    overlay = stage.notices
    assert overlay.more.text() == "+3"
    assert [card.notice.text for card in overlay.cards] == overlay.texts[:2]
    assert [card.isVisible() for card in overlay._lines] == [True, True, False, False, False]
    overlay.more.click()
    at_rest()
    assert all(card.isVisible() for card in overlay._lines)
    for card in overlay.cards[:3]:
        card.close_button.click()
    at_rest()
    assert len(overlay.texts) == 2
    assert not overlay.more.isVisible()


def test_one_that_has_room_again_is_whole(qtbot: QtBot, stage: Stage) -> None:
    """Whatever its length: beside a scroll bar that nobody needs any more, its text would take one line more."""
    overlay = stage.notices
    for letters in range(40, 200, 4):
        stage.told.add(BAD, (LONG + LONG)[:letters], action=("Details", lambda: None))
        stage.resize(900, 130)
        at_rest()
        stage.resize(900, 560)
        at_rest()
        assert not overlay._scroll.verticalScrollBar().isVisible(), letters
        overlay.cards[0].close_button.click()
        at_rest()


@pytest.mark.parametrize("size", [(900, 560), (1280, 720)])
def test_they_lie_inside_the_window_above_the_status_bar(qtbot: QtBot, stage: Stage, size: tuple[int, int]) -> None:
    stage.resize(*size)
    for number in range(9):
        stage.told.add(BAD, f"{number}: {LONG}")
    stage.notices.more.click()
    at_rest()
    overlay, whole = stage.notices, stage
    assert whole.rect().contains(overlay.geometry())
    assert overlay.geometry().bottom() < stage.bar.geometry().top()
    stage.resize(size[0] + 60, size[1] + 40)
    at_rest()
    assert whole.width() - overlay.geometry().right() < 40
    assert stage.bar.geometry().top() - overlay.geometry().bottom() < 40


def test_good_news_goes_by_itself_and_failure_stays(
    qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_card, "FADES_AFTER_MS", 1)
    stage.told.add(BAD, "failed")
    stage.told.add(WARN, "odd")
    stage.told.add(GOOD, "Saved.")
    qtbot.waitUntil(lambda: stage.notices.texts == ["odd", "failed"])
    assert all(card.isVisible() for card in stage.notices.cards)


@pytest.mark.parametrize("moves", [False, True])
def test_it_fades_only_where_movement_is_wanted(
    qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    monkeypatch.setattr(notice_card, "_may_animate", lambda _card: moves)
    stage.told.add(GOOD, "Saved.")
    (card,) = stage.notices.cards
    card._time_is_up()
    assert (card._fading is not None) == moves
    assert stage.notices.texts == (["Saved."] if moves else [])
    qtbot.waitUntil(lambda: stage.notices.texts == [])


def test_it_stays_while_somebody_is_on_it(qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice_card, "_may_animate", lambda _card: False)
    stage.told.add(GOOD, "Saved.", action=("Open", lambda: None))
    (card,) = stage.notices.cards
    for holds in (card.take_keyboard, lambda: card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)):
        holds()
        card._time_is_up()
        assert stage.notices.texts == ["Saved."]
        stage.here.setFocus()
    card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    card._time_is_up()
    assert stage.notices.texts == []


def test_the_mouse_stops_one_that_had_begun_to_fade(
    qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_card, "_may_animate", lambda _card: True)
    stage.told.add(GOOD, "Saved.")
    (card,) = stage.notices.cards
    card._time_is_up()
    card._hold()
    assert card.graphicsEffect() is None
    card.begin_to_pass()
    assert card._wait.isActive()
    assert stage.notices.texts == ["Saved."]


def test_under_the_mouse_nothing_changes_its_place(qtbot: QtBot, stage: Stage) -> None:
    for name in ("one", "two"):
        stage.told.add(BAD, name)
    at_rest()
    overlay = stage.notices
    before = [(card, card.mapToGlobal(QPoint(0, 0))) for card in overlay.cards]
    overlay.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    stage.told.add(BAD, "three")
    at_rest()
    assert [(card, card.mapToGlobal(QPoint(0, 0))) for card, _ in before] == before
    assert overlay.more.text() == "+1"
    overlay.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    QApplication.sendEvent(overlay, QEvent(QEvent.Type.Leave))
    assert [card.isVisible() for card in overlay._lines] == [True, True, False]


def test_one_that_is_mended_gives_the_keyboard_back(qtbot: QtBot, stage: Stage) -> None:
    here = stage.here
    here.setFocus()
    stage.told.add(BAD, "one", topic="a")
    stage.notices.take_keyboard()
    stage.told.withdraw("a")
    at_rest()
    assert standing() is here


def test_a_screen_reader_is_told(qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: heard.append(event.message()))
    stage.told.add(GOOD, "Saved.")
    assert heard == ["Saved."]
    assert isinstance(stage.notices, NoticeOverlay)
