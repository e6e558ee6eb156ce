"""`confere show`: everything about one document, or its XML as it came."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import document_detail_json, json_shapes
from confere.cli.options import document_name, option_values, option_words
from confere.cli.render import document_view
from confere.errors import NotInArchive, UsageFault, message
from confere.system.files.atomic_file import write_new
from confere.system.messages import t
from confere.system.plain_text import plain

_LONGEST_NUMBER = 10
_ALL = "all"


def show(
    face: Face,
    name: Annotated[
        str,
        typer.Argument(
            metavar=document_name.FORMS,
            help=document_name.FORMS_HELP,
        ),
    ],
    xml: Annotated[bool, typer.Option("--xml", metavar="", help=t("Give the XML, byte for byte as it came."))] = False,
    items: Annotated[
        str,
        typer.Option(
            "--items",
            metavar=f"N|{option_words.shown(_ALL, option_values.EVERY_ITEM)}",
            help=t("How many items are told in full (default: 30)."),
        ),
    ] = "30",
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help=t("Write the XML to a new file."))
    ] = None,
) -> int:
    """0; what the archive does not hold is wrong use."""
    if output is not None and not xml:
        raise UsageFault(message("--output is for the XML."), message("Give --xml too."))
    if xml:
        return _xml(face, document_name.exact(face, name), output)
    most = _most(items)
    from confere.app.documents import show

    try:
        found = show.show(face.workspace, _plain(name))
    except NotInArchive:
        if _record(face, name.strip()) or _record(face, _plain(name)):
            return 0
        found = show.show(face.workspace, document_name.exact(face, name))
    face.out.result(document_detail_json.shown(found))
    if face.out.for_people:
        face.out.print(*document_view.parts(found, most))
    return 0


def _record(face: Face, name: str) -> bool:
    """Show a hub's record that was not understood, as it came; False where there is none of this name."""
    from confere.app.documents import unread_records

    found = unread_records.called(face.workspace, name)
    for entry in found[:1]:
        face.out.result(json_shapes.record(entry))
    if face.out.for_people:
        for entry in found:
            face.out.print(tables.facts(tables.of_record(entry.record)), "")
            for answer in entry.answers:
                face.out.text("".join(f"{plain(line)}\n" for line in answer.splitlines()))
    return bool(found)


def _most(text: str) -> int | None:
    """A number of items, None for all."""
    if option_words.comparable(text) in map(option_words.comparable, option_values.EVERY_ITEM(_ALL)):
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < _LONGEST_NUMBER):
        every = option_words.shown(_ALL, option_values.EVERY_ITEM)
        raise UsageFault(
            message("--items takes a number or the word {all}, not {text}.", all=every, text=text),
            message("Give --items {all} for every item.", all=every),
        )
    return int(text)


def _plain(name: str) -> str:
    """A name as people copy it: keys stand in groups of four on paper."""
    return "".join(name.split())


def _xml(face: Face, name: str, output: Path | None) -> int:
    if output is None and not face.out.for_people:
        raise UsageFault(
            message("One JSON object and the XML cannot both go to the same output."),
            message("Write the XML to a file with --output."),
        )
    if output is not None and output.exists():
        raise _exists(output)
    from confere.app.documents import browse

    data = browse.xml(face.workspace, name)
    if output is None:
        face.out.data(data)
        return 0
    _write_new(output, data)
    face.out.result({"path": output, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    if face.out.for_people:
        face.out.aside(t("Written to {path}.", path=output))
    return 0


def _write_new(path: Path, data: bytes) -> None:
    try:
        write_new(path, data)
    except FileExistsError:
        raise _exists(path) from None


def _exists(path: Path) -> UsageFault:
    return UsageFault(
        message("There is something at {path} already; nothing was written.", path=str(path)),
        message("Choose another name, or move that one away."),
    )
