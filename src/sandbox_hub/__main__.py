"""`python -m sandbox_hub`: serve a sandbox and say on one line of JSON where it is."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import (
    CLEAN_MONTHS,
    DEFAULT_DOCUMENTS,
    DEFAULT_SEED,
    ContractKind,
    Environments,
    SandboxOptions,
)
from sandbox_hub.server import RunningHub, serve
from sandbox_hub.shapes.names import Shape


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop; 0 at the end, 2 where it cannot start."""
    given = _parser().parse_args(arguments)
    options = SandboxOptions(
        documents=given.documents,
        seed=given.seed,
        faults=given.faults,
        rate_limit=given.rate_limit,
        retry_after=given.retry_after,
        clock=given.clock,
        state_file=given.state,
        truth_file=given.truth,
        port=given.port,
        host=given.host,
        token=given.token,
        production_token=given.production_token,
        forget=given.forget,
        anomalies=given.anomalies,
        clean_months=tuple(month for month in given.clean_months.split(",") if month),
        withhold=given.withhold,
        orders=not given.no_orders,
        returns=not given.no_returns,
        shape=tuple(given.shape),
        catalog_errors=given.catalog_errors,
        strict_bodies=given.strict_bodies,
        contract=given.contract,
        middleware=given.middleware,
        hooks=given.hooks,
        hook_timeout=given.hook_timeout,
        app_id=given.app_id,
        app_token=given.app_token,
        production_app_token=given.production_app_token,
        hook_secret=given.hook_secret,
        callback=given.callback,
        environment=given.environment,
        production_port=given.production_port,
    )
    try:
        serve(options, ready=_announce, exit_with_stdin=given.exit_with_stdin)
    except SandboxError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _announce(hub: RunningHub) -> None:
    line = {
        "address": hub.address,
        "token": hub.token,
        "production_address": hub.production_address or None,
        "production_token": hub.production_token or None,
        "panel": hub.panel,
        "marketplace": asdict(hub.marketplace),
        "production_marketplace": asdict(hub.production_marketplace),
        "middleware": hub.middleware,
        **hub.info,
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sandbox_hub", description="An embedded marketplace hub, on loopback only.")
    parser.add_argument("--documents", type=int, default=DEFAULT_DOCUMENTS, help="how many documents the world has")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="which world")
    parser.add_argument("--faults", default="", help="comma list, each with optional =rate; all for a mix")
    parser.add_argument("--rate-limit", type=float, help="requests a second for each token")
    parser.add_argument("--retry-after", choices=("none", "seconds", "date"), default="none", help="what a 429 says")
    parser.add_argument("--clock", help="ISO 8601 with offset; the end of the calendar if not given")
    parser.add_argument("--state", type=Path, help="JSON file for what clients write; memory if not given")
    parser.add_argument("--truth", type=Path, help="write links and relations to this JSON file")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--token", help="of the sandbox environment")
    parser.add_argument("--production-token", help="of the production environment")
    parser.add_argument(
        "--forget",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="of each order only some evidence of its documents is left, as at real hubs",
    )
    parser.add_argument("--anomalies", default="all", help="none, all, or a list like R1=0.02,R11.open,R12")
    parser.add_argument("--clean-months", default=",".join(CLEAN_MONTHS), help="months in which nothing is planted")
    parser.add_argument("--withhold", type=float, default=0.0, help="share of the documents that are never shown")
    parser.add_argument("--no-orders", action="store_true", help="a hub without a list of orders (GET /orders)")
    parser.add_argument("--no-returns", action="store_true", help="a hub without a list of returns (GET /returns)")
    parser.add_argument(
        "--shape", action="append", default=[], help=f"how the hub differs from the plain one: {', '.join(Shape)}"
    )
    parser.add_argument(
        "--catalog-errors",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of the products that the catalog describes otherwise than the invoices",
    )
    parser.add_argument("--strict-bodies", action="store_true", help="refuse bodies beyond the specification")
    parser.add_argument(
        "--contract", choices=get_args(ContractKind), default="own", help="what the Spec lookup says of this hub"
    )
    parser.add_argument("--middleware", action="store_true", help="run a marketplace's middleware beside the hub")
    parser.add_argument("--hooks", metavar="URL", help="call the hooks of another middleware, on this machine")
    parser.add_argument("--hook-timeout", type=float, default=5.0, help="seconds that a hook may take")
    parser.add_argument("--app-id", help="what a middleware is called")
    parser.add_argument("--app-token", help="a middleware's token for the sandbox environment")
    parser.add_argument("--production-app-token", help="a middleware's token for the production environment")
    parser.add_argument("--hook-secret", help="what the hooks are signed with")
    parser.add_argument("--callback", metavar="URL", help="post each change of a document to this loopback address")
    parser.add_argument(
        "--environment",
        choices=get_args(Environments),
        help="serve these alone, each at a port of its own; both at one port if not given",
    )
    parser.add_argument("--production-port", type=int, default=0, help="of production beside the sandbox; 0 a free one")
    parser.add_argument("--exit-with-stdin", action="store_true", help="end when standard input ends")
    return parser


if __name__ == "__main__":
    sys.exit(main())
