"""`confere orders invoice`: give orders at the hub the invoices that the archive has for them, after showing how."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import order_writes
from confere.cli.context import Face
from confere.cli.options import reconciliation_options, typed_values
from confere.cli.options.file_input import input_bytes
from confere.errors import EnvironmentFault, UsageFault, message
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.orders.write_back import Candidate, RequestPreview


def orders_invoice(
    face: Face,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER",
            help=t("These orders, by the hub's id or the marketplace's number; else all that wait for an invoice."),
            show_default=False,
        ),
    ] = None,
    ids_from: Annotated[
        Path | None,
        typer.Option(
            "--ids-from",
            metavar="FILE|-",
            help=t("The orders that this file names, one a line, or that stdin names: a command line has an end."),
        ),
    ] = None,
    account: reconciliation_options.Account = None,
    month: Annotated[
        str | None, typer.Option("--month", metavar="YYYY-MM", help=t("Only orders of this month."))
    ] = None,
    preview: order_writes.Preview = False,
    yes: order_writes.Yes = False,
    only_if: order_writes.OnlyIf = None,
    summary: reconciliation_options.Summary = False,
) -> int:
    """1 where an order was left without its invoice or the user said no."""
    if (order or ids_from) and month:
        raise UsageFault(
            message("Orders that are named need no month."), message("Name orders, or give --month without any.")
        )
    order_writes.check_choice(preview=preview, yes=yes)
    names = (*(order or ()), *(() if ids_from is None else _listed(face, ids_from, asks=not (preview or yes))))
    from confere.app.archive_session import OpenArchive
    from confere.app.orders import write_back

    opened = OpenArchive(face.workspace)
    try:
        plan = write_back.plan(
            opened, account, period=None if month is None else typed_values.month(month), orders=names
        )
    finally:
        opened.close()
    words = order_writes.WriteWords(
        _sides,
        write_back.OUTCOMES,
        t("No order waits for an invoice that the archive has."),
        (
            *("key=candidate.sale.key", "method", "path", "body"),
            *("evidence=candidate.sale.evidence", "doubts=candidate.doubts"),
        ),
        ("key",),
    )
    return order_writes.write(
        face, plan, words, named=bool(names), preview=preview, yes=yes, only_if=only_if, whole=not summary
    )


def _listed(face: Face, file: Path, *, asks: bool) -> tuple[str, ...]:
    """The orders that a file names, each once; `asks`: a person has to say yes on stdin afterwards."""
    if str(file) == "-" and (asks or face.given.exit_with_stdin):
        raise UsageFault(
            message("What comes by stdin cannot be followed by a yes from there."),
            message("Look at it with --preview, then give --yes."),
        )
    try:
        data = input_bytes(file)
        # What PowerShell 5 writes by `>` is UTF-16, and says so by its first two bytes.
        text = data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
        names = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    except EnvironmentFault as error:
        raise UsageFault(
            error.what, error.remedy or message("Write one order a line into a text file (UTF-8).")
        ) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise UsageFault(
            message("The list of orders {file} cannot be read: {why}.", file=str(file), why=why),
            message("Write one order a line into a text file (UTF-8)."),
        ) from error
    if not names:
        raise UsageFault(
            message("The list of orders {file} names none.", file=str(file)),
            message("Write one order a line into a text file (UTF-8)."),
        )
    return names


def _sides(preview: RequestPreview[Candidate]) -> tuple[str, ...]:
    """The order beside its invoice, and why they are linked."""
    candidate = preview.candidate
    return (
        t(
            "order {order} of {day}, {total}, {status}",
            order=candidate.order.marketplace_id or candidate.order.hub_id,
            day=formatting.date(candidate.order.created_on),
            total=formatting.money(candidate.order.total),
            status=candidate.order.status or "-",
        ),
        t(
            "invoice {series}/{number} of {day}, {total}",
            series=candidate.sale.series,
            number=candidate.sale.number,
            day=formatting.date(candidate.sale.issued_at),
            total=formatting.money(candidate.sale.total),
        ),
        *map(render, candidate.sale.evidence),
    )
