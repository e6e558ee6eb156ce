"""What the record of the screens' texts sees: every text that a person reads or hears, and nothing that is hidden."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.pictures.texts import TextRecorder, texts_of


def test_every_text_is_seen_and_a_changed_one_differs(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    label, button, field, table = QLabel("Valor"), QPushButton("Salvar"), QLineEdit(), QTableWidget(1, 2)
    hidden = QLabel("nunca")
    field.setPlaceholderText("Procurar")
    field.setAccessibleName("Busca")
    button.setToolTip("Salva <b>tudo</b>")
    table.setHorizontalHeaderLabels(["Número", "Total"])
    table.setItem(0, 0, QTableWidgetItem("1/20"))
    for widget in (label, button, field, table, hidden):
        layout.addWidget(widget)
    hidden.hide()
    window.setWindowTitle("Notas")
    window.show()
    texts = list(texts_of(window))
    assert {"title: Notas", "text: Valor", "button: Salvar", "hint: Procurar", "name: Busca"} <= set(texts)
    assert "head: Número | Total" in texts and "row: 1/20 |" in texts
    assert "text: nunca" not in texts
    label.setText("Preço")
    assert list(texts_of(window)) != texts


def test_what_passes_is_left_out() -> None:
    recorder = TextRecorder(("23/11/2026",))
    assert recorder._steady("Sincronizada em 23/11/2026, 12:30") == "Sincronizada em TODAY, TIME"
    assert TextRecorder(("2026-11-23",))._steady('"date": "2026-11-23T12:30:00Z"') == '"date": "TODAY TIME"'
    assert recorder._steady("notas NF-e 1/9, NF-e 1/8") == "notas NF-e 1/8, NF-e 1/9"
