"""The embedded sandbox hub as a child process: started, asked for its address, ended when we end."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Literal

from confere.errors import EnvironmentFault, UsageFault, message
from confere.system.processes.own_commands import SAFE_PATH_VARIABLE, own_command

START_SECONDS = 60.0
END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """How the sandbox's world is and how it misbehaves; what is None is left to the sandbox.

    `forget`: of each order only some evidence of its documents is left, as at real hubs. `anomalies`: which are planted
    and how often (`none`, `all`, or a list like `R1=0.02,R12`), but for the `clean_months` (YYYY-MM, in a comma list).
    `withhold`: the share of the documents that the hub holds and never shows. `orders` and `returns` False: the hub has
    no list of orders, or of returns. `shape`: how the hub differs from the specification's plain reading, a comma list;
    `strict_bodies`: it refuses written bodies that hold more than the specification shows. `environment`: which are
    served, each at a port of its own (None: both at one). `callback`: where changes of documents are posted to, an http
    address of this machine. `middleware`: a marketplace's middleware runs beside the hub. `catalog_errors`: the share
    of the products that the catalog describes otherwise than the invoices.
    """

    documents: int = 2000
    seed: int = 7
    faults: str | None = None
    rate_limit: float | None = None
    retry_after: Literal["none", "seconds", "date"] = "none"
    clock: str | None = None
    state_file: Path | None = None
    truth_file: Path | None = None
    port: int = 0
    forget: bool = True
    anomalies: str = "all"
    clean_months: str = "2026-02,2026-06"
    withhold: float = 0.0
    orders: bool = True
    returns: bool = True
    shape: str = ""
    strict_bodies: bool = False
    environment: Literal["sandbox", "production", "both"] | None = None
    production_port: int = 0
    callback: str | None = None
    middleware: bool = False
    catalog_errors: float = 0.0

    def arguments(self) -> list[str]:
        """The same as command-line options of `confere sandbox`."""
        given: list[tuple[str, object | None]] = [
            ("--documents", self.documents),
            ("--seed", self.seed),
            ("--faults", self.faults),
            ("--rate-limit", self.rate_limit),
            ("--retry-after", self.retry_after),
            ("--clock", self.clock),
            ("--state", self.state_file),
            ("--truth", self.truth_file),
            ("--port", self.port),
            ("--anomalies", self.anomalies),
            ("--clean-months", self.clean_months),
            ("--withhold", self.withhold),
            ("--shape", self.shape or None),
            ("--environment", self.environment),
            ("--production-port", self.production_port or None),
            ("--callback", self.callback),
            ("--catalog-errors", self.catalog_errors or None),
        ]
        told = [text for name, value in given if value is not None for text in (name, str(value))]
        flags = (
            ("--no-orders", not self.orders),
            ("--no-returns", not self.returns),
            ("--strict-bodies", self.strict_bodies),
            ("--middleware", self.middleware),
        )
        return [*told, "--forget" if self.forget else "--no-forget", *(name for name, on in flags if on)]


@dataclass(frozen=True, slots=True)
class SandboxCompany:
    tax_id: str
    name: str


@dataclass(frozen=True, slots=True)
class RunningSandbox:
    """A sandbox that answers. Its token is no secret: it opens nothing but invented documents.

    `choice` is what was chosen, with the world as the sandbox itself says it is; `middleware` the address of the
    marketplace's middleware beside it, if there is one.
    """

    address: str
    token: str
    companies: tuple[SandboxCompany, ...]
    choice: SandboxChoice
    middleware: str | None = None


@contextmanager
def running(choice: SandboxChoice) -> Iterator[RunningSandbox]:
    """A sandbox in a process of its own, which also ends when this one dies, since its stdin closes then."""
    child = subprocess.Popen(  # noqa: S603 - our own program with options of our own making
        own_command("sandbox", "--json", "--exit-with-stdin", *choice.arguments()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {SAFE_PATH_VARIABLE: "1"},  # for what it starts in its turn
        # Ctrl+C is for us alone: what is being fetched must not lose its hub halfway.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    complaints: list[str] = []
    listener = threading.Thread(target=_drain, args=(child.stderr, complaints), daemon=True)
    listener.start()
    try:
        yield _ready(child, choice, complaints)
    finally:
        _end(child)
        listener.join(1)
        for stream in (child.stdout, child.stderr):
            if stream is not None:
                stream.close()


def _ready(child: subprocess.Popen[str], choice: SandboxChoice, complaints: list[str]) -> RunningSandbox:
    line: list[str] = []
    reader = threading.Thread(target=lambda: line.append(child.stdout.readline() if child.stdout else ""), daemon=True)
    reader.start()
    reader.join(START_SECONDS)
    if not line or not line[0].strip():
        with suppress(subprocess.TimeoutExpired):
            child.wait(1)
        raise _refusal(child, " ".join("".join(complaints).split())[-500:])
    said = json.loads(line[0])
    if "error" in said:
        raise _refusal(child, str(said["error"]["what"]))
    companies = tuple(SandboxCompany(str(entry["cnpj"]), str(entry["name"])) for entry in said["companies"])
    world = replace(
        choice,
        documents=int(said["documents"]),
        seed=int(said["seed"]),
        forget=bool(said["forget"]),
        anomalies=str(said["anomalies"]),
        clean_months=",".join(said["clean_months"]),
        withhold=float(said["withhold"]),
        orders=bool(said["orders"]),
        returns=bool(said["returns"]),
        shape=",".join(said["shape"]),
        strict_bodies=bool(said["strict_bodies"]),
        catalog_errors=float(said["catalog_errors"]),
    )
    return RunningSandbox(said["address"], said["token"], companies, world, said["middleware"])


def _refusal(child: subprocess.Popen[str], why: str) -> UsageFault | EnvironmentFault:
    """What a sandbox that did not start said, as the same kind of fault."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(END_SECONDS)
    what = message("The embedded sandbox did not start: {why}", why=why or "-")
    if child.returncode == UsageFault.exit_code:
        return UsageFault(what)
    return EnvironmentFault(what, message("Run `confere sandbox` alone to see what it says."))


