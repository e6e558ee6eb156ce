"""The camera of the pictures refuses what shows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.services import Services
from tests.pictures.camera import BlankPicture, Camera


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def _shown(qtbot: QtBot, widget: QWidget) -> QWidget:
    qtbot.addWidget(widget)
    widget.resize(300, 200)
    widget.show()
    return widget


def test_a_screen_with_something_on_it_is_kept(qtbot: QtBot, services: Services, out: Path) -> None:
    camera = Camera(out, "label", "@2")
    camera.keep(_shown(qtbot, QLabel("NF-e 1/3852, R$ 1.025,44")), "label-light", services)
    camera.keep(_shown(qtbot, QLabel("another")), "left-out", services)
    assert [path.name for path in out.iterdir()] == ["label-light@2.png"]
    assert camera.taken == 1


def test_what_shows_nothing_is_refused(qtbot: QtBot, services: Services, out: Path) -> None:
    camera = Camera(out, "", "")
    with pytest.raises(BlankPicture, match="blank-page: the picture is blank"):
        camera.keep(_shown(qtbot, QWidget()), "blank-page", services)
    label = _shown(qtbot, QLabel("NF-e 1/3852, R$ 1.025,44"))
    camera.keep(label, "first", services)
    with pytest.raises(BlankPicture, match="second: the picture is the same as first"):
        camera.keep(label, "second", services)
    with pytest.raises(BlankPicture, match="the menu is empty"):
        camera.keep(label, "third", services, QMenu(label), label.pos())
    label.hide()
    with pytest.raises(BlankPicture, match="hidden"):
        camera.keep(label, "fourth", services)
    assert [path.name for path in out.iterdir()] == ["first.png"]
