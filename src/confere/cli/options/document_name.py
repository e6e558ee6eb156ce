"""A document on the command line: its key, SHA-256 or row, or a search that only one document fits."""

from __future__ import annotations

from typing import Final

from confere.app.documents.search.search_fields import row_name
from confere.cli import tables
from confere.cli.context import Face
from confere.errors import UsageFault, message
from confere.system.messages import t

_MOST_SHOWN: Final = 20
FORMS: Final = f"KEY|SHA256|{row_name('N')}"
"""The value of an argument that names a document, without its searches."""
FORMS_HELP: Final = t(
    "An access key, a SHA-256, the archive's row ({row}), or a search that one document fits: 1/4711.",
    row=row_name(1791),
)


def exact(face: Face, typed: str) -> str:
    """The name by which the use cases know the document that `typed` means.

    `UsageFault` where several fit, after people were shown them; `NotInArchive` where none does.
    """
    from confere.app.documents import typed_name

    meant = typed_name.meant(face.workspace, typed)
    if meant.name is not None:
        return meant.name
    rows = meant.rows[:_MOST_SHOWN]
    if face.out.for_people:
        beside = face.out.error_console  # the output may be a file that waits for the XML
        beside.print(tables.documents(rows, beside.width, hidden=face.hides_people))
        what = message("{name} fits {count} documents.", name=typed, count=meant.fitting)
    else:
        keys = ", ".join(row.access_key or row_name(row.id) for row in rows)
        what = message("{name} fits {count} documents: {keys}", name=typed, count=meant.fitting, keys=keys)
    if typed.strip().isdecimal():
        way = message(
            "Write {row} for the archive's row, or the series before the number (1/{number}).",
            row=row_name(typed.strip()),
            number=typed.strip(),
        )
        raise UsageFault(what, way)
    raise UsageFault(
        what, message("Name one by its access key, or add what only it has: its kind, a name, a day ('nfe 1/4711').")
    )
