"""`confere tag`: words of one's own on documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.app.documents.search.search_fields import row_name
from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of
from confere.cli.options import document_name
from confere.cli.options.reconciliation_options import archive_of
from confere.errors import NC_, UsageFault, message
from confere.system import formatting
from confere.system.messages import ngettext, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.organize.tags import TagChange

Name = Annotated[str, typer.Argument(metavar="TAG", help=t("The tag."))]
Papers = Annotated[
    list[str] | None,
    typer.Argument(metavar=document_name.FORMS, help=document_name.FORMS_HELP, show_default=False),
]


def tag_list(face: Face) -> int:
    """Always 0."""
    from confere.app.documents.organize import tags

    with archive_of(face) as opened:
        found = tags.every(opened)
    face.out.result({"tags": each_of(found, "name", "colour", "documents")})
    if face.out.for_people:
        rows = [(tag.name, formatting.count(tag.documents)) for tag in found]
        if rows:
            face.out.print(tables.table((t(NC_("document", "Tag")), t("Documents")), rows, right=(1,)))
        else:
            face.out.aside(t("There is no tag. Make one with `confere tag add TAG KEY`."))
    return 0


def tag_add(face: Face, name: Name, papers: Papers = None) -> int:
    """0 when all of them bear it."""
    if not papers:
        raise UsageFault(
            message("There is no document to put the tag on."),
            message("Name documents by access key, SHA-256 or row ({row}).", row=row_name(1791)),
        )
    from confere.app.documents.organize import tags

    change = tags.add_to(face.workspace, name, [document_name.exact(face, typed) for typed in papers])
    words = ngettext(
        "{count} document was given the tag {name}; {already} bore it before.",
        "{count} documents were given the tag {name}; {already} bore it before.",
        len(change.ids),
        **_counts(change),
    )
    return _report(face, change, words)


def tag_remove(face: Face, name: Name, papers: Papers = None) -> int:
    """0 when none of them bears it."""
    if not papers:
        raise UsageFault(
            message("There is no document to take the tag off."),
            message(
                "Name documents by access key, SHA-256 or row ({row}); `confere tag delete` lets a tag go whole.",
                row=row_name(1791),
            ),
        )
    from confere.app.documents.organize import tags

    change = tags.remove_from(face.workspace, name, [document_name.exact(face, typed) for typed in papers])
    words = ngettext(
        "The tag {name} was taken off {count} document; {already} did not bear it.",
        "The tag {name} was taken off {count} documents; {already} did not bear it.",
        len(change.ids),
        **_counts(change),
    )
    return _report(face, change, words)


def tag_rename(
    face: Face, name: Name, new: Annotated[str, typer.Argument(metavar="NEW", help=t("What it is to be called."))]
) -> int:
    """0 when it is called so."""
    from confere.app.documents.organize import tags

    renamed = tags.rename(face.workspace, name, new)
    tag = renamed.tag
    face.out.result({"tag": tag.name, "documents": tag.documents, "searches": list(renamed.searches)})
    if face.out.for_people:
        face.out.aside(t("The tag is called {name} now.", name=plain(tag.name)))
        if renamed.searches:
            face.out.aside(t("Saved searches changed with it: {names}.", names=plain(", ".join(renamed.searches))))
    return 0


def tag_delete(face: Face, name: Name) -> int:
    """0 when no document bears it any more."""
    from confere.app.documents.organize import tags

    deleted = tags.delete(face.workspace, name)
    face.out.result({"tag": deleted.tag.name, "documents": deleted.tag.documents, "searches": list(deleted.searches)})
    if face.out.for_people:
        face.out.aside(
            ngettext(
                "The tag {name} was let go; {count} document bore it.",
                "The tag {name} was let go; {count} documents bore it.",
                deleted.tag.documents,
                name=plain(deleted.tag.name),
            )
        )
        if deleted.searches:
            face.out.aside(t("Saved searches still name it: {names}.", names=plain(", ".join(deleted.searches))))
    return 0


def _shape(change: TagChange) -> Shape:
    return {"tag": change.tag.name, "new": change.is_new, "changed": len(change.ids), "already": change.already}


def _counts(change: TagChange) -> dict[str, str]:
    return {
        "name": plain(change.tag.name),
        "count": formatting.count(len(change.ids)),
        "already": formatting.count(change.already),
    }


def _report(face: Face, change: TagChange, sentence: str) -> int:
    face.out.result(_shape(change))
    if face.out.for_people:
        face.out.aside(sentence)
    return 0
