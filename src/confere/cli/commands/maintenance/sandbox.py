"""`confere sandbox`: run the embedded hub until it is stopped."""

from __future__ import annotations

import json

from confere.cli.context import Face
from confere.cli.options import option_values, options, typed_values
from confere.cli.render import reports


def sandbox(
    face: Face,
    documents: options.Documents = 2000,
    seed: options.Seed = 7,
    faults: options.Faults = None,
    rate_limit: options.RateLimit = None,
    retry_after: options.RetryAfter = None,
    truth: options.Truth = None,
    clock: options.Clock = None,
    state: options.State = None,
    port: options.Port = 0,
    forget: options.Forget = True,
    anomalies: options.Anomalies = "all",
    clean_months: options.CleanMonths = "2026-02,2026-06",
    withhold: options.Withhold = 0.0,
    no_orders: options.NoOrders = False,
    no_returns: options.NoReturns = False,
    shape: options.Shape = None,
    strict_bodies: options.StrictBodies = False,
    environment: options.Environment = None,
    production_port: options.ProductionPort = 0,
    callback: options.Callback = None,
    middleware: options.Middleware = False,
    catalog_errors: options.CatalogErrors = 0.0,
    exit_with_stdin: options.ExitWithStdin = False,
) -> int:
    """0 when it was stopped. With --json it prints one line once it answers, and nothing more."""
    from confere.app.sandbox.sandbox import SandboxChoice, serve

    def say(line: str) -> None:
        if face.out.for_people:
            reports.sandbox(face.out, json.loads(line))
        else:
            face.out.text(line + "\n")

    choice = SandboxChoice(
        documents=documents,
        seed=seed,
        faults=faults,
        rate_limit=rate_limit,
        retry_after=typed_values.choice(
            "--retry-after", retry_after or "none", typed_values.RETRY_AFTER, option_values.RETRY_AFTER
        ),
        clock=clock,
        state_file=state,
        truth_file=truth,
        port=port,
        forget=forget,
        anomalies=anomalies,
        clean_months=clean_months,
        withhold=withhold,
        orders=not no_orders,
        returns=not no_returns,
        shape=",".join(shape or ()),
        strict_bodies=strict_bodies,
        environment=typed_values.choice("--environment", environment, typed_values.SERVED, option_values.ENVIRONMENTS)
        if environment
        else None,
        production_port=production_port,
        callback=callback,
        middleware=middleware,
        catalog_errors=catalog_errors,
    )
    serve(choice, say=say, exit_with_stdin=exit_with_stdin)
    return 0
