"""`confere doctor`: look whether everything is well, and say what to do where it is not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.render import labels, reports
from confere.errors import Message, UsageFault, message
from confere.system.messages import render, t
from confere.system.progress import Meter, Reporter, Silent, sum_told

if TYPE_CHECKING:
    from confere.app.maintenance.doctor import VaultShare
    from confere.app.maintenance.repair import Repair
    from confere.app.maintenance.row_repair import ForeignChange

MOST_PARTS: Final = 1000


def doctor(
    face: Face,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            metavar="",
            help=t("Read every XML back against its SHA-256, and compute again all that the archive derives."),
        ),
    ] = False,
    migrate: Annotated[
        bool,
        typer.Option(
            "--migrate", metavar="", help=t("Bring the archive of an older Confere up to date, after a backup.")
        ),
    ] = False,
    part: Annotated[
        str | None,
        typer.Option(
            "--part",
            metavar="K/N",
            help=t("With --verify: the K-th of N shares alone, so that a nightly job reads everything in N nights."),
        ),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            metavar="",
            help=t("Bring back what is missing or damaged: from the hub, the backups, then the folder of --from."),
        ),
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER", help=t("With --repair: a folder with XML files to look in.")),
    ] = None,
    accept_edits: Annotated[
        bool,
        typer.Option(
            "--accept-edits",
            metavar="",
            help=t("Let rows that another program changed stand as they are; the audit trail says which."),
        ),
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            metavar="",
            help=t("Say how many signers reach a root of ICP-Brasil, and which authorities are missing."),
        ),
    ] = False,
    audit_head: Annotated[
        str | None,
        typer.Option(
            "--audit-head",
            metavar="SHA256",
            help=t("Look where this hash stands, such as the one that a package or a ledger names; 1 where nowhere."),
        ),
    ] = None,
    backup: Annotated[
        bool,
        typer.Option("--backup", metavar="", help=t("Write a checked copy of the archive into its backups folder.")),
    ] = False,
) -> int:
    """1 where something should be done."""
    from confere.app.maintenance.checks.seal_checks import of_accepted
    from confere.app.maintenance.doctor import back_up, examine, of_repair

    share = _part(part, verify=verify)
    if folder is not None and not repair:
        raise UsageFault(message("--from is for --repair."), message("Add --repair."))
    with face.job() if verify or backup or repair else nullcontext(Silent()) as reporter:
        repaired = _repair(face, folder, reporter) if repair else None
        accepted = _accept(face) if accept_edits else None
        found = examine(
            face.workspace,
            verify=verify,
            migrate=migrate,
            part=share,
            trust=trust,
            counts_copies=not backup,
            audit_head=audit_head,
            progress=_progress(
                face,
                Meter(reporter, message("Reading the archive back")),
                message("The check was stopped; it changes nothing."),
            ),
        )
        if backup:
            back_up(face.workspace, found, reporter=reporter, stop=face.stop)
        if repaired is not None:
            of_repair(found, repaired)
        if accepted is not None:
            of_accepted(found, accepted)
    code = 0 if found.well else 1
    face.out.result(json_shapes.examination(found), code)
    if face.out.for_people:
        reports.examination(face.out, found)
        lacking = (entry for entry in found.findings if not entry.well)
        face.out.ends_with_1(*(f"{labels.topic_word(entry.topic)}: {render(entry.what)}" for entry in lacking))
    return code


def _repair(face: Face, folder: Path | None, reporter: Reporter) -> Repair | None:
    from confere.app.maintenance.repair import can_repair, repair

    if not can_repair(face.workspace):
        return None
    return repair(face.workspace, folder, reporter=reporter, stop=face.stop, prompt=face.prompt)


def _accept(face: Face) -> tuple[ForeignChange, ...] | None:
    from confere.app.maintenance.row_repair import accept

    return accept(face.workspace) if face.workspace.home.archive.is_file() else None


def _part(text: str | None, *, verify: bool) -> VaultShare | None:
    """The share that `3/30` means."""
    if text is None:
        return None
    from confere.app.maintenance.doctor import VaultShare

    first, _, last = text.partition("/")
    if first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= MOST_PARTS and verify:
        return VaultShare(int(first), int(last))
    raise UsageFault(
        message("{text} is no part of a check.", text=text),
        message("Write `confere doctor --verify --part 3/30` for the third of thirty."),
    )


def _progress(face: Face, meter: Meter, stopped: Message) -> Callable[[int, int], None]:
    return sum_told(meter, lambda: face.stop.check(stopped))
