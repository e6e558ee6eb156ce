"""Tags: words that a person puts on documents, found again by lists and the search language.

A tag of a document with an access key holds for the key, whichever of its contents is shown. One of paper without a key
is known by its content and its place in it. Both stay when papers are read again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.system.plain_text import folded_words

COLOURS: Final = 8
"""How many colours there are for tags."""
_AT_ONCE: Final = 500  # documents that one line of the audit trail names
_BECAME: Final = " → "  # between the names of a tag in the audit trail
_SELECT: Final = (
    "SELECT t.id, t.name, t.colour, (SELECT count(*) FROM document_tag g WHERE g.tag_id = t.id) AS documents FROM tag t"
)


class Tag(NamedTuple):
    """`colour` is a number below `COLOURS`; `documents` counts those that bear it."""

    id: int
    name: str
    colour: int
    documents: int = 0


class TagMark(NamedTuple):
    """A tag as a row of a list bears it."""

    name: str
    colour: int


class Tagged(Protocol):
    """What is needed of a document to know its tags."""

    @property
    def id(self) -> int: ...

    @property
    def content_id(self) -> int: ...

    @property
    def position(self) -> int: ...

    @property
    def access_key(self) -> str | None: ...


def every(transaction: Transaction) -> tuple[Tag, ...]:
    """All tags, by name."""
    return tuple(transaction.fetch_as(Tag, f"{_SELECT} ORDER BY t.folded"))


def find(transaction: Transaction, name: str) -> Tag | None:
    """The tag called so, in whatever case and with or without accents."""
    return transaction.first_as(Tag, f"{_SELECT} WHERE t.folded = ?", (storable(folded_words(name)),))


def numbered(transaction: Transaction, number: int) -> Tag | None:
    """The tag of this number, whatever it is called by now."""
    return transaction.first_as(Tag, f"{_SELECT} WHERE t.id = ?", (number,))


def make(transaction: Transaction, name: str) -> Tag:
    """A new tag of this name, in the colour that the fewest have."""
    from confere.archive.accounts import audit

    used = dict.fromkeys(range(COLOURS), 0)
    for colour in transaction.column("SELECT colour FROM tag"):
        used[colour % COLOURS] += 1
    number = _new_number(transaction)
    made = Tag(number, storable(name), min(used, key=lambda colour: (used[colour], colour)))
    _insert(transaction, made)
    # The name may be a person's: the trail can forget a line's detail, not its subject.
    audit.write(transaction, "tag make", str(number), made.name)
    return made


def rename(transaction: Transaction, tag: Tag, name: str) -> Tag:
    """Call the tag otherwise; what bears it goes on bearing it."""
    from confere.archive.accounts import audit

    transaction.execute(
        "UPDATE tag SET name = ?, folded = ? WHERE id = ?", (storable(name), storable(folded_words(name)), tag.id)
    )
    audit.write(transaction, "tag rename", str(tag.id), f"{tag.name}{_BECAME}{name}")
    return tag._replace(name=storable(name))


def delete(transaction: Transaction, tag: Tag) -> tuple[Row, ...]:
    """Let the tag go; the rows that said which documents bore it, for `bring_back`."""
    from confere.archive.accounts import audit

    rows = tuple(transaction.fetch("SELECT * FROM document_tag WHERE tag_id = ?", (tag.id,)))
    transaction.execute("DELETE FROM document_tag WHERE tag_id = ?", (tag.id,))
    transaction.execute("DELETE FROM tag WHERE id = ?", (tag.id,))
    audit.write(transaction, "tag delete", str(tag.id), f"{tag.name}: {len(rows)}")
    return rows


def is_erased(transaction: Transaction, tag: Tag) -> bool:
    """Whether the name of this tag, which was deleted, is of a person that was erased since: its line in the audit
    trail no longer has it."""
    detail = transaction.scalar(
        "SELECT detail FROM audit WHERE action = 'tag delete' AND subject = ? ORDER BY id DESC LIMIT 1", (str(tag.id),)
    )
    return detail is not None and not detail.startswith(f"{tag.name}: ")


def bring_back(transaction: Transaction, tag: Tag, rows: Sequence[Row]) -> Tag:
    """A tag that was deleted, on the documents that bore it; under a number of its own."""
    from confere.archive.accounts import audit
    from confere.archive.schema.schema import document_tag

    number = _new_number(transaction)
    _insert(transaction, tag._replace(id=number))
    transaction.insert(document_tag, [(number, *row[1:]) for row in rows])
    audit.write(transaction, "tag restore", str(number), f"{tag.name}: {len(rows)}")
    return tag._replace(id=number, documents=len(rows))


def _new_number(transaction: Transaction) -> int:
    """A number that no tag ever had: what undoes an act knows its tag by the number."""
    from confere.archive.accounts import audit
    from confere.archive.schema.schema import tag as tag_table

    transaction.count_from(tag_table, audit.highest_subject(transaction, ("tag make", "tag restore")))
    (number,) = transaction.new_ids(tag_table, 1)
    return number


def add(transaction: Transaction, tag: Tag, ids: Collection[int]) -> tuple[int, ...]:
    """Put the tag on these documents; those that did not bear it before."""
    from confere.archive.accounts import audit
    from confere.archive.schema.schema import document_tag
    from confere.archive.schema.table_rows import row_of

    new = [row for row in _documents(transaction, ids) if not _bears(transaction, tag, row)]
    now, actor = utc_now(), audit.actor()
    rows = {
        row.access_key or (row.content_id, row.position): row_of(document_tag)(
            tag_id=tag.id,
            content_id=row.content_id,
            position=row.position,
            access_key=row.access_key,
            tagged_at=now,
            actor=actor,
        )
        for row in new
    }
    transaction.insert(document_tag, list(rows.values()))
    _write_down(transaction, "tag add", tag, new)
    return tuple(row.id for row in new)


def remove(transaction: Transaction, tag: Tag, ids: Collection[int]) -> tuple[int, ...]:
    """Take the tag off these documents; those that bore it before."""
    gone = [row for row in _documents(transaction, ids) if _bears(transaction, tag, row)]
    transaction.execute_many(
        "DELETE FROM document_tag WHERE tag_id = ? AND access_key = ?",
        [(tag.id, row.access_key) for row in gone if row.access_key is not None],
    )
    transaction.execute_many(
        "DELETE FROM document_tag WHERE tag_id = ? AND content_id = ? AND position = ?",
        [(tag.id, row.content_id, row.position) for row in gone if row.access_key is None],
    )
    _write_down(transaction, "tag remove", tag, gone)
    return tuple(row.id for row in gone)


def naming_person(transaction: Transaction, names: Collection[str]) -> tuple[Tag, ...]:
    """Those whose name is of this person."""
    from confere.archive.orders.personal_names import named_in

    return tuple(tag for tag in every(transaction) if named_in((tag.name,), names))


def names_in_trail(transaction: Transaction, names: Collection[str]) -> frozenset[str]:
    """Those names of tags in the audit trail that name a person, also of tags long deleted."""
    from confere.archive.orders.personal_names import named_in

    told = transaction.column("SELECT DISTINCT detail FROM audit WHERE action IN ('tag make', 'tag rename')")
    called = {name for detail in told if detail is not None for name in (detail, *detail.split(_BECAME))}
    return frozenset(name for name in called if named_in((name,), names))


def erase_names(transaction: Transaction, tags: Collection[Tag], mark: str) -> None:
    """Call these by `mark` and their number, without a word of what they were called; they stay on their documents."""
    from confere.archive.accounts import audit

    for tag in tags:
        name = f"{mark} {tag.id}"
        transaction.execute(
            "UPDATE tag SET name = ?, folded = ? WHERE id = ?", (name, storable(folded_words(name)), tag.id)
        )
        audit.write(transaction, "tag rename", str(tag.id), name)


def marks(transaction: Transaction, rows: Iterable[Tagged]) -> dict[int, tuple[TagMark, ...]]:
    """The tags of these documents by the documents' ids, each by name; what bears none is left out."""
    known = {tag.id: TagMark(tag.name, tag.colour) for tag in transaction.named("SELECT id, name, colour FROM tag")}
    listed = list(rows)
    if not known or not listed:
        return {}
    by_key: dict[str, list[int]] = defaultdict(list)
    by_place: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in transaction.named_in(
        "SELECT tag_id, access_key FROM document_tag WHERE access_key IN {}",
        {row.access_key for row in listed if row.access_key is not None},
    ):
        by_key[row.access_key].append(row.tag_id)
    for row in transaction.named_in(
        "SELECT tag_id, content_id, position FROM document_tag WHERE access_key IS NULL AND content_id IN {}",
        {row.content_id for row in listed if row.access_key is None},
    ):
        by_place[row.content_id, row.position].append(row.tag_id)
    found = {}
    for row in listed:
        borne = by_place.get((row.content_id, row.position)) if row.access_key is None else by_key.get(row.access_key)
        if borne:
            found[row.id] = tuple(sorted((known[number] for number in borne if number in known), key=_by_name))
    return found