def _drain(stream: IO[str] | None, into: list[str]) -> None:
    if stream is not None:
        with suppress(ValueError, OSError):
            for text in stream:
                into.append(text)
                del into[:-50]


def _end(child: subprocess.Popen[str]) -> None:
    with suppress(OSError):
        if child.stdin is not None:
            child.stdin.close()
    try:
        child.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def serve(choice: SandboxChoice, *, say: Callable[[str], None], exit_with_stdin: bool = False) -> None:
    """Run the sandbox here until it is stopped; `say` gets one line of JSON when it answers."""
    from sandbox_hub.errors import SandboxError  # only this process pays for the web framework
    from sandbox_hub.options import SandboxOptions
    from sandbox_hub.server import RunningHub, serve

    def ready(hub: RunningHub) -> None:
        line = {
            "address": hub.address,
            "token": hub.token,
            "production_address": hub.production_address or None,
            "production_token": hub.production_token or None,
            "panel": hub.panel,
            "marketplace": asdict(hub.marketplace),
            "middleware": hub.middleware,
            **hub.info,
            "orders": choice.orders,
            "returns": choice.returns,
        }
        say(json.dumps(line))

    try:
        options = SandboxOptions(
            documents=choice.documents,
            seed=choice.seed,
            faults=choice.faults or "",
            rate_limit=choice.rate_limit,
            retry_after=choice.retry_after,
            clock=choice.clock,
            state_file=choice.state_file,
            truth_file=choice.truth_file,
            port=choice.port,
            forget=choice.forget,
            anomalies=choice.anomalies,
            clean_months=tuple(month for month in choice.clean_months.split(",") if month),
            withhold=choice.withhold,
            orders=choice.orders,
            returns=choice.returns,
            shape=(choice.shape,),
            strict_bodies=choice.strict_bodies,
            environment=choice.environment,
            production_port=choice.production_port,
            callback=choice.callback,
            middleware=choice.middleware,
            catalog_errors=choice.catalog_errors,
        )
        serve(options, ready=ready, exit_with_stdin=exit_with_stdin)
    except SandboxError as error:
        raise UsageFault(message("The sandbox refused its options: {why}", why=str(error))) from error
