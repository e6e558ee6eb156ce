"""Where a person is in an archive, and taking them out of orders and returns with every version of their JSON.

What papers say of the person stays: the law wants them kept as received (LGPD art. 16, I).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import zstandard

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.closing import act_texts
from confere.archive.closing.act_texts import ClosingPlace
from confere.archive.documents.search import document_tags, saved_searches
from confere.archive.orders import erased_persons
from confere.archive.orders.order_rows import canonical_digest
from confere.archive.orders.personal_names import telling
from confere.archive.schema.schema import dictionary
from confere.archive.transaction import Transaction
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import LEVEL, Blob, Family, VaultWriter, digest_of
from confere.errors import ArchiveCorrupt, ArchiveError, message

Erase = Callable[[bytes, Collection[str]], bytes]
"""The JSON without the person and without these texts."""
NamesIn = Callable[[bytes], Collection[str]]
"""The texts of a JSON that say who the person is."""

ERASED: Final = "person erased"
"""In the audit trail: the subject is the tax id's middle digits alone."""
_MARK: Final = "(erased)"
_STEP: Final = 500
_SHORTEST_WORD: Final = 4
_JSON: Final = int(Family.JSON)

# Columns of text in which a sentence or a person's own words can name somebody.
_TEXTS: Final = (
    ("finding", "evidence"), ("finding", "subject"), ("finding", "note"), ("finding_act", "note"),
    ("finding_act", "from_note"), ("link", "evidence"), ("tie", "reason"),
    ("suggestion", "agrees"), ("suggestion", "differs"), ("act", "detail"),
    ("signoff", "note"), ("order_asked", "reason"), ("download", "reason"), ("run", "parameters"), ("run", "problem"),
    ("audit", "detail"), ("sales_order", "transmission_message"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperPlace:
    """A document that names the person; `roles` as on the paper."""

    access_key: str | None
    roles: tuple[str, ...]
    issued_on: str | None


@dataclass(frozen=True, slots=True)
class OrderPlace:
    """An order that names the person, by the archive's number and the hub's id; `versions` of its JSON are kept."""

    order_id: int
    account_id: int
    account: str
    hub_id: str
    created_on: str
    versions: int


@dataclass(frozen=True, slots=True)
class ReturnPlace:
    return_id: int
    account: str
    hub_id: str


@dataclass(frozen=True, slots=True)
class PersonTraces:
    """Everything here that names a person. `hub_records` counts what hubs say of documents, which stays with them."""

    papers: tuple[PaperPlace, ...] = ()
    events: int = 0
    orders: tuple[OrderPlace, ...] = ()
    returns: tuple[ReturnPlace, ...] = ()
    hub_records: int = 0
    erased_at: str | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was taken out: orders, versions of them and returns; `texts` are sentences and notes, those of closings too;
    `searches` are saved searches that were removed, `tags` those that were called otherwise.
    `kept` are closings that name the person in a text which the chain of closings covers."""

    orders: int = 0
    versions: int = 0
    returns: int = 0
    texts: int = 0
    kept: tuple[ClosingPlace, ...] = ()
    searches: int = 0
    tags: int = 0


def places(transaction: Transaction, vault: VaultReader, tax_id: str, spellings: Sequence[str]) -> PersonTraces:
    """Where the person is; `spellings` are the ways in which a JSON can write the tax id."""
    roles: dict[int, list[str]] = defaultdict(list)
    papers: dict[int, tuple[str | None, str | None]] = {}
    for row in transaction.named(
        "SELECT d.id, d.access_key, d.issued_on, p.role FROM taxpayer t CROSS JOIN party p ON p.taxpayer_id = t.id"
        " CROSS JOIN document d ON d.id = p.document_id WHERE t.tax_id = ? AND d.is_current = 1"
        " ORDER BY d.issued_on, d.id, p.position",
        (tax_id,),
    ):
        papers[row.id] = (row.access_key, row.issued_on)
        if row.role not in roles[row.id]:
            roles[row.id].append(row.role)
    events = int(transaction.scalar("SELECT count(*) FROM event WHERE author = ? AND is_current = 1", (tax_id,)))
    naming = _naming(transaction, vault, [spelling.encode() for spelling in spellings])
    keys = {key for number, (key, _) in papers.items() if key and "recipient" in roles[number]}
    orders = _orders(transaction, tax_id, naming, keys)
    hub_ids = {(entry.account_id, entry.hub_id) for entry in orders}
    records = set(transaction.column("SELECT content_id FROM hub_record"))
    return PersonTraces(
        tuple(PaperPlace(key, tuple(roles[number]), day) for number, (key, day) in papers.items()),
        events,
        orders,
        tuple(
            ReturnPlace(row.id, row.account, row.hub_id)
            for row in transaction.named(
                "SELECT r.id, r.account_id, a.name AS account, r.hub_id, r.content_id, r.order_hub_id FROM hub_return r"
                " JOIN account a ON a.id = r.account_id ORDER BY r.id"
            )
            if row.content_id in naming or (row.account_id, row.order_hub_id) in hub_ids
        ),
        len(naming & records),
        erased_persons.erased_at(transaction, tax_id),
    )


def erase(
    transaction: Transaction,
    vault: VaultReader,
    writer: VaultWriter,
    tax_id: str,
    spellings: Sequence[str],
    names_in: NamesIn,
    erase_json: Erase,
) -> Erasure:
    """Take the person out of orders, returns, their JSON and every sentence, and remember that.

    The file keeps traces until it is rewritten (`Archive.rewrite`).
    """
    found = places(transaction, vault, tax_id, spellings)
    contents = _contents_of(transaction, found)
    raws = dict(_read(transaction, vault, contents))
    said = set(spellings)
    for raw in raws.values():
        said.update(names_in(raw))
    for content_id, raw in raws.items():
        made = erase_json(raw, said)
        writer.restore(transaction, content_id, Blob(made, digest_of(made), Family.JSON))
        raws[content_id] = made
    for table, owners in (("sales_order", _numbers(found.orders)), ("hub_return", _numbers(found.returns))):
        rows = list(transaction.fetch_in(f"SELECT id, content_id FROM {table} WHERE id IN {{}}", owners))
        transaction.execute_many(
            f"UPDATE {table} SET digest = ? WHERE id = ?",
            [(canonical_digest(raws[content_id]), number) for number, content_id in rows if content_id in raws],
        )
    transaction.execute_many(
        "UPDATE sales_order SET buyer_tax_id = NULL, buyer_name = NULL WHERE id = ?",
        [(number,) for number in _numbers(found.orders)],
    )
    named = telling(said)
    kept = tuple(place for place in act_texts.naming(transaction, named) if place.is_fixed)
    closings = act_texts.erase(transaction, named, _MARK)
    trail = saved_searches.names_in_trail(transaction, named) | document_tags.names_in_trail(transaction, named)
    texts = closings.count + _erase_texts(transaction, {*named, *closings.spellings, *trail})
    searches = saved_searches.naming_person(transaction, named)
    saved_searches.erase(transaction, searches)
    tags = document_tags.naming_person(transaction, named)
    document_tags.erase_names(transaction, tags, _MARK)
    _read_back(transaction, raws)
    _erase_dictionaries(transaction, said)
    writer.forget()
    erased_persons.remember(
        transaction, tax_id, [(entry.account_id, entry.hub_id) for entry in found.orders], utc_now()
    )
    versions = sum(entry.versions for entry in found.orders)
    return Erasure(len(found.orders), versions, len(found.returns), texts, kept, len(searches), len(tags))


def names(
    transaction: Transaction, vault: VaultReader, found: PersonTraces, spellings: Sequence[str], names_in: NamesIn
) -> frozenset[str]:
    """What says who the person is in a sentence: the tax id, and name and e-mail as the person's orders have them."""
    said = set(spellings)
    for _, raw in _read(transaction, vault, _contents_of(transaction, found)):
        said.update(names_in(raw))
    return frozenset(telling(said))


def _numbers(entries: Iterable[OrderPlace | ReturnPlace]) -> list[int]:
    return [entry.order_id if isinstance(entry, OrderPlace) else entry.return_id for entry in entries]


def _contents_of(transaction: Transaction, found: PersonTraces) -> list[int]:
    orders, returned = _numbers(found.orders), _numbers(found.returns)
    numbers: dict[int, None] = {}
    for sql, owners in (
        ("SELECT content_id FROM order_version WHERE order_id IN {}", orders),
        ("SELECT content_id FROM sales_order WHERE id IN {}", orders),
        ("SELECT content_id FROM hub_return WHERE id IN {}", returned),
    ):
        numbers.update(dict.fromkeys(value for value in transaction.column_in(sql, owners)))
    return list(numbers)


def _read(transaction: Transaction, vault: VaultReader, contents: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The bytes of these contents; what is damaged is written anew as if it held nothing."""
    for start in range(0, len(contents), _STEP):
        for content_id in contents[start : start + _STEP]:
            try:
                yield content_id, vault.get(transaction, content_id)
            except ArchiveCorrupt:
                yield content_id, b""


def _naming(transaction: Transaction, vault: VaultReader, spellings: Sequence[bytes]) -> set[int]:
    """The JSON contents in which the tax id stands: an older version of an order may be the last that names it."""
    found: set[int] = set()
    after = 0
    while ids := transaction.integers(
        f"SELECT id FROM content WHERE family = {_JSON} AND id > ? ORDER BY id LIMIT {_STEP}", (after,)
    ):
        after = ids[-1]
        found.update(
            content_id
            for content_id, raw in _read(transaction, vault, list(ids))
            if any(spelling in raw for spelling in spellings)
        )
    return found


def _orders(transaction: Transaction, tax_id: str, naming: set[int], keys: set[str]) -> tuple[OrderPlace, ...]:
    """Orders of the person: by tax id, by any version's JSON, or with a masked or no tax id by the person's notes."""
    numbers = set(
        transaction.column(
            "SELECT id FROM sales_order WHERE replace(replace(replace(buyer_tax_id, '.', ''), '-', ''), '/', '') = ?",
            (tax_id,),
        )
    )
    for table, column in (("order_version", "order_id"), ("sales_order", "id")):
        sql = f"SELECT {column} FROM {table} WHERE content_id IN {{}}"
        numbers |= set(transaction.column_in(sql, naming))
    hidden = "(o.buyer_tax_id IS NULL AND o.buyer_name IS NOT NULL OR instr(o.buyer_tax_id, '*') > 0)"
    for sql in (
        f"SELECT o.id FROM sales_order o WHERE {hidden} AND o.invoice_key IN {{}}",
        "SELECT o.id FROM link l JOIN sales_order o ON o.account_id = l.account_id AND o.hub_id = l.order_hub_id"
        f" WHERE {hidden} AND l.access_key IN {{}}",
    ):
        numbers |= set(transaction.column_in(sql, keys))
    rows = transaction.fetch_in_as(
        OrderPlace,
        "SELECT o.id AS order_id, o.account_id, a.name AS account, o.hub_id, o.created_on,"
        " (SELECT count(*) FROM order_version v WHERE v.order_id = o.id) AS versions"
        " FROM sales_order o JOIN account a ON a.id = o.account_id WHERE o.id IN {}",
        numbers,
    )
    return tuple(sorted(rows, key=lambda place: place.order_id))


def _erase_texts(transaction: Transaction, names: Collection[str]) -> int:
    """Put a mark in place of every name in the sentences; how many columns of rows changed."""
    changed = 0
    audited: set[int] = set()
    # Several of these columns are JSON, with letters outside ASCII as they are or escaped.
    escaped = {json.dumps(name, ensure_ascii=ascii_alone)[1:-1] for name in names for ascii_alone in (True, False)}
    written = sorted({*names, *escaped}, key=len, reverse=True)
    for table, column in _TEXTS:
        for name in written:
            if table == "audit":
                audited.update(transaction.column(f"SELECT id FROM audit WHERE instr({column}, ?) > 0", (name,)))
            changed += transaction.execute(
                f"UPDATE {table} SET {column} = replace({column}, ?, ?) WHERE instr({column}, ?) > 0",
                (name, _MARK, name),
            )
    audit.texts_erased(transaction, audited)
    return changed


def _erase_dictionaries(transaction: Transaction, names: Collection[str]) -> None:
    """Dictionaries of the vault's JSON are made of orders: overwrite the person in them; pack anew what uses them."""
    wanted = set(names) | {word for name in names for word in name.split() if len(word) >= _SHORTEST_WORD}
    escaped = {json.dumps(name)[1:-1] for name in wanted}  # as hubs write letters outside ASCII
    needles = sorted({name.encode() for name in wanted | escaped}, key=len, reverse=True)
    for row in transaction.named(f"SELECT id, data, ratio, family, trained_at FROM dictionary WHERE family = {_JSON}"):
        overwritten = row.data
        for needle in needles:
            overwritten = overwritten.replace(needle, b"x" * len(needle))
        if overwritten == row.data:
            continue
        (new,) = transaction.new_ids(dictionary, 1)
        transaction.insert(dictionary, [(new, row.family, overwritten, row.trained_at, row.ratio)])
        _pack_anew(transaction, row.id, row.data, new, overwritten)
        transaction.execute("DELETE FROM dictionary WHERE id = ?", (row.id,))


def _pack_anew(transaction: Transaction, old: int, old_data: bytes, new: int, new_data: bytes) -> None:
    """Pack the contents of one dictionary with another, and read them back; what was damaged before stays so."""
    reader = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(old_data))
    packer = zstandard.ZstdCompressor(
        level=LEVEL, dict_data=zstandard.ZstdCompressionDict(new_data), write_dict_id=False
    )
    while rows := transaction.fetch(f"SELECT id, payload FROM content WHERE dictionary_id = ? LIMIT {_STEP}", (old,)):
        known = _whole(transaction, [number for number, _ in rows])
        transaction.execute_many(
            "UPDATE content SET payload = ?, dictionary_id = ? WHERE id = ?",
            [
                (packer.compress(reader.decompress(payload)) if number in known else payload, new, number)
                for number, payload in rows
            ],
        )
        _read_back(transaction, known)


def _whole(transaction: Transaction, contents: Sequence[int]) -> set[int]:
    """Which of these contents can be read and have their SHA-256."""
    vault = VaultReader()
    whole = set()
    for packed in vault.fetch(transaction, contents):
        with suppress(ArchiveCorrupt):
            vault.unpack(packed)
            whole.add(packed.content_id)
    return whole


def _read_back(transaction: Transaction, contents: Iterable[int]) -> None:
    """Raise `ArchiveError` where what was just written cannot be read as it was meant; then nothing is changed."""
    numbers = list(contents)
    if len(_whole(transaction, numbers)) < len(numbers):
        raise ArchiveError(
            message("What was packed anew cannot be read back against its SHA-256; nothing was erased."),
            message("Have the memory and the disk of this machine checked, and try again."),
        )
