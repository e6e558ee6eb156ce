"""Starting and stopping the sandbox on loopback: in a thread of this process, or as a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from sandbox_hub.contract.conventions import Conventions
from sandbox_hub.contract.lookup import Lookup
from sandbox_hub.contract.operation import Api
from sandbox_hub.contract.operations import hooks
from sandbox_hub.environment import Environment
from sandbox_hub.errors import SandboxError
from sandbox_hub.faults.plan import Fault
from sandbox_hub.middleware.app import Middleware
from sandbox_hub.middleware.hub_client import HubClient
from sandbox_hub.options import PRODUCTION, SANDBOX, SandboxOptions
from sandbox_hub.oracle.truth import write_truth
from sandbox_hub.origins import bind_localhost, open_origins, open_other_origin
from sandbox_hub.shapes.names import NO_SHAPES, Shape
from sandbox_hub.state import State
from sandbox_hub.web.app import build_app
from sandbox_hub.web.connections import Wires, watching
from sandbox_hub.web.control import Panel
from sandbox_hub.web.other_host import Elsewhere
from sandbox_hub.web.routes import BACKOFFICE, MARKETPLACE, Route
from sandbox_hub.web.specs import Specs

_PATIENCE = 30.0  # seconds for the server to come up or go down


@dataclass(frozen=True, slots=True)
class MarketplaceAccess:
    """What a marketplace's middleware calls in one environment, and with what."""

    address: str
    app_id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RunningHub:
    """A sandbox that answers. Addresses end with /v2; `panel` is where its control endpoints are.

    `address`, `token` and `marketplace` are those of production where production alone is served; where it is not,
    what is called after it is empty. `middleware` is the address of the marketplace's middleware beside it, if there
    is one.
    """

    address: str
    production_address: str
    token: str = field(repr=False)
    production_token: str = field(repr=False)
    panel: str
    marketplace: MarketplaceAccess
    production_marketplace: MarketplaceAccess
    middleware: str | None
    info: dict[str, Any]
    stop: Callable[[], None] = field(repr=False)


@contextlib.contextmanager
def running(options: SandboxOptions) -> Iterator[RunningHub]:
    """A sandbox in a thread of this process, stopped at the end. Raises SandboxError where it cannot start."""
    hub = start(options)
    try:
        yield hub
    finally:
        hub.stop()


def start(options: SandboxOptions) -> RunningHub:
    """Start a sandbox in a thread; the caller calls `stop`."""
    _check(options)
    state = State(options.state_file)
    environments = {name: Environment(name, options, state) for name in (SANDBOX, PRODUCTION)}
    first = environments[options.served[0]]
    told: dict[str, Any] = {}
    if options.truth_file is not None:
        told = write_truth(first.world, options.truth_file, first.catalog.errors())
    elsewhere = Elsewhere(environments)
    panel = Panel(environments, options, lambda: elsewhere.leaked)
    origins = open_origins(options)
    servers: list[tuple[uvicorn.Server, list[socket.socket]]] = []
    if Fault.REDIRECT in first.faults.rates or Shape.STORAGE_ADDRESS in first.shapes:
        other_sockets = bind_localhost()
        # Another name for this machine and another port: another origin for every client.
        other_address = f"http://localhost:{other_sockets[0].getsockname()[1]}"
        for environment in environments.values():
            environment.storage = other_address
        servers.append((_server(elsewhere.app(), {}), other_sockets))
    backoffice = [
        route for route in BACKOFFICE if (route.operation.method, route.operation.path) not in _absent(options)
    ]
    roots: dict[str, str] = {}
    for origin in origins:
        wires: Wires = {}
        served = {name: environments[name] for name in origin.environments}
        specs = Specs(_lookup(options, served[origin.environments[0]], backoffice))
        app = build_app(environments, served, backoffice, specs, panel, wires)
        servers.append((_server(app, wires), origin.sockets))
        roots |= dict.fromkeys(origin.environments, origin.root)
    middleware = None
    if options.middleware:
        beside = open_other_origin(options.host)
        middleware = beside.root
        servers.append((_server(_middleware(options, environments, roots).app(), {}), beside.sockets))
        for environment in environments.values():
            environment.call_hooks_at(middleware)
    stop = _run(
        servers,
        [environment.publishing.resume for environment in environments.values()],
        [*(environment.callbacks.close for environment in environments.values()), state.close],
    )
    production = environments[PRODUCTION]
    return RunningHub(
        address=roots[first.name] + first.prefix,
        production_address=roots[PRODUCTION] + production.prefix if PRODUCTION in roots else "",
        token=first.token,
        production_token=production.token if PRODUCTION in roots else "",
        panel=origins[0].root + "/sandbox",
        marketplace=_access(roots, first),
        production_marketplace=_access(roots, production),
        middleware=middleware,
        info=panel.describe() | told,
        stop=stop,
    )


def serve(
    options: SandboxOptions,
    port: int | None = None,
    ready: Callable[[RunningHub], None] | None = None,
    *,
    exit_with_stdin: bool = False,
) -> None:
    """Serve until Ctrl-C, SIGTERM or (where asked) the end of standard input; `ready` is called once it answers.

    Signals are only heeded when this is called in the main thread.
    """
    ended = threading.Event()
    with _heeding_signals(ended), running(options if port is None else replace(options, port=port)) as hub:
        if ready is not None:
            ready(hub)
        if exit_with_stdin:
            threading.Thread(target=_watch_stdin, args=(ended,), daemon=True).start()
        # Short waits: a wait without end cannot be interrupted on Windows.
        while not ended.wait(0.2):
            pass


