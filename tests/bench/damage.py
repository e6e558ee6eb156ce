"""An archive of invented documents, damaged at random again and again: found, named, healed? Printed by kind.

Rows and bytes inside contents are damaged several to a copy, each of other documents; pages, single bytes of the file
and truncations one to a copy. The hub is the sandbox's, and a backup lies in its folder.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confere.archive.store import Archive
from confere.archive.vault.reader import VaultReader
from confere.errors import ConfereError, message
from confere.system.secrets import system_keyring
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.end_to_end.confere import add_account, confere

AT_ONCE = 10  # damages of rows in one copy
_SHARES = {"row": 0.55, "payload": 0.15, "byte": 0.12, "page": 0.13, "truncated": 0.05}
_TABLES = {
    "document": "SELECT {table}.rowid, access_key FROM document WHERE access_key IS NOT NULL",
    "event": "SELECT rowid, access_key FROM event",
    "content": "SELECT c.id, d.access_key FROM content c JOIN document d ON d.content_id = c.id",
    "item": "SELECT i.document_id, i.position, d.access_key FROM item i JOIN document d ON d.id = i.document_id",
    "party": "SELECT p.document_id, p.position, d.access_key FROM party p JOIN document d ON d.id = p.document_id",
    "tax_group": "SELECT p.document_id, p.position, d.access_key FROM tax_group p"
    " JOIN document d ON d.id = p.document_id",
    "belonging": "SELECT b.tax_id, b.issued_on, b.document_id, d.access_key FROM belonging b"
    " JOIN document d ON d.id = b.document_id",
    "relation": "SELECT source_key, target_key, kind, source_key FROM relation WHERE claims & 1",
    "voiding": "SELECT v.document_id, 'voiding ' || d.number FROM voiding v JOIN document d ON d.id = v.document_id",
    "taxpayer": "SELECT t.id, max(d.access_key) FROM taxpayer t JOIN party p ON p.taxpayer_id = t.id"
    " JOIN document d ON d.id = p.document_id GROUP BY 1",
    "certificate": "SELECT id, '' FROM certificate",
    "dictionary": "SELECT id, '' FROM dictionary",
    "arrival": "SELECT r.content_id, r.source, d.access_key FROM arrival r JOIN document d USING (content_id)",
    "download": "SELECT w.id, h.access_key FROM download w JOIN hub_document h ON h.id = w.hub_document_id"
    " WHERE w.content_id IS NOT NULL",
    "hub_document": "SELECT id, access_key FROM hub_document",
    "hub_record": "SELECT r.id, h.access_key FROM hub_record r JOIN hub_document h ON h.id = r.hub_document_id",
}
_KEYS = {
    "item": ("document_id", "position"), "party": ("document_id", "position"), "tax_group": ("document_id", "position"),
    "belonging": ("tax_id", "issued_on", "document_id"), "relation": ("source_key", "target_key", "kind"),
    "voiding": ("document_id",), "arrival": ("content_id", "source"),
}  # fmt: skip


@dataclass
class Damage:
    """One of them. `key` is of the document that it is about; empty where it is about many."""

    kind: str
    what: str
    key: str
    found: bool = False
    named: bool = False
    healed: bool = False


@dataclass
class Tally:
    tried: int = 0
    harmless: int = 0
    found: int = 0
    named: int = 0
    healed: int = 0
    failures: list[str] = field(default_factory=list)


def run(documents: int = 2_000, damages: int = 1_000, seed: int = 1) -> None:
    system_keyring._backend = _none
    began = time.monotonic()
    tallies: dict[str, Tally] = defaultdict(Tally)
    lost_documents = touched = 0
    with tempfile.TemporaryDirectory() as folder, running(SandboxOptions(documents=documents, seed=6)) as hub:
        home = Path(folder, "home")
        add_account(home, "hub", hub.address, hub.token)
        assert confere(home, "sync").code == 0
        assert confere(home, "doctor", "--backup").code == 0
        assert confere(home, "doctor", "--verify").code == 0
        with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = _snapshot(home)
        print(f"{documents} documents, {(home / 'archive.sqlite3').stat().st_size >> 20} MB, {len(before)} papers")
        dice = random.Random(seed)
        for number, batch in enumerate(_batches(home, dice, damages)):
            copy = Path(folder, f"copy-{number}")
            shutil.copytree(home, copy)
            harmless = False
            if batch[0].kind in _RAW:
                _harm_file(copy / "archive.sqlite3", batch[0], dice)
                harmless = _is_whole(copy) and _snapshot_or_none(copy) == before
            else:
                _harm_rows(copy / "archive.sqlite3", batch, dice)
            verified = confere(copy, "doctor", "--verify")
            names = _names(verified.json.get("facts", {}))
            repaired = confere(copy, "doctor", "--repair")
            after = _snapshot_or_none(copy) or {}
            left = {key for key in before if after.get(key) != before[key]} | (after.keys() - before.keys())
            lost_documents += len(left)
            touched += len(before) if batch[0].kind in _RAW else len(batch)
            for damage in batch:
                tally = tallies[damage.kind]
                tally.tried += 1
                tally.harmless += harmless
                damage.found = verified.code != 0 or harmless
                damage.named = harmless or (damage.key in names if damage.key else damage.found)
                damage.healed = damage.key not in left if damage.key else not left
                tally.found += damage.found
                tally.named += damage.named
                tally.healed += damage.healed
                if not (damage.found and damage.named and damage.healed):
                    said = "; ".join(
                        str(entry["what"])[:160] for entry in repaired.json.get("findings", ()) if not entry["well"]
                    )
                    tally.failures.append(
                        f"{damage.what} {damage.key}: found {damage.found}, named {damage.named},"
                        f" healed {damage.healed}; exit {verified.code}, {repaired.code};"
                        f" {len(left)} differ {sorted(left)[:2]}; {said}{repaired.complaints[-300:]}"
                    )
            shutil.rmtree(copy)
            told = ", ".join(sorted({damage.kind for damage in batch}))
            print(
                f"{number + 1}: {len(batch)} ({told}), {len(left)} differ; {time.monotonic() - began:.0f} s", flush=True
            )
    _print(tallies)
    print(f"documents that differ afterwards: {lost_documents} of {touched} touched; {time.monotonic() - began:.0f} s")


_RAW = ("byte", "page", "truncated")


def _none() -> Any:
    raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))


def _batches(home: Path, dice: random.Random, damages: int) -> Iterator[list[Damage]]:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        rows = {table: connection.execute(sql.format(table=table)).fetchall() for table, sql in _TABLES.items()}
    rows = {table: found for table, found in rows.items() if found}
    small: list[Damage] = []
    for place in range(round(damages * _SHARES["row"])):
        table = list(rows)[place % len(rows)]
        row = dice.choice(rows[table])
        names = _KEYS.get(table, ("rowid",))
        values = " AND ".join(f"{name} = {_quoted(value)}" for name, value in zip(names, row, strict=False))
        small.append(Damage(f"row of {table}", f"DELETE FROM {table} WHERE {values}", row[-1]))
    for _ in range(round(damages * _SHARES["payload"])):
        content_id, key = dice.choice(rows["content"])
        small.append(Damage("payload", str(content_id), key))
    dice.shuffle(small)
    while small:
        batch: list[Damage] = []
        for damage in list(small):
            # What is about many documents would hide what is about one.
            alone = not damage.key or damage.kind in ("row of hub_document", "row of taxpayer")
            if len(batch) < AT_ONCE and (not batch if alone else all(e.key and e.key != damage.key for e in batch)):
                batch.append(damage)
                small.remove(damage)
                if alone:
                    break
        yield batch
    for kind in _RAW:
        for _ in range(round(damages * _SHARES[kind])):
            yield [Damage(kind, "", "")]


def _quoted(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _harm_rows(path: Path, batch: list[Damage], dice: random.Random) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for damage in batch:
            if damage.kind == "payload":
                (payload,) = connection.execute("SELECT payload FROM content WHERE id = ?", (damage.what,)).fetchone()
                at = dice.randrange(len(payload))
                flipped = payload[:at] + bytes([payload[at] ^ (1 << dice.randrange(8))]) + payload[at + 1 :]
                connection.execute("UPDATE content SET payload = ? WHERE id = ?", (flipped, damage.what))
            else:
                connection.execute(damage.what)


def _harm_file(path: Path, damage: Damage, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    if damage.kind == "byte":
        at = dice.randrange(len(data))
        data[at] ^= 1 << dice.randrange(8)
        damage.what = f"byte {at} (page {at // size + 1})"
    elif damage.kind == "page":
        page = dice.randrange(len(data) // size)
        data[page * size : (page + 1) * size] = bytes(size)
        damage.what = f"page {page + 1}"
    else:
        length = dice.randrange(len(data))
        del data[length:]
        damage.what = f"cut at {length}"
    path.write_bytes(data)


def _is_whole(home: Path) -> bool:
    try:
        with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
            return [row[0] for row in connection.execute("PRAGMA integrity_check")] == ["ok"]
    except sqlite3.Error:
        return False


_PARTS = (
    "SELECT d.access_key, 'd', d.type, d.state, d.is_current, d.total, d.cstat, d.issued_on, d.hub_marketplace,"
    " d.operation, d.number, d.nature, d.cfops, e.tax_id, r.tax_id FROM document d"
    " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id",
    "SELECT d.access_key, 'i', i.* FROM item i JOIN document d ON d.id = i.document_id",
    "SELECT d.access_key, 'p', p.position, p.role, t.tax_id, t.name, t.uf, t.city FROM party p"
    " JOIN document d ON d.id = p.document_id LEFT JOIN taxpayer t ON t.id = p.taxpayer_id",
    "SELECT d.access_key, 'b', b.tax_id, b.issued_on, b.direction FROM belonging b"
    " JOIN document d ON d.id = b.document_id",
    "SELECT access_key, 'e', code, sequence, registered, is_current, description, protocol FROM event",
    "SELECT source_key, 'r', target_key, kind, claims FROM relation",
    "SELECT h.access_key, 'h', h.hub_id, h.subtype, h.list_digest, h.marketplace, h.order_id FROM hub_document h",
    "SELECT h.access_key, 'w', w.item_id, w.kind, w.state FROM download w"
    " JOIN hub_document h ON h.id = w.hub_document_id",
)


def _snapshot(home: Path) -> dict[str, frozenset[tuple[Any, ...]]]:
    """What the archive says of each key, with the SHA-256 of the bytes that it gives back."""
    found: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        for sql in _PARTS:
            for row in transaction.fetch(sql):
                part = row[1:3] + row[4:] if row[1] == "i" else row[1:]  # a document's number may be another
                found[str(row[0])].add(part if row[1] != "i" else ("i", *row[3:]))
        reader = VaultReader()
        for table in ("document", "event"):
            for key, content_id, digest in transaction.fetch(
                f"SELECT x.access_key, c.id, c.digest FROM {table} x LEFT JOIN content c ON c.id = x.content_id"
            ):
                reader.get(transaction, content_id)
                found[str(key)].add((table, digest))
    return {key: frozenset(parts) for key, parts in found.items()}


def _snapshot_or_none(home: Path) -> dict[str, frozenset[tuple[Any, ...]]] | None:
    try:
        return _snapshot(home)
    except (ConfereError, sqlite3.Error, ValueError, TypeError):
        return None


def _names(facts: dict[str, Any]) -> set[str]:
    named = {entry["key"] for entry in (*facts.get("damaged", ()), *facts.get("missing_bytes", ()))}
    named |= {key for entry in facts.get("rows", ()) for key in entry["keys"]}
    for fact in ("without_rows", "lost_downloads", "lost_arrivals", "lost_versions", "lost_records"):
        value = facts.get(fact, ())
        named |= set(value) if isinstance(value, list) else set()
    return named


def _print(tallies: dict[str, Tally]) -> None:
    print(f"{'kind':24}{'tried':>7}{'harmless':>9}{'found':>7}{'named':>7}{'healed':>7}")
    whole: Counter[str] = Counter()
    for kind, tally in sorted(tallies.items()):
        figures = (tally.tried, tally.harmless, tally.found, tally.named, tally.healed)
        print(
            f"{kind:24}" + "".join(f"{figure:>{width}}" for figure, width in zip(figures, (7, 9, 7, 7, 7), strict=True))
        )
        whole.update(dict(zip(("tried", "harmless", "found", "named", "healed"), figures, strict=True)))
    print(
        f"{'all':24}{whole['tried']:>7}{whole['harmless']:>9}{whole['found']:>7}{whole['named']:>7}{whole['healed']:>7}"
    )
    for kind, tally in sorted(tallies.items()):
        for failure in tally.failures:
            print(f"  {kind}: {failure}")
