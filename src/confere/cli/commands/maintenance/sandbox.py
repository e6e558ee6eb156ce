"""`confere sandbox`: run the embedded hub until it is stopped."""

from __future__ import annotations

import json

from confere.cli.context import Face
from confere.cli.options import option_values, options, sandbox_options, typed_values
from confere.cli.render import reports


def sandbox(
    face: Face,
    documents: sandbox_options.Documents = 2000,
    seed: sandbox_options.Seed = 7,
    faults: sandbox_options.Faults = None,
    rate_limit: sandbox_options.RateLimit = None,
    retry_after: sandbox_options.RetryAfter = None,
    truth: sandbox_options.Truth = None,
    clock: sandbox_options.Clock = None,
    state: sandbox_options.State = None,
    port: sandbox_options.Port = 0,
    forget: sandbox_options.Forget = True,
    anomalies: sandbox_options.Anomalies = "all",
    clean_months: sandbox_options.CleanMonths = "2026-02,2026-06",
    withhold: sandbox_options.Withhold = 0.0,
    no_orders: sandbox_options.NoOrders = False,
    no_returns: sandbox_options.NoReturns = False,
    shape: sandbox_options.Shape = None,
    strict_bodies: sandbox_options.StrictBodies = False,
    environment: sandbox_options.Environment = None,
    production_port: sandbox_options.ProductionPort = 0,
    callback: sandbox_options.Callback = None,
    middleware: sandbox_options.Middleware = False,
    catalog_errors: sandbox_options.CatalogErrors = 0.0,
    exit_with_stdin: options.ExitWithStdin = False,
) -> int:
    """0 when it was stopped. With --json it prints one line once it answers, and nothing more."""
    from confere.app.sandbox import world_words
    from confere.app.sandbox.sandbox import SandboxChoice, serve

    def say(line: str) -> None:
        if face.out.for_people:
            reports.sandbox(face.out, json.loads(line))
        else:
            face.out.text(line + "\n")

    choice = SandboxChoice(
        documents=documents,
        seed=seed,
        faults=world_words.faults(faults),
        rate_limit=rate_limit,
        retry_after=typed_values.choice(
            "--retry-after", retry_after or "none", typed_values.RETRY_AFTER, option_values.RETRY_AFTER
        ),
        clock=world_words.clock(clock),
        state_file=state,
        truth_file=truth,
        port=port,
        forget=forget,
        anomalies=world_words.anomalies(anomalies),
        clean_months=world_words.clean_months(clean_months),
        withhold=withhold,
        orders=not no_orders,
        returns=not no_returns,
        shape=world_words.shapes(shape),
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
