"""`confere restore`: put a backup into the archive's place, after it was looked through; what was there is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options.passphrase_input import PassphraseFile, passphrase
from confere.errors import UsageFault, message
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.backups.restore import Restored, RestorePlan

_INDENT = "  "


def restore(
    face: Face,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=t("A backup: its path, or its name alone in a folder for backups."))
    ],
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Read the backup and say what it is; change nothing."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Restore without asking."))] = False,
    passphrase_file: PassphraseFile = None,
) -> int:
    """1 where the user said no."""
    from confere.app.backups import restore as restores

    if preview and yes:
        raise UsageFault(message("--preview changes nothing, so there is nothing to say --yes to."))
    secret = passphrase(face, passphrase_file, new=False)
    found = restores.find_file(face.workspace, file)
    done: Restored | None = None
    if not yes:
        with face.job() as reporter:
            plan = restores.look(face.workspace, found, secret, reporter=reporter, stop=face.stop)
        if face.out.for_people:
            _show(face, plan)
        if preview:
            face.out.result(_shape(plan, None))
            return 0
        if not face.interactive:
            raise UsageFault(
                message("Nobody is there to confirm that the archive is to be replaced."),
                message("Look at it with --preview, then give --yes."),
            )
        if not face.confirm(message("Replace the archive by this backup? What is there now is kept beside it.")):
            face.out.aside(t("Nothing was changed."))
            return 1
    with face.job() as reporter:
        done = restores.restore(face.workspace, found, secret, reporter=reporter, stop=face.stop)
    face.out.result(_shape(done.plan, done))
    if face.out.for_people:
        _tell(face, done)
    return 0


def _show(face: Face, plan: RestorePlan) -> None:
    from confere.app.backups.restore import words
    from confere.app.labels import backup_labels

    lines = [
        t("The backup {file} is whole: {what}.", file=plain(str(plan.file)), what=render(words(plan.contents))),
    ]
    if plan.contents.is_older:
        lines.append(t("It is of an older Confere and is brought up to date."))
    if plan.present is not None:
        lines.append(t("It takes the place of: {what}.", what=render(words(plan.present))))
        if not plan.is_same:
            lines.append(t("Careful: it is a backup of another archive than the one that is here."))
    elif plan.there:
        lines.append(backup_labels.replaces_damaged(plan.losses))
    lines += backup_labels.account_lines(plan.accounts, _INDENT, there=plan.there)
    if plan.there:
        lines += backup_labels.loss_lines(plan.losses, _INDENT)
        lines.append(backup_labels.kept_line(face.workspace.home.archive, comes_back=plan.comes_back))
    face.out.sentences(*lines)


def _tell(face: Face, done: Restored) -> None:
    from confere.app.backups.restore import words
    from confere.app.labels import backup_labels

    lines = [t("Restored: {what}.", what=render(words(done.plan.contents)))]
    if done.aside is not None:
        if done.plan.present is None:
            lines.append(t("The archive that was here could not be read whole."))
        lines += backup_labels.loss_lines(done.plan.losses, _INDENT)
        lines.append(t("The archive that was here is kept as {path}.", path=plain(str(done.aside))))
        if done.plan.comes_back:
            lines.append(t("Restoring that file brings all of it back."))
    lines += backup_labels.account_lines(done.plan.accounts, _INDENT, there=done.plan.there)
    lines.append(t("What came after the backup is fetched anew: run `confere sync`."))
    face.out.sentences(*lines)


def _shape(plan: RestorePlan, done: Restored | None) -> Shape:
    """`losses` are of every kind, `number` null where it could not be read; null where nothing could be."""
    kept = ("archive_id", "format", "older=is_older", "documents", "events", "newest_run")
    return {
        **fields_of(plan, "file", "size", "encrypted", "same_archive=is_same", "there"),
        "backup": fields_of(plan.contents, *kept),
        "present": None if plan.present is None else fields_of(plan.present, *kept),
        "present_size": plan.present_size,
        "accounts": each_of(plan.accounts, "name", "address", "present_address", "change", "disarmed=is_disarmed"),
        "losses": None if plan.losses is None else each_of(plan.losses, "kind", "number", "newest"),
        "restored": done is not None,
        "set_aside": None if done is None else done.aside,
    }