def with_tags(names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """SQL for the ids of the documents that bear any of these tags, with its parameters."""
    wanted = tuple(storable(folded_words(name)) for name in names)
    tags = f"g.tag_id IN (SELECT id FROM tag WHERE folded IN ({','.join('?' * len(wanted))}))"
    return (
        f"SELECT x.id FROM document_tag g CROSS JOIN document x ON x.access_key = g.access_key WHERE {tags}"
        " UNION SELECT x.id FROM document_tag g CROSS JOIN document x"
        f" ON x.content_id = g.content_id AND x.position = g.position WHERE g.access_key IS NULL AND {tags}",
        wanted * 2,
    )


def _insert(transaction: Transaction, tag: Tag) -> None:
    from confere.archive.schema.schema import tag as tag_table
    from confere.archive.schema.table_rows import row_of

    row = row_of(tag_table)(
        id=tag.id, name=tag.name, folded=storable(folded_words(tag.name)), colour=tag.colour, created_at=utc_now()
    )
    transaction.insert(tag_table, [row])


def _documents(transaction: Transaction, ids: Collection[int]) -> list[NamedRow]:
    return list(
        transaction.named_in(
            "SELECT d.id, d.content_id, d.position, d.access_key, c.digest FROM document d"
            " LEFT JOIN content c ON c.id = d.content_id WHERE d.id IN {}",
            list(dict.fromkeys(ids)),
        )
    )


def _bears(transaction: Transaction, tag: Tag, row: NamedRow) -> bool:
    place: tuple[str | int, ...] = (row.content_id, row.position)
    condition = "access_key IS NULL AND content_id = ? AND position = ?"
    if row.access_key is not None:
        condition, place = "access_key = ?", (row.access_key,)
    sql = f"SELECT 1 FROM document_tag WHERE tag_id = ? AND {condition}"
    return transaction.first(sql, (tag.id, *place)) is not None


def _write_down(transaction: Transaction, action: str, tag: Tag, rows: Sequence[NamedRow]) -> None:
    """Lines of the audit trail that name the documents by their keys, those without one by their SHA-256."""
    from confere.archive.accounts import audit

    names = [row.access_key or (row.digest or b"").hex() for row in rows]
    for start in range(0, len(names), _AT_ONCE):
        audit.write(transaction, action, str(tag.id), f"{tag.name}: {'; '.join(names[start : start + _AT_ONCE])}")


def _by_name(mark: TagMark) -> str:
    return folded_words(mark.name)
