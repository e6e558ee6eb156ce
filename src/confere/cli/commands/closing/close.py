"""`confere close`: freeze what was filed of a month, open it again for a reason, have it stamped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import closing_json
from confere.cli.options import typed_values
from confere.cli.output import error_shape
from confere.cli.render.closing import closings as render
from confere.errors import Bug, ConfereError, UsageFault, message
from confere.sales.closings import ClosingAct, SigningNames
from confere.system.messages import render_error, t

if TYPE_CHECKING:
    from confere.app.closing.stamp import ReadStamp, StampRequest
    from confere.cli.json.encoder import Shape


def close(
    face: Face,
    period: Annotated[str, typer.Option("--period", metavar="YYYY-MM", help=t("The month to close."))],
    company: Annotated[
        str | None,
        typer.Option("--company", metavar="CNPJ", help=t("One company (default: every one with documents).")),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            metavar="",
            help=t("Close nothing: say line by line what is complete, what lacks and what was not checked."),
        ),
    ] = False,
    preparer: Annotated[
        str | None, typer.Option("--preparer", metavar="NAME", help=t("Who prepared what is filed."))
    ] = None,
    reviewer: Annotated[str | None, typer.Option("--reviewer", metavar="NAME", help=t("Who reviewed it."))] = None,
    incomplete: Annotated[
        bool, typer.Option("--incomplete", metavar="", help=t("Close it although something lacks."))
    ] = False,
    reopen: Annotated[bool, typer.Option("--reopen", metavar="", help=t("Open the month again."))] = False,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help=t("Why it is opened again."))] = None,
    stamp: Annotated[
        str | None,
        typer.Option("--stamp", metavar="URL", help=t("Ask this time stamping authority (RFC 3161) for a stamp.")),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Ask for the stamp without asking you."))] = False,
) -> int:
    """1 where a month was not closed, or no stamp was asked for; with --check: where anything lacks or is unchecked.

    Where the authority gives no stamp the code is the error's; the month is closed, and both are told.
    """
    month = typed_values.month(period)
    owner = typed_values.tax_id(company) if company is not None else None
    if check:
        given = (preparer, reviewer, reason, stamp)
        if reopen or incomplete or yes or any(value is not None for value in given):
            raise UsageFault(message("--check closes nothing: give it with --period and --company alone."))
        return _check(face, month, owner)
    _check_choice(reopen=reopen, reason=reason, stamp=stamp)
    from confere.app.archive_session import OpenArchive
    from confere.app.closing import close_month

    if reopen:
        report = close_month.reopen(face.workspace, month, owner, reason or "")
        face.out.result(closing_json.reopened(report.acts, report.judged))
        if face.out.for_people:
            render.reopened(face.out, report.acts)
            render.judged(face.out, report.judged)
        return 0
    wanted = close_month.CloseRequest(month, owner, SigningNames(preparer, reviewer), incomplete)
    opened = OpenArchive(face.workspace)
    try:
        done = close_month.close(face.workspace, wanted, close_month.lacking(opened))
    finally:
        opened.close()
    if face.out.for_people:
        render.closed(face.out, done.results)
        render.judged(face.out, done.judged)
    code = 0 if all(result.is_closed for result in done.results) else 1
    standing = [result.act for result in done.results if result.is_closed and result.act is not None]
    stamped: list[ReadStamp] = []
    shape: Shape = {}
    if stamp is not None and standing:
        try:
            code = code if _stamp(face, stamp, standing, stamped, yes=yes) else 1
        except Bug:
            raise
        except ConfereError as error:  # the month is closed all the same, and that is told with it
            code, rendered = error.exit_code, render_error(error)
            shape["error"] = error_shape(rendered)
            if face.out.for_people:
                face.out.error(rendered, code)
    face.out.result(closing_json.closed(done, stamped) | shape, code)
    return code


def _check(face: Face, month: str, company: str | None) -> int:
    """0 where every line is ok or a note."""
    from confere.app.archive_session import OpenArchive
    from confere.app.closing.checklist import check_month
    from confere.cli.json import checklist_json
    from confere.cli.render.closing import checklists

    opened = OpenArchive(face.workspace)
    found = check_month(opened, month, company)
    opened.close()
    code = 0 if found.is_complete else 1
    face.out.result(checklist_json.checklist(found), code)
    if face.out.for_people:
        checklists.checked(face.out, found, alone=company is not None)
        face.out.ends_with_1(*checklists.reasons(found))
    return code


def _check_choice(*, reopen: bool, reason: str | None, stamp: str | None) -> None:
    if reason is not None and not reopen:
        raise UsageFault(message("--reason belongs to --reopen."))
    if reopen and stamp is not None:
        raise UsageFault(message("--stamp belongs to a month that is closed, not to --reopen."))
    if reopen and not (reason or "").strip():
        raise UsageFault(message("A month is opened again for a reason."), message("Give it with --reason."))


def _stamp(face: Face, address: str, acts: Sequence[ClosingAct], stamped: list[ReadStamp], *, yes: bool) -> bool:
    """Whether the authority was asked; what it answered before it failed is in `stamped` too."""
    from confere.app.closing import stamp

    planned = [(act, stamp.plan(address, act)) for act in acts]
    if face.out.for_people:
        render.stamp_requests(face.out, planned)
    if not yes and not _confirmed(face, planned[0][1]):
        face.out.aside(t("Nothing was sent."))
        return False
    try:
        for act, wanted in planned:
            stamped.append(stamp.send(face.workspace, act, wanted))
    finally:
        if face.out.for_people:
            render.stamps(face.out, stamped)
    return True


def _confirmed(face: Face, wanted: StampRequest) -> bool:
    if not face.interactive:
        raise UsageFault(
            message("Nobody is there to confirm what would be sent to {address}.", address=wanted.address),
            message("The month is closed; give --yes too to send it."),
        )
    return face.confirm(message("Send this to {address}?", address=wanted.address))
