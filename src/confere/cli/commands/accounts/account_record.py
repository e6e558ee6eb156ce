"""`confere account record`: a few answers of the account's hub as a file without any person in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json.encoder import fields_of
from confere.system import formatting
from confere.system.messages import t


def account_record(
    face: Face,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help=t("The account; may be left out where there is only one."))
    ],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help=t("The file to write."), show_default=False)
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", metavar="", help=t("Write over a file that is there already."))
    ] = False,
) -> int:
    """0 when the file is written; what stood in the way otherwise."""
    from confere.app.accounts import record_answers

    account, path = (None, Path(name)) if file is None else (name, file)
    with face.job() as reporter:
        recording = record_answers.record(
            face.workspace,
            path,
            account=account,
            replace=replace,
            prompt=face.prompt,
            reporter=reporter,
            stop=face.stop,
        )
    face.out.result(fields_of(recording, "account", "path", "answers", "documents", "files", "orders", "requests"))
    if face.out.for_people:
        count = formatting.count
        face.out.print(
            tables.facts(
                [
                    (t("File"), str(recording.path)),
                    (t("Answers"), count(recording.answers)),
                    (t("Documents"), count(recording.documents)),
                    (t("XML files"), count(recording.files)),
                    (t("Orders"), count(recording.orders)),
                    (t("Requests"), count(recording.requests)),
                ]
            )
        )
        face.out.aside(
            t(
                "Every name, number, key, tax id, address and amount in it is replaced. Look it through before you "
                "give it away all the same: a field that nobody has met may say more than it seems."
            )
        )
    return 0
