"""The options of the sandbox's invented world, for the commands that run one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.app.sandbox import world_words
from confere.cli.options import option_values, option_words
from confere.cli.options.typed_values import RETRY_AFTER, SERVED
from confere.system.messages import t

Documents = Annotated[
    int,
    typer.Option("--documents", metavar="N", min=1, help=t("Documents in the world (default: 2000).")),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", help=t("The same seed makes the same world (default: 7).")),
]
Faults = Annotated[
    str | None,
    typer.Option(
        "--faults",
        metavar="LIST",
        help=t(
            "Misbehave, each at its usual rate or at the one given, as in {example}=0.1: {known}.",
            example=world_words.here(world_words.FAULTS, "error5xx"),
            known=world_words.named(world_words.FAULTS),
        ),
    ),
]
RateLimit = Annotated[
    float | None,
    typer.Option("--rate-limit", metavar="N", help=t("Answer 429 beyond this many requests a second.")),
]
RetryAfter = Annotated[
    str | None,
    typer.Option(
        "--retry-after",
        metavar=option_words.alternatives(RETRY_AFTER, option_values.RETRY_AFTER),
        help=t(
            "How a 429 says when to come back (default: {default}).",
            default=option_words.shown("none", option_values.RETRY_AFTER),
        ),
    ),
]
Truth = Annotated[
    Path | None,
    typer.Option("--truth", metavar="FILE", help=t("Write what the world knows of orders and relations to this file.")),
]
Forget = Annotated[
    bool,
    typer.Option(
        "--forget/--no-forget",
        help=t("Keep only some evidence of each order's documents, as real hubs do (default), or all of it."),
    ),
]
Anomalies = Annotated[
    str,
    typer.Option(
        "--anomalies",
        metavar="RULE=SHARE,…",
        help=t(
            "Anomalies to plant: {none}, {all} (default), or rules with their rates, such as R1=0.02,R12.",
            none=world_words.here(world_words.ALL_OR_NONE, "none"),
            all=world_words.here(world_words.ALL_OR_NONE, "all"),
        ),
    ),
]
CleanMonths = Annotated[
    str,
    typer.Option(
        "--clean-months", metavar="MONTHS", help=t("Months in which no anomaly is planted, such as 2026-02,2026-06.")
    ),
]
Withhold = Annotated[
    float,
    typer.Option(
        "--withhold",
        metavar="SHARE",
        min=0.0,
        max=0.99,
        help=t("Share of the documents that the hub holds and never shows, such as 0.05."),
    ),
]
NoOrders = Annotated[
    bool, typer.Option("--no-orders", metavar="", help=t("The hub has no list of orders, as some real ones."))
]
NoReturns = Annotated[
    bool, typer.Option("--no-returns", metavar="", help=t("The hub has no list of returns, as some real ones."))
]
Shape = Annotated[
    list[str] | None,
    typer.Option(
        "--shape",
        metavar="NAME",
        help=t(
            "How the hub's answers are shaped, such as {example}; may be given several times.",
            example=",".join(world_words.here(world_words.SHAPES, code) for code in ("page-base-1", "gzip-file")),
        ),
    ),
]
StrictBodies = Annotated[
    bool,
    typer.Option(
        "--strict-bodies", metavar="", help=t("Refuse written bodies that hold more than the specification shows.")
    ),
]
Clock = Annotated[
    str | None,
    typer.Option("--clock", metavar="TIME", help=t("The world's time, such as 2026-11-01T08:00:00-03:00.")),
]
State = Annotated[
    Path | None,
    typer.Option("--state", metavar="FILE", help=t("Keep what is written to the sandbox in this file.")),
]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help=t("The port to listen on (default: a free one)."))
]
Environment = Annotated[
    str | None,
    typer.Option(
        "--environment",
        metavar=option_words.alternatives(SERVED, option_values.ENVIRONMENTS),
        help=t("Serve this one, or each at a port of its own (default: both at one port)."),
    ),
]
ProductionPort = Annotated[
    int,
    typer.Option(
        "--production-port", metavar="N", min=0, max=65535, help=t("Production's port beside the sandbox's, with both.")
    ),
]
Callback = Annotated[
    str | None,
    typer.Option(
        "--callback", metavar="URL", help=t("Post each change of a document to this http address of this machine.")
    ),
]
Middleware = Annotated[
    bool,
    typer.Option(
        "--middleware", metavar="", help=t("Run a marketplace's middleware beside the hub, for publications.")
    ),
]
CatalogErrors = Annotated[
    float,
    typer.Option(
        "--catalog-errors",
        metavar="SHARE",
        min=0.0,
        max=1.0,
        help=t("Share of the products that the catalog describes otherwise than the invoices, such as 0.05."),
    ),
]
