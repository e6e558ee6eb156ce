"""The use case "tags": words of one's own on documents, by which lists find them again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.archive.documents import documents
from confere.archive.documents.search import document_tags
from confere.archive.documents.search.document_tags import COLOURS as COLOURS
from confere.archive.documents.search.document_tags import Tag as Tag
from confere.archive.documents.search.document_tags import TagMark as TagMark
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message

_PURPOSE: Final = "tags"
_PATIENCE: Final = 5.0  # seconds that another short write may take
_SHA256: Final = re.compile(r"[0-9a-fA-F]{64}")
_ROW_ID: Final = re.compile(r"[0-9]{1,18}")
PERSON_ERASED: Final = (
    message("A person was erased from the archive since, whom this may name: it is not brought back."),
    message("Make it anew, without who the person was."),
)


class TagChange(NamedTuple):
    """What changed: these documents bear `tag` now, or no more; `already` of those asked for were so before.

    `is_new`: the tag was made for them.
    """

    tag: Tag
    ids: tuple[int, ...]
    already: int
    is_new: bool = False


class DeletedTag(NamedTuple):
    """A tag that was let go, and what brings it back. `searches` are the saved searches that name it still."""

    tag: Tag
    rows: tuple[tuple[Any, ...], ...]
    searches: tuple[str, ...] = ()


class RenamedTag(NamedTuple):
    """A tag as it is called now, and the saved searches that name it and were written anew."""

    tag: Tag
    searches: tuple[str, ...] = ()


def every(opened: OpenArchive) -> tuple[Tag, ...]:
    """All tags, by name, each with how many documents bear it."""
    with opened.reading() as transaction:
        return document_tags.every(transaction)


def borne(opened: OpenArchive, ids: Sequence[int]) -> dict[str, int]:
    """The tags of these documents, each with how many of them bear it."""
    with opened.reading() as transaction:
        found = document_tags.marks(transaction, documents.by_ids(transaction, ids))
    return dict(Counter(mark.name for marks in found.values() for mark in marks))


def add(workspace: Workspace, name: str, ids: Sequence[int]) -> TagChange:
    """Put the tag on these documents; it is made where there is none of this name."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        return _add(transaction, name, ids)


def remove(workspace: Workspace, name: str, ids: Sequence[int]) -> TagChange:
    """Take the tag off these documents. `NotInArchive` where there is none of this name."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        return _remove(transaction, name, ids)


def add_to(workspace: Workspace, name: str, papers: Sequence[str]) -> TagChange:
    """As `add`, of documents named by access key, SHA-256 or row number; `NotInArchive` where one is not here."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        return _add(transaction, name, ids_of(transaction, papers))


def remove_from(workspace: Workspace, name: str, papers: Sequence[str]) -> TagChange:
    """As `remove`, of documents named as in `add_to`."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        return _remove(transaction, name, ids_of(transaction, papers))


def rename(workspace: Workspace, name: str, new: str) -> RenamedTag:
    """Call a tag otherwise, in saved searches too. `UsageFault` where another one is called so."""
    from confere.app.documents.organize import names, tag_mentions

    kept = names.checked(new, in_searches=True)
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        tag = known(transaction, name)
        other = document_tags.find(transaction, kept)
        if other is not None and other.id != tag.id:
            raise UsageFault(
                message("There is a tag {name} already.", name=other.name),
                message("Choose another name, or put that tag on the documents and let this one go."),
            )
        if kept == tag.name:
            return RenamedTag(tag)
        return RenamedTag(
            document_tags.rename(transaction, tag, kept), tag_mentions.rename(transaction, tag.name, kept)
        )


def delete(workspace: Workspace, name: str) -> DeletedTag:
    """Let a tag go, from every document. `NotInArchive` where there is none of this name."""
    from confere.app.documents.organize import tag_mentions

    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        tag = known(transaction, name)
        searches = tuple(saved.name for saved in tag_mentions.naming(transaction, tag.name))
        return DeletedTag(tag, document_tags.delete(transaction, tag), searches)


def bring_back(workspace: Workspace, deleted: DeletedTag) -> Tag:
    """Undo `delete`. `UsageFault` where another tag has the name meanwhile, or a person whom it names was erased."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        if document_tags.is_erased(transaction, deleted.tag):
            raise UsageFault(*PERSON_ERASED)
        if document_tags.find(transaction, deleted.tag.name) is not None:
            raise UsageFault(message("There is a tag {name} already.", name=deleted.tag.name))
        return document_tags.bring_back(transaction, deleted.tag, deleted.rows)


def take_back(workspace: Workspace, change: TagChange, *, was_put: bool) -> TagChange:
    """Undo `add` (`was_put`) or `remove`, of the tag as it is called by now. `NotInArchive` where it was let go."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        tag = document_tags.numbered(transaction, change.tag.id)
        if tag is None:
            raise NotInArchive(message("The tag was let go meanwhile: there is nothing to undo."))
        act = document_tags.remove if was_put else document_tags.add
        changed = act(transaction, tag, change.ids)
        return TagChange(tag, changed, len(set(change.ids)) - len(changed))


def known(transaction: Transaction, name: str) -> Tag:
    """The tag called so; `NotInArchive` with the names like it otherwise."""
    from confere.app.documents.organize import names

    found = document_tags.find(transaction, name)
    if found is None:
        raise NotInArchive(
            message("There is no tag {name}.", name=name),
            names.instead_of(
                name,
                [tag.name for tag in document_tags.every(transaction)],
                message("Make the first one: `confere tag add TAG KEY`."),
            ),
        )
    return found


def ids_of(transaction: Transaction, papers: Sequence[str]) -> list[int]:
    """The rows of documents by access key, SHA-256 (all that a file holds) or row number."""
    from confere.app.documents import full_document

    found: list[int] = []
    for name in papers:
        plain = name.strip()
        if _SHA256.fullmatch(plain):
            ids = documents.of_digest(transaction, bytes.fromhex(plain))[1]
        elif _ROW_ID.fullmatch(plain):
            ids = tuple(row.id for row in documents.by_ids(transaction, [int(plain)]))
        else:
            ids = documents.versions(transaction, plain.upper())[:1]
        if not ids:
            raise full_document.unknown(name)
        found += ids
    return found


def _add(transaction: Transaction, name: str, ids: Sequence[int]) -> TagChange:
    from confere.app.documents.organize import names

    kept = names.checked(name, in_searches=True)
    found = document_tags.find(transaction, kept)
    tag = found or document_tags.make(transaction, kept)
    changed = document_tags.add(transaction, tag, ids)
    return TagChange(tag, changed, len(set(ids)) - len(changed), found is None)


def _remove(transaction: Transaction, name: str, ids: Sequence[int]) -> TagChange:
    tag = known(transaction, name)
    changed = document_tags.remove(transaction, tag, ids)
    return TagChange(tag, changed, len(set(ids)) - len(changed))
