"""`confere orders invoice`: give orders at the hub the invoices that the archive has for them, after showing how."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of
from confere.cli.options import reconciliation_options, typed_values
from confere.cli.options.file_input import input_bytes
from confere.errors import EnvironmentFault, Message, UsageFault, message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.orders.write_back import RequestPreview, WriteBackPlan, WriteBackResult

_MOST_LEFT_OUT = 50


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
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show the requests and send nothing."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Send without asking."))] = False,
    only_if: Annotated[
        str | None,
        typer.Option(
            "--only-if", metavar="DIGEST", help=t("Send only if the requests are still those of a preview's digest.")
        ),
    ] = None,
    summary: reconciliation_options.Summary = False,
) -> int:
    """1 where an order was left without its invoice or the user said no."""
    if (order or ids_from) and month:
        raise UsageFault(
            message("Orders that are named need no month."), message("Name orders, or give --month without any.")
        )
    if preview and yes:
        raise UsageFault(message("--preview sends nothing, so there is nothing to say --yes to."))
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
    previews = tuple(map(write_back.preview, plan.candidates))
    digest = write_back.digest(previews)
    lacking = 1 if names and plan.left_out else 0
    _show(face, plan, previews)
    if preview or not previews:
        face.out.result(_shape(plan, previews, digest, None, whole=not summary), lacking)
        return lacking
    if only_if is not None and only_if != digest:
        raise UsageFault(
            message("The requests are no longer those of the preview: nothing was sent."),
            message("Look at them again with --preview."),
        )
    if not yes and not _confirmed(face, plan, previews):
        face.out.aside(t("Nothing was sent."))
        return 1
    with face.job() as reporter:
        result = write_back.send(
            face.workspace, plan.account, previews, reporter=reporter, stop=face.stop, prompt=face.prompt
        )
    code = lacking if result.complete else 1
    face.out.result(_shape(plan, previews, digest, result, whole=not summary), code)
    if face.out.for_people:
        _tell(face, result)
    return code


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


def _confirmed(face: Face, plan: WriteBackPlan, previews: tuple[RequestPreview, ...]) -> bool:
    if not face.interactive:
        raise UsageFault(
            message("Nobody is there to confirm what would be written to orders of {account}.", account=plan.account),
            message("Look at it with --preview, then give --yes."),
        )
    count = formatting.count(len(previews))
    return face.confirm(
        message("Send this request to {hub}?", hub=_hub(plan))
        if len(previews) == 1
        else message("Send these {count} requests to {hub}?", count=count, hub=_hub(plan))
    )


def _hub(plan: WriteBackPlan) -> str:
    """Whom the requests go to."""
    return f"{plan.host} ({plan.account})" if plan.host else plan.account


def _show(face: Face, plan: WriteBackPlan, previews: tuple[RequestPreview, ...]) -> None:
    """The requests to the last byte on stdout, with what speaks for and against each."""
    if not face.out.for_people:
        return
    out = face.out
    if not previews:
        out.aside(t("No order waits for an invoice that the archive has."))
    for preview in previews:
        candidate = preview.candidate
        out.text(f"{plain(preview.method)} {plain(preview.path)}\n{plain(preview.body, lines=True)}\n")
        sides = (
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
            *(t("look: {doubt}", doubt=render(doubt)) for doubt in candidate.doubts),
        )
        out.text("".join(f"  {plain(line)}\n" for line in sides) + "\n")
    for left in plan.left_out[:_MOST_LEFT_OUT]:
        out.aside(t("Order {order} is left out: {why}", order=left.order_id, why=render(left.why)))
    if len(plan.left_out) > _MOST_LEFT_OUT:
        more = formatting.count(len(plan.left_out) - _MOST_LEFT_OUT)
        out.aside(t("… and {count} more orders are left out.", count=more))


def _tell(face: Face, result: WriteBackResult) -> None:
    """One line an order: what is done on stdout, what is not on stderr, with the hub's words where it gave some."""
    from confere.app.orders.write_back import DONE, OUTCOMES

    for answer in result.sent:
        line = f"{plain(answer.order_id)}: {render(Message(OUTCOMES[answer.outcome]))}"
        if answer.outcome in DONE:
            face.out.text(f"{line}\n")
            continue
        face.out.aside(line)
        if answer.hub_words:
            face.out.aside("  " + t("The hub's own words: {words}", words=answer.hub_words))
        elif answer.why is not None:
            face.out.aside(f"  {plain(render(answer.why))}")
    if result.stopped:
        face.out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def _shape(
    plan: WriteBackPlan,
    previews: tuple[RequestPreview, ...],
    digest: str,
    result: WriteBackResult | None,
    *,
    whole: bool,
) -> Shape:
    """`body` is the text that is sent, to the last byte; `results` is null where nothing was to be sent.

    Unless it is to be `whole`, the requests are left out, and of the results those that are well.
    """
    request = ("order=write.order_id", "key=candidate.sale.key", "method", "path", "body")
    requests = each_of(previews, *request, "evidence=candidate.sale.evidence", "doubts=candidate.doubts")
    from confere.app.orders.write_back import DONE

    results = None
    if result is not None:
        answers = [answer for answer in result.sent if whole or answer.outcome not in DONE]
        results = each_of(answers, "order=order_id", "key", "outcome", "why", "hub_words")
    return {
        "account": plan.account,
        **({"requests": requests} if whole else {}),
        "digest": digest,
        "left_out": each_of(plan.left_out, "order=order_id", "why"),
        "results": results,
        "counts": None if result is None else result.counts(),
        "stopped": result is not None and result.stopped,
    }
