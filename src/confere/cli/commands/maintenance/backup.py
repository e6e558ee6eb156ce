"""`confere backup`: checked copies of the archive, counted, and a warning where none is young enough."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options.passphrase_input import PassphraseFile, passphrase
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.folders import named_folder
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.backups.backup import BackupsMade
    from confere.app.backups.backup_status import BackupCopy, BackupStatus, HeldMore
    from confere.app.maintenance.backup_drill import DrillResult

_DRILL = ("file", "encrypted", "passed", "documents", "events", "read", "problems")


def backup(
    face: Face,
    target: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE|FOLDER]", help=t("Where to; without it the backups folder and the second one.")),
    ] = None,
    encrypt: Annotated[
        bool, typer.Option("--encrypt", metavar="", help=t("Encrypt it with a passphrase (age format)."))
    ] = False,
    to_second_folder: Annotated[
        bool, typer.Option("--to-second-folder", metavar="", help=t("Write to the second folder alone."))
    ] = False,
    if_due: Annotated[
        bool, typer.Option("--if-due", metavar="", help=t("Only where the newest copy is old enough, for schedulers."))
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", metavar="", help=t("Write nothing; say which copies there are, 1 on alarm."))
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", metavar="", help=t("With --status: read every copy from beginning to end."))
    ] = False,
    drill: Annotated[
        bool,
        typer.Option(
            "--drill",
            metavar="",
            help=t("Restore the newest copy to a scratch place, verify it there, and say so; 1 where it failed."),
        ),
    ] = False,
    acknowledge: Annotated[
        bool,
        typer.Option("--acknowledge", metavar="", help=t("Accept that the newest copy holds less than an older one.")),
    ] = False,
    passphrase_file: PassphraseFile = None,
    keep_passphrase: Annotated[
        bool, typer.Option("--keep-passphrase", metavar="", help=t("Keep the passphrase in the system's keyring."))
    ] = False,
    second_folder: Annotated[
        str | None,
        typer.Option("--second-folder", metavar="FOLDER", help=t("Remember this second folder; an empty text: none.")),
    ] = None,
    alarm_days: Annotated[
        int | None,
        typer.Option("--alarm-days", metavar="N", help=t("Warn when no whole copy is younger than N days; 0: never.")),
    ] = None,
) -> int:
    """1 where a copy could not be written, or holds less than an older one; with `--status` on any alarm."""
    from confere.app.backups import backup as backups
    from confere.app.backups import backup_copies, backup_passphrase
    from confere.app.maintenance import backup_drill

    if (drill or acknowledge) and (target or encrypt or to_second_folder or status or (drill and acknowledge)):
        raise UsageFault(message("--drill and --acknowledge write no copy, and go with no other of these options."))
    if acknowledge and if_due:
        raise UsageFault(message("--acknowledge is for no scheduler: a person says it."))
    if status and (target or encrypt or to_second_folder or if_due):
        raise UsageFault(message("--status writes nothing; it goes with --check alone."))
    if check and not status:
        raise UsageFault(message("--check is for --status."), message("Add --status."))
    if if_due and (target or encrypt or to_second_folder):
        raise UsageFault(message("--if-due writes to the usual places, as the settings say."))
    _remember(face, second_folder, alarm_days)
    tried: DrillResult | None = None
    accepted: tuple[HeldMore, ...] | None = None
    with face.job() as reporter:
        made: BackupsMade | None = None
        if drill:
            if not if_due or backup_drill.is_due(backup_copies.status(face.workspace, on_step=face.stop.check)):
                find = passphrase(face, passphrase_file, new=False)
                tried = backup_drill.drill(face.workspace, find, reporter=reporter, stop=face.stop)
        elif acknowledge:
            accepted = backups.accept_loss(face.workspace)
        elif not status:
            find = passphrase(face, passphrase_file, new=True)
            if if_due:
                made = backups.back_up_if_due(face.workspace, find, reporter=reporter, stop=face.stop)
            else:
                wish = backups.BackupWish(target, encrypt, to_second_folder)
                made = backups.make(face.workspace, wish, find, reporter=reporter, stop=face.stop)
            if keep_passphrase:
                with face.workspace.reading() as archive:
                    archive_id = archive.id
                backup_passphrase.keep(archive_id, find(archive_id).reveal())
        depth = backup_copies.Depth.ALL if check else backup_copies.Depth.NEW
        state = backup_copies.status(face.workspace, depth, on_step=face.stop.check)
    if status:
        failed = state.alarm is not None
    elif drill:
        failed = tried is not None and not tried.passed
    else:
        failed = state.loss is not None or (made is not None and bool(made.problems))
    shape = _shape(state, made)
    if drill:
        shape["drill"] = None if tried is None else fields_of(tried, *_DRILL)
    if acknowledge:
        shape["accepted"] = [] if accepted is None else [str(held.record.path) for held in accepted]
    face.out.result(shape, int(failed))
    if face.out.for_people:
        if drill:
            _show_drill(face, tried)
        elif acknowledge:
            _show_accepted(face, accepted)
        else:
            _show(face, state, made, listing=status)
    return int(failed)


def _remember(face: Face, second_folder: str | None, alarm_days: int | None) -> None:
    if second_folder is None and alarm_days is None:
        return
    from confere.system.settings import BACKUP_ALARM, BACKUP_FOLDER

    settings = face.workspace.settings
    if second_folder:
        folder = Path(second_folder).expanduser().absolute()
        was_made = named_folder.made(folder)
        named_folder.require_writable(folder)
        if was_made is not None:
            face.out.aside(plain(render(was_made)))
        settings.set(BACKUP_FOLDER, str(folder))
    elif second_folder is not None:
        settings.set(BACKUP_FOLDER, "")
    if alarm_days is not None:
        settings.set(BACKUP_ALARM, alarm_days)
    settings.save()


def _show_drill(face: Face, tried: DrillResult | None) -> None:
    if tried is None:
        face.out.sentences(t("No trial is due yet."))
        return
    path = plain(str(tried.file))
    if tried.passed:
        face.out.sentences(
            t(
                "The backup {path} was restored to a scratch place and verified; it passed. Documents: {documents},"
                " events: {events}, contents read back: {read}.",
                path=path,
                documents=formatting.count(tried.documents),
                events=formatting.count(tried.events),
                read=formatting.count(tried.read),
            )
        )
        return
    face.out.aside(t("The trial restore of the backup {path} failed:", path=path))
    for problem in tried.problems:
        face.out.aside(plain(render(problem)))


def _show_accepted(face: Face, accepted: tuple[HeldMore, ...] | None) -> None:
    if accepted is None:
        face.out.sentences(t("There is nothing to accept: no older backup holds more than the newest one."))
        return
    face.out.sentences(
        t("Accepted, and written into the audit trail. Older backups that hold more go when their time has come.")
    )


def _show(face: Face, state: BackupStatus, made: BackupsMade | None, *, listing: bool) -> None:
    lines: list[str] = []
    if made is not None:
        lines += [t("A checked copy of the archive is in {path}.", path=plain(str(path))) for path in made.written]
        lines += [plain(render(note)) for note in made.notes]
        for problem in made.problems:
            face.out.aside(f"{plain(render(problem.what))} {plain(render(problem.remedy)) if problem.remedy else ''}")
    elif not listing:
        lines.append(t("No backup is due yet."))
    if listing:
        lines += [_line(copy) for copy in state.copies]
    lines.append(render(state.sentence))
    face.out.sentences(*lines)
    for alarm in state.alarms:
        face.out.aside(plain(render(alarm)))
    if state.second_folder is not None and not state.second_reachable:
        face.out.aside(t("The second folder {path} is not there just now.", path=plain(str(state.second_folder))))


def _line(copy: BackupCopy) -> str:
    from confere.app.labels.backup_labels import state_word

    word = state_word(copy.state)
    if copy.encrypted:
        word = t("{state}, encrypted", state=word)
    return f"{formatting.moment(copy.made_at)}  {formatting.size(copy.size)}  {word}  {plain(str(copy.path))}"


def _shape(state: BackupStatus, made: BackupsMade | None) -> Shape:
    return {
        "written": [] if made is None else list(made.written),
        "problems": [] if made is None else [problem.what for problem in made.problems],
        "notes": [] if made is None else list(made.notes),
        "status": {
            "copies": each_of(
                state.copies, "file=path", "place", "state", "made_at", "size", "encrypted", "documents", "newest_run"
            ),
            "whole": len(state.whole),
            "newest": None if state.newest is None else fields_of(state.newest, "file=path", "made_at"),
            "second_folder": state.second_folder,
            "second_folder_there": state.second_reachable,
            "alarms": list(state.alarms),
            "holding_more": [_held(held) for held in state.holding_more],
            "last_drill": None if state.drill is None else fields_of(state.drill, "at", "file", "passed"),
            **fields_of(state, "days", "alarm_days", "alarm", "summary=sentence"),
        },
    }


def _held(held: HeldMore) -> Shape:
    return {
        "file": str(held.record.path),
        "made_at": held.record.made_at,
        "kinds": [fall._asdict() for fall in held.falls],
    }
