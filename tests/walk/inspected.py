"""The window's own process with a reader of its widgets beside it: `python -m tests.walk.inspected SOCKET [ARGUMENT…]`.

The program is the real one, from its entry point. Beside it a local socket answers each line with what is on screen,
and each message is looked at as it comes: where every widget stood before it, and where it stands while it shows.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from confere.__main__ import main
from confere.desktop.core.application import make_application
from confere.desktop.widgets.notices import Notices
from tests.walk import widget_report
from tests.walk.widget_report import Place

_LAID_OUT_MS = 60  # after which a page whose layout was asked for again is laid out


class Inspector:
    """Answers whoever connects, one JSON line for each line that comes in."""

    def __init__(self, name: str) -> None:
        self._moves: list[dict[str, Any]] = []
        self._messages: list[str] = []
        self._server = QLocalServer()
        assert self._server.listen(name), self._server.errorString()
        self._server.newConnection.connect(self._connected)
        self._watch_messages()

    def _connected(self) -> None:
        line = self._server.nextPendingConnection()
        line.readyRead.connect(partial(self._answer, line))
        self._answer(line)  # what came before anybody listened

    def _answer(self, line: QLocalSocket) -> None:
        while line.canReadLine():
            line.readLine()
            found = widget_report.report() | {"moves": self._moves, "messages": self._messages}
            line.write(json.dumps(found).encode() + b"\n")
            line.flush()

    def _watch_messages(self) -> None:
        """Look before a message is handed on, and again when it shows."""
        for name in ("add", "add_fault"):
            setattr(Notices, name, self._looking(getattr(Notices, name)))

    def _looking(self, add: Any) -> Any:
        def looks(notices: Notices, *given: Any, **named: Any) -> None:
            before = widget_report.places()
            add(notices, *given, **named)
            message = " ".join(str(part) for part in given)
            self._messages.append(message)
            QTimer.singleShot(0, partial(self._compare, message, before, 0))
            QTimer.singleShot(_LAID_OUT_MS, partial(self._compare, message, before, _LAID_OUT_MS))

        return looks

    def _compare(self, message: str, before: dict[int, Place], after: int) -> None:
        for number, now in widget_report.places().items():
            old = before.get(number)
            if old is None or old.content_height != now.content_height:  # a page that says more than before is longer
                continue
            if not _stays(old.rect, now.rect):
                self._moves.append(
                    {"message": message, "widget": now.called, "from": old.rect, "to": now.rect, "ms": after}
                )


def _stays(before: list[int], now: list[int]) -> bool:
    """Its top and its left or right edge are where they were: a text may have grown to the other side."""
    return before[1] == now[1] and (before[0] == now[0] or before[0] + before[2] == now[0] + now[2])


if __name__ == "__main__":
    socket = sys.argv.pop(1)
    application = make_application()
    inspector = Inspector(socket)
    main()
