"""`confere demo`: the whole way at once, on invented documents: sandbox, sync, reconciliation, package."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import window
from confere.cli.context import Face
from confere.cli.json import json_shapes, reconciliation_json
from confere.cli.options import options, typed_values
from confere.cli.render import reports
from confere.system.messages import t


def demo(
    face: Face,
    documents: options.Documents = 2000,
    seed: options.Seed = 7,
    faults: options.Faults = None,
    rate_limit: options.RateLimit = None,
    retry_after: options.RetryAfter = None,
    truth: options.Truth = None,
    clock: options.Clock = None,
    forget: options.Forget = True,
    anomalies: options.Anomalies = "all",
    clean_months: options.CleanMonths = "2026-02,2026-06",
    withhold: options.Withhold = 0.0,
    no_orders: options.NoOrders = False,
    no_returns: options.NoReturns = False,
    shape: options.Shape = None,
    strict_bodies: options.StrictBodies = False,
    no_window: Annotated[
        bool, typer.Option("--no-window", metavar="", help=t("Do not open the window afterwards."))
    ] = False,
) -> int:
    """1 where downloads failed, a package lacks something or the user stopped it."""
    from confere.app.sandbox import demo as use_case
    from confere.app.sandbox.sandbox import SandboxChoice

    choice = SandboxChoice(
        documents=documents,
        seed=seed,
        faults=faults,
        rate_limit=rate_limit,
        retry_after=typed_values.choice("--retry-after", retry_after or "none", typed_values.RETRY_AFTER),
        clock=clock,
        state_file=face.home.sandbox_state,
        truth_file=truth,
        forget=forget,
        anomalies=anomalies,
        clean_months=clean_months,
        withhold=withhold,
        orders=not no_orders,
        returns=not no_returns,
        shape=",".join(shape or ()),
        strict_bodies=strict_bodies,
    )
    with face.job() as reporter:
        result = use_case.run(face.workspace, choice, reporter=reporter, stop=face.stop)
    bad = result.sync.lacking or result.sync.stopped or not all(entry.contents.is_whole for entry in result.packages)
    code = 1 if bad else 0
    reconciled = None if result.reconciled is None else reconciliation_json.demo(result.reconciled)
    face.out.result({**json_shapes.demo(result), "reconciled": reconciled}, code)
    if face.out.for_people:
        reports.demo(face.out, result, face.given.home)
        if not no_window and not result.sync.stopped and window.can_open():
            window.open_window(face)
    return code