def _lookup(options: SandboxOptions, environment: Environment, backoffice: Sequence[Route]) -> Lookup | None:
    if options.contract == "none":
        return None
    own = options.contract == "own"
    served = backoffice if own else BACKOFFICE
    return Lookup(
        {
            Api.BACKOFFICE: [route.operation for route in served],
            Api.MARKETPLACE: [route.operation for route in MARKETPLACE],
            Api.REMOTE: hooks.OPERATIONS,
        },
        Conventions(environment.shapes if own else NO_SHAPES),
        {Api.BACKOFFICE: environment.prefix, Api.MARKETPLACE: environment.marketplace_prefix, Api.REMOTE: "/"},
    )


def _middleware(
    options: SandboxOptions, environments: Mapping[str, Environment], roots: Mapping[str, str]
) -> Middleware:
    addresses = {name: root + environments[name].marketplace_prefix for name, root in roots.items()}
    tokens = {name: environment.app_token for name, environment in environments.items()}
    return Middleware(HubClient(addresses, options.marketplace_app_id, tokens), options.secret_of_hooks)


def _access(roots: Mapping[str, str], environment: Environment) -> MarketplaceAccess:
    """What a middleware calls; nothing for an environment that is not served."""
    if environment.name not in roots:
        return MarketplaceAccess("", environment.app_id, "")
    address = roots[environment.name] + environment.marketplace_prefix
    return MarketplaceAccess(address, environment.app_id, environment.app_token)


def _absent(options: SandboxOptions) -> set[tuple[str, str]]:
    """The endpoints that this deployment of the hub does not have."""
    return {("GET", path) for path, there in (("/orders", options.orders), ("/returns", options.returns)) if not there}


def _check(options: SandboxOptions) -> None:
    try:
        loopback = ipaddress.ip_address(options.host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise SandboxError(f"The sandbox only answers on loopback, not on {options.host}. Use 127.0.0.1.")
    if options.documents < 1:
        raise SandboxError("A world has at least one document.")
    if not 0 <= options.withhold < 1:
        raise SandboxError("The share of withheld documents is at least 0 and below 1.")
    if not 0 <= options.catalog_errors <= 1:
        raise SandboxError("The share of wrong products in the catalog is at least 0 and at most 1.")
    if options.rate_limit is not None and options.rate_limit <= 0:
        raise SandboxError("The rate limit must be above zero requests a second.")
    if options.hooks is not None and (options.middleware or not _is_loopback_http(options.hooks)):
        raise SandboxError(
            f"Hooks go to http on this machine, like http://127.0.0.1:8000, not to {options.hooks!r}; "
            "and not where the sandbox runs a middleware of its own."
        )
    if not 0 < options.hook_timeout <= _PATIENCE:
        raise SandboxError(f"A hook may take more than 0 and at most {_PATIENCE:g} seconds.")
    if options.app_token_of(SANDBOX) == options.app_token_of(PRODUCTION):
        raise SandboxError("The two environments need different tokens of the middleware.")
    if options.production_port and options.environment != "both":
        raise SandboxError("Production has a port of its own only beside the sandbox: choose both environments.")
    if options.sandbox_token == options.token_of_production:
        raise SandboxError("The two environments need different tokens.")


def _is_loopback_http(address: str) -> bool:
    try:
        parts = urlsplit(address)
        here = parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
        return here and parts.scheme == "http" and parts.port != 0 and "@" not in parts.netloc and not parts.query
    except ValueError:
        return False


def _server(app: Any, wires: Wires) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        http=watching(wires),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,  # the answers carry the world's own clock
        timeout_keep_alive=60,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def _run(
    servers: list[tuple[uvicorn.Server, list[socket.socket]]],
    at_start: Sequence[Callable[[], None]],
    closing: Sequence[Callable[[], None]],
) -> Callable[[], None]:
    """Serve in one thread; gives the function that ends it, then calls `closing`. It may be called more than once.

    `at_start` is called in the thread's event loop.
    """
    failure: list[BaseException] = []

    async def all_of_them() -> None:
        for begin in at_start:
            begin()
        await asyncio.gather(*(server.serve(sockets=sockets) for server, sockets in servers))

    def work() -> None:
        try:
            asyncio.run(all_of_them())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="sandbox-hub", daemon=True)
    thread.start()
    waited = 0.0
    while not all(server.started for server, _ in servers):
        thread.join(0.01)
        waited += 0.01
        if not thread.is_alive() or waited > _PATIENCE:
            raise SandboxError("The sandbox did not start.") from (failure[0] if failure else None)

    def stop() -> None:
        for server, _ in servers:
            server.should_exit = True
        thread.join(_PATIENCE)
        for _, sockets in servers:
            for listener in sockets:
                listener.close()
        for close in closing:
            close()

    return stop


@contextlib.contextmanager
def _heeding_signals(ended: threading.Event) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]
    former = {name: signal.signal(getattr(signal, name), lambda *_: ended.set()) for name in names}
    try:
        yield
    finally:
        for name, handler in former.items():
            signal.signal(getattr(signal, name), handler)


def _watch_stdin(ended: threading.Event) -> None:
    # The descriptor, not sys.stdin: a thread that waits inside that one aborts the interpreter's exit.
    with contextlib.suppress(OSError):
        while os.read(0, 4_096):
            pass
    ended.set()
