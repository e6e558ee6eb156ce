"""Where the story plays: the sandbox, the seller's session, the listener, and the calls of the step under way."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from confere.app.context import Workspace
from confere.app.listening.listen import ListenRequest, listen
from confere.app.sandbox.sandbox import RunningSandbox
from confere.errors import ConfereError, Message, message
from confere.system.processes.cancellation import Stop
from confere.system.progress import Progress

if TYPE_CHECKING:
    from confere.hub.session import HubSession

ACCOUNT: Final = "story"
CALLBACKS: Final = "/callbacks/story"
PATIENCE: Final = 60.0
"""Seconds that the story waits for what must come by itself: a hook's answer, a notification, an early shipment."""
_LOOK: Final = 0.05


class StoryBroken(Exception):
    """What a step expected did not hold; `why` says what was seen instead."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class StoryCall:
    """A request as it was sent, with its body, and what came of it: the status, or the outcome in one word."""

    request: str
    body: str
    answer: str


class StoryCheck(NamedTuple):
    """What a step looked at, and the value that it found there as it had to be."""

    what: str
    seen: str


class StoryListener:
    """`confere listen` in a thread of its own; what it notes is what it did."""

    def __init__(self, workspace: Workspace) -> None:
        self.notes: list[Message] = []
        self._stop = Stop()
        self._workspace = workspace
        self._error: ConfereError | None = None
        self._thread = threading.Thread(target=self._listen, name="story listener", daemon=True)

    @property
    def address(self) -> str:
        """Where it takes notifications."""
        return f"{self.notes[0].params['address']}{CALLBACKS}"

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop it, and wait until it has ended. Nothing where it was never started."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def check(self) -> None:
        """Raise what ended it before its time."""
        if self._error is not None:
            raise self._error

    def progress(self, progress: Progress) -> None:
        """Ignore it."""

    def note(self, note: Message) -> None:
        self.notes.append(note)

    def noted(self, beginning: str) -> list[Message]:
        """The notes of which the message id begins so."""
        return [note for note in list(self.notes) if note.id.startswith(beginning)]

    def _listen(self) -> None:
        try:
            listen(self._workspace, ListenRequest(ACCOUNT, port=0, path=CALLBACKS), reporter=self, stop=self._stop)
        except ConfereError as error:
            self._error = error


@dataclass(slots=True)
class Scene:
    """What the steps share.

    `calls` and `checks` are those of the step under way; `kept` is what earlier steps leave to later ones.
    """

    workspace: Workspace
    hub: RunningSandbox
    session: HubSession
    listener: StoryListener
    stop: Stop
    calls: list[StoryCall] = field(default_factory=list)
    checks: list[StoryCheck] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)

    def seller(self, method: str, path: str, body: Any = None, **query: str) -> Any:
        """What the backoffice answers the seller's system. Raises `HubError` where it refuses."""
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        answer = self.session.send(method, path, query, content, read=lambda answer: answer)
        shown = f"{urlsplit(self.session.base).path}{path}" + (f"?{urlencode(query)}" if query else "")
        self.calls.append(StoryCall(f"{method} {shown}", _text(content), str(answer.status)))
        return json.loads(answer.body) if answer.body else None

    def file(self, item_id: str) -> bytes:
        """The bytes of a document's file at the hub."""
        path = f"/fiscalDocuments/download/{item_id}"
        answer = self.session.send("GET", path, {}, None, read=lambda answer: answer)
        self.calls.append(StoryCall(f"GET {urlsplit(self.session.base).path}{path}", "", str(answer.status)))
        return answer.body

    def panel(self, method: str, path: str, body: Any = None) -> Any:
        """What the sandbox's own panel answers: the seller's screens, the marketplace's invoices, the callbacks."""
        parts = urlsplit(self.hub.address)
        return self._panel(f"{parts.scheme}://{parts.netloc}", method, f"/sandbox{path}", body)

    def middleware(self) -> Any:
        """What the marketplace's middleware says of its ads and of the hooks that came."""
        assert self.hub.middleware is not None
        return self._panel(self.hub.middleware, "GET", "/panel", None)

    def note(self, call: StoryCall) -> None:
        """Add a call that a use case made."""
        self.calls.append(call)

    def check(self, holds: bool, why: Message) -> None:
        """Raises `StoryBroken` where something does not hold."""
        if not holds:
            raise StoryBroken(why)

    def equal(self, seen: object, wanted: object, what: str) -> None:
        """Raises `StoryBroken` where a value, called `what`, is another than it must be."""
        if seen != wanted:
            raise StoryBroken(
                message("{what} is {seen} instead of {wanted}.", what=what, seen=_shown(seen), wanted=_shown(wanted))
            )
        self.checks.append(StoryCheck(what, _shown(seen)))

    def wait(self, comes: Callable[[], bool], what: Message) -> None:
        """Look until something is so. Raises `StoryBroken` where it does not come, `Cancelled` when it was stopped."""
        end = time.monotonic() + PATIENCE
        while not comes():
            self.listener.check()
            if time.monotonic() > end:
                raise StoryBroken(what)
            self.stop.wait(_LOOK)
            self.stop.check()

    def _panel(self, root: str, method: str, path: str, body: Any) -> Any:
        from confere.hub.sandbox_control import call_panel

        answer = call_panel(root, method, path, body)
        content = "" if body is None else json.dumps(body, ensure_ascii=False)
        self.calls.append(StoryCall(f"{method} {path}", content, str(answer.status)))
        self.check(
            answer.status == 200,
            message(
                "The sandbox answered {status} to {request}.", status=str(answer.status), request=f"{method} {path}"
            ),
        )
        return answer.content


def _shown(value: object) -> str:
    """A value as the hub's JSON has it; a text without its quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text(content: bytes | None) -> str:
    return "" if content is None else content.decode("utf-8")
