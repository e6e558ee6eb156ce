"""What probes work with: a hub on loopback, plain HTTP, a data folder with an account at it, and what was called."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx

from confere.system import messages
from confere.system.language_choice import LANGUAGE_VARIABLE
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import spoken
from tests.loopback import LOOPBACK
from tests.one_command_line import one_command_line

NOW = "2026-07-15T12:00:00-03:00"
WORLD: dict[str, Any] = {"documents": 400, "seed": 3, "clock": NOW, "middleware": True}
SMALL: dict[str, Any] = {"documents": 40, "seed": 5}
CONTROL = {"X-Sandbox-Control": "1"}
ACCOUNT = "shop"
_Value = TypeVar("_Value")


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


class Call(NamedTuple):
    """A request or a command as it was made: what was sent and what came back as text, and how it ended."""

    what: str
    sent: str
    end: str
    answer: str


class Journal:
    """The calls of every bench that writes into it."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.numbers = itertools.count(1)


class Bench:
    """One hub with `options`, and what was made at it; a bench beside it has a hub of its own and the same journal."""

    def __init__(self, folder: Path, journal: Journal | None = None, **options: Any) -> None:
        self.journal = Journal() if journal is None else journal
        self._folder = folder
        self._made: dict[str, tuple[Any, Exception | None, list[Call]]] = {}
        self._beside: dict[str, Bench] = {}
        self._open = ExitStack()
        self.http = self._open.enter_context(httpx.Client(**LOOPBACK, event_hooks={"response": [self._note]}))
        self.hub = self.another_hub(**{**WORLD, **options})

    @property
    def calls(self) -> list[Call]:
        """What was called since it was emptied."""
        return self.journal.calls

    @calls.setter
    def calls(self, calls: list[Call]) -> None:
        self.journal.calls = calls

    def close(self) -> None:
        for bench in self._beside.values():
            bench.close()
        self._open.close()

    def beside(self, name: str, **options: Any) -> Bench:
        """The bench of that name, made with these options the first time: a small world, unless they say otherwise."""
        if name not in self._beside:
            self._beside[name] = Bench(self.folder(), self.journal, **{**SMALL, **options})
        return self._beside[name]

    # -- what is made once ------------------------------------------------------------------------------

    def number(self) -> int:
        """A number that no probe of this bench has had."""
        return next(self.journal.numbers)

    def once(self, name: str, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, made once; whoever uses it has made its calls. What it raised is raised again."""
        if name not in self._made:
            before, self.calls = self.calls, []
            value, error = None, None
            try:
                value = make()
            except Exception as failure:
                error = failure
            self._made[name] = (value, error, self.calls)
            self.calls = before
        value, error, calls = self._made[name]
        self.calls += [call for call in calls if call not in self.calls]
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]

    def forget(self) -> None:
        """Make everything anew from now on; the hub and the account stay."""
        self._made = {name: made for name, made in self._made.items() if name in ("account", "operations")}
        for bench in self._beside.values():
            bench.forget()

    def another_hub(self, **options: Any) -> RunningHub:
        """A hub of its own, for as long as the bench is there."""
        return self._open.enter_context(running(SandboxOptions(**options)))

    def folder(self) -> Path:
        """A new empty folder."""
        return Path(tempfile.mkdtemp(dir=self._folder))

    # -- HTTP ---------------------------------------------------------------------------------------------

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """A request of the seller's to the backoffice; no body for None."""
        headers = {"serviceToken": self.hub.token, "platform": "rows"}
        return self.request(method, self.hub.address + path, body, headers, **query)

    def done(self, method: str, path: str, body: Any = None, expect: int = 200, **query: Any) -> Any:
        """The JSON of an answer that has this status; the calls are one where several statuses would do."""
        return answered(self.ask(method, path, body, **query), expect)

    def panel(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        """What the sandbox's panel answers: the seller's screens, the clock, the callbacks."""
        return answered(self.request(method, self.hub.panel + path, body, CONTROL), expect)

    def middleware(self, method: str, path: str, body: Any = None) -> Any:
        """What the panel of the marketplace's middleware answers."""
        assert self.hub.middleware is not None
        return answered(self.request(method, self.hub.middleware + path, body, CONTROL), 200)

    def marketplace(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """A request of the middleware's to the hub."""
        access = self.hub.marketplace
        return self.request(method, access.address + path, body, {"appId": access.app_id, "token": access.token})

    def request(
        self, method: str, address: str, body: Any = None, headers: dict[str, str] | None = None, **query: Any
    ) -> httpx.Response:
        content = {} if body is None else {"json": body}
        return self.http.request(method, address, headers=headers, params=query or None, **content)

    def _note(self, response: httpx.Response) -> None:
        request = response.request
        target = request.url.raw_path.decode("ascii", "replace")
        response.read()
        body = request.content.decode("utf-8", "replace")
        self.calls.append(Call(f"{request.method} {target}", body, str(response.status_code), response.text))

    # -- the client ---------------------------------------------------------------------------------------

    @property
    def home(self) -> Path:
        """The data folder of an account at the hub, with the documents of a month and all orders."""

        def make() -> Path:
            home = self.folder()
            self.add_account(home, self.hub.address, self.hub.token)
            synced = self.command(home, "sync", "--json")
            assert synced.code == 0, synced.err
            return home

        return self.once("account", make)

    def add_account(self, home: Path, address: str, token: str) -> Ran:
        """Add the account; its token stands in a file that nobody else can read."""
        file = self.folder() / "token.txt"
        file.touch(0o600)
        file.write_text(token, encoding="utf-8")
        return self.command(
            home, "account", "add", ACCOUNT, "--address", address, "--platform", "rows", "--environment", "sandbox",
            "--token-file", str(file),
        )  # fmt: skip

    def command(self, home: Path, *arguments: str, text: str = "") -> Ran:
        """A command on a data folder, in this process."""
        before = messages.language()
        try:
            code, out, err = spoken(home, *arguments, text=text)
        finally:
            messages.set_language(before)  # what one command line says is not the next one's
            os.environ[LANGUAGE_VARIABLE] = before
        shown = " ".join(argument if argument.isprintable() else repr(argument) for argument in arguments)
        self.calls.append(Call(f"confere {shown}", text, f"exit {code}", out.decode() or err))
        return Ran(code, out.decode(), err)

    def confere(self, *arguments: str, text: str = "", code: int = 0) -> Any:
        """The JSON of a command on the account's data folder that must end with `code`."""
        home = self.home
        ran = self.command(home, *arguments, "--json", text=text)
        assert ran.code == code, f"exit {ran.code}: {ran.err.strip() or ran.out[:300]}"
        return json.loads(ran.out) if ran.out.strip() else {}

    def call(self, operation: str, body: Any = None, *, code: int = 0, **parameters: Any) -> Any:
        """The result of `confere hub call`; one that writes is sent with --yes."""
        given = [part for name, value in parameters.items() for part in ("--param", f"{name}={value}")]
        if body is None:
            return self.confere("hub", "call", operation, *given, "--yes", code=code)["result"]
        text = json.dumps(body, ensure_ascii=False)
        return self.confere("hub", "call", operation, *given, "--yes", "--body", "-", text=text, code=code)["result"]

    def refused(self, *arguments: str, text: str = "") -> str:
        """What a command that sends nothing says of wrong use."""
        ran = self.command(self.home, *arguments, text=text)
        assert ran.code == 2, f"exit {ran.code} instead of 2"
        return ran.err


def answered(response: httpx.Response, status: int) -> Any:
    """The JSON of an answer with this status."""
    assert response.status_code == status, f"{response.status_code} instead of {status}: {response.text[:300]}"
    return response.json() if response.content else None


@contextmanager
def bench() -> Iterator[Bench]:
    """A bench in a folder of its own; nothing of the developer's settings or keyring is touched."""
    ours = {LANGUAGE_VARIABLE: "en", "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    before = {name: os.environ.get(name) for name in (*ours, "CONFERE_HOME", "CONFERE_TOKEN", "CONFERE_TOKEN_FILE")}
    for name in before:
        os.environ.pop(name, None)
    os.environ.update(ours)
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, one_command_line():
            messages.set_language("en")
            made = Bench(Path(folder))
            try:
                yield made
            finally:
                made.close()
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
