"""The small language of file and folder names: text with `{names}` of a fixed list, checked before it is used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Final

from confere.errors import Message, UsageFault, message
from confere.export import field_words
from confere.system.files.safe_names import segment

FOLDER_FIELDS: Final = frozenset({"company", "month", "kind", "direction", "type", "model", "state"})
DOCUMENT_FIELDS: Final = FOLDER_FIELDS | {"key", "ending", "series", "number", "day", "emitter", "recipient"}
EVENT_FIELDS: Final = FOLDER_FIELDS | {"key", "ending", "code", "sequence", "day"}
VOIDING_FIELDS: Final = FOLDER_FIELDS | {"ending", "uf", "year", "emitter", "series", "first", "last", "day"}

LONGEST_PATH: Final = 240
"""Characters of a path inside a package; Windows refuses 260 and more, with the folder that it is unpacked into."""

_MOST_FOLDER: Final = 130  # characters of all folders above a file together; the rest is the file's own name
_ZEROS: Final = re.compile(r"0?([1-9]|1[0-9]|20)?", re.ASCII)
_MOST_FOLDERS: Final = 8
_EXAMPLE: Final = "{key}-{ending}.xml"


@dataclass(frozen=True, slots=True)
class Templates:
    """How files and folders are called. A name in braces is replaced; `{number:09}` fills up with zeros.

    The names may be those of any language of the program (`field_words`).

    Folders (`/` between them; empty for none): company, month, kind (nfe, cte, mdfe or event), direction (in or
    out), type, model, state. File names know these too, and: of a document key, ending, series, number, day,
    emitter, recipient; of an event key, ending, code, sequence, day; of a voiding ending, uf, year, emitter, series,
    first, last, day.

    `ending` is what accounting systems look for: `procNFe`, `procCTe`, `procMDFe` for a document with its protocol,
    `nfe`, `cte`, `mdfe` for one without; `procEventoNFe` and its kin for a registered event, `ped-eve` (a request)
    for one that is not; `procInutNFe`, `procInutCTe`, and `ped-inu` for a voiding that is not registered.
    """

    folder: str = "{company}/{month}/{kind}/{direction}"
    document: str = _EXAMPLE
    event: str = "{key}-{code}-{sequence}-{ending}.xml"
    voiding: str = "{uf}-{year}-{emitter}-{model}-{series}-{first}-{last}-{ending}.xml"


Part = str | tuple[str, int]  # text, or a name with the digits to fill up to


class Template:
    """One template, read and found good."""

    def __init__(self, text: str, known: frozenset[str]) -> None:
        self.parts = tuple(_parts(text, known))
        self.fields = frozenset(part[0] for part in self.parts if not isinstance(part, str))
        self._format = "".join(
            part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else f"{{{part[0]}:0>{part[1]}}}"
            for part in self.parts
        )

    def fill(self, values: Mapping[str, str]) -> str:
        """The text with each name replaced by its value."""
        return self._format.format_map(values)


class FileNameTemplate:
    """The template of a file's name: one segment that ends in `.xml`."""

    def __init__(self, text: str, known: frozenset[str]) -> None:
        self._template = Template(text, known)
        self.fields = self._template.fields
        """The names that it asks for."""
        if not text.endswith(".xml"):
            raise _refused(text, message("a file name ends in .xml: importers look for nothing else"))
        for part in self._template.parts:
            if isinstance(part, str) and ("/" in part or "\\" in part):
                raise _refused(text, message("a file name holds no folder"))

    def raw(self, values: Mapping[str, str]) -> str:
        """The name as the template has it, which a system may refuse."""
        return self._template.fill(values)

    def of(self, values: Mapping[str, str]) -> str:
        return segment(self.raw(values))


class FolderName:
    """The template of the folders above a file."""

    def __init__(self, text: str) -> None:
        if "\\" in text:
            raise _refused(text, message("folders are separated by /"))
        pieces = text.split("/") if text else []
        if len(pieces) > _MOST_FOLDERS:
            raise _refused(text, message("that is too many folders"))
        for piece in pieces:
            if piece.strip() in ("", ".", ".."):
                raise _refused(text, message("a folder needs a name"))
        self._templates = tuple(Template(piece, FOLDER_FIELDS) for piece in pieces)

    def raw(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """The folders as the template has them, which a system may refuse."""
        return tuple(template.fill(values) for template in self._templates)

    def of(self, values: Mapping[str, str]) -> str:
        """The folders, each with a `/` behind it; together short enough for the file's name to stay whole."""
        pieces = [segment(piece) for piece in self.raw(values)]
        if sum(map(len, pieces)) + len(pieces) > _MOST_FOLDER:
            room = _MOST_FOLDER // len(pieces) - 1
            pieces = [segment(piece[:room]) for piece in pieces]
        return "".join([f"{piece}/" for piece in pieces])


def _parts(text: str, known: frozenset[str]) -> list[Part]:
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise _refused(text, message("its braces do not come in pairs")) from error
    parts: list[Part] = []
    for literal, name, zeros, conversion in pieces:
        if literal:
            parts.append(literal)
        if name is None:
            continue
        if conversion:
            raise _refused(text, message("a name in braces stands alone"))
        field = field_words.field_of(name)
        if field not in known:
            raise UsageFault(
                message("The name template {template} asks for {name}, which is not known.", template=text, name=name),
                message("Known here: {known}.", known=", ".join(sorted(map(field_words.word, known)))),
            )
        match = _ZEROS.fullmatch(zeros or "")
        if match is None:
            raise _refused(text, message("behind the colon stands only a number of digits, like :09"))
        parts.append((field, int(match[1] or 0)))
    return parts


def _refused(text: str, why: Message) -> UsageFault:
    return UsageFault(
        message("The name template {template} cannot be used: {why}.", template=text, why=why),
        message("An example: {example}", example=field_words.shown(_EXAMPLE)),
    )
