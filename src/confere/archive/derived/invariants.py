"""What must hold between the rows of the archive, as SQL in one place: each gives what it does not hold of.

Those that `is_cheap` read indexes or few rows alone, so that every check-up can ask them; the others walk tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from confere.archive.derived.difference import WHOLE_ROW
from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML
from confere.archive.transaction import Row, Transaction
from confere.errors import N_, Message

_AT_ONCE: Final = 10_000  # violations that one look gives at most


@dataclass(frozen=True, slots=True)
class Invariant:
    """What must hold. `sql` gives, of each violation, what people call it, then what a repair needs.

    `sentence` is the identifier of a message that says what holds; `table` and `column` are where it does not.
    """

    name: str
    sentence: str
    table: str
    column: str
    sql: str
    is_cheap: bool = False


@dataclass(frozen=True, slots=True)
class Violations:
    """What an invariant does not hold of. `rows` begin with the `names`; `are_all`: there are no more."""

    invariant: Invariant
    rows: tuple[Row, ...]
    are_all: bool

    @property
    def names(self) -> tuple[str, ...]:
        """What people call them, each once."""
        return tuple(dict.fromkeys(str(name) for name, *_ in self.rows))

    @property
    def sentence(self) -> Message:
        """What should hold."""
        return Message(self.invariant.sentence)


def _parts(table: str) -> Invariant:
    return Invariant(
        f"{table} has its document",
        N_("Every line, party and range belongs to a document that is there."),
        table,
        "document_id",
        f"SELECT DISTINCT document_id, document_id FROM {table} WHERE document_id NOT IN (SELECT id FROM document)",
    )


_NO_PAPER: Final = (
    f"r.claims & {CLAIMED_BY_XML} AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = r.source_key)"
    " AND NOT EXISTS (SELECT 1 FROM event e WHERE e.access_key IN (r.source_key, r.target_key))"
)
_NO_RECORD: Final = (
    f"r.claims & {CLAIMED_BY_HUB} AND NOT EXISTS (SELECT 1 FROM hub_document h WHERE h.access_key = r.source_key)"
)
_NAMED_TWICE: Final = (
    "SELECT access_key FROM document WHERE access_key IS NOT NULL GROUP BY access_key HAVING count(*) > 1"
)
_OWNED: Final = (
    "EXISTS (SELECT 1 FROM party p JOIN taxpayer t ON t.id = p.taxpayer_id"
    " WHERE p.document_id = b.document_id AND t.tax_id = b.tax_id)"
    " OR EXISTS (SELECT 1 FROM voiding v WHERE v.document_id = b.document_id AND v.emitter = b.tax_id)"
)

A_VERSION_IS_CURRENT: Final = Invariant(
    "a version of a key is current",
    N_("One version of every document is the one that is shown."),
    "document",
    "is_current",
    "SELECT coalesce(d.access_key, d.content_id), d.id FROM document d WHERE d.is_current IS NOT 1"
    " AND (d.access_key IS NULL OR d.is_current IS NOT 0"
    " OR NOT EXISTS (SELECT 1 FROM document o WHERE o.access_key = d.access_key AND o.is_current = 1))",
    is_cheap=True,
)
ONE_VERSION_IS_CURRENT: Final = Invariant(
    "one version of a key alone is current",
    N_("Only one version of a document is shown."),
    "document",
    "is_current",
    f"SELECT d.access_key, min(d.id) FROM document d WHERE d.access_key IN ({_NAMED_TWICE}) AND d.is_current = 1"
    " GROUP BY d.access_key HAVING count(*) > 1",
    is_cheap=True,
)
ONE_EVENT_IS_CURRENT: Final = Invariant(
    "one copy of an event is current",
    N_("One copy of every event is the one that is shown."),
    "event",
    "is_current",
    "SELECT access_key, min(id) FROM event WHERE access_key IS NOT NULL GROUP BY access_key, code, sequence"
    " HAVING sum(is_current = 1) != 1 OR sum(is_current IN (0, 1)) != count(*)",
)
BELONGING_IS_CURRENT: Final = Invariant(
    "what belongs to a company is shown",
    N_("What stands among the documents of a company is shown, is of that day, and names the company."),
    "belonging",
    WHOLE_ROW,
    "SELECT coalesce(d.access_key, b.document_id), b.tax_id, b.issued_on, b.document_id FROM belonging b"
    " LEFT JOIN document d ON d.id = b.document_id"
    f" WHERE d.is_current IS NOT 1 OR d.issued_on IS NOT b.issued_on OR NOT ({_OWNED})",
)
RELATION_IS_CLAIMED: Final = Invariant(
    "a relation is claimed by a paper",
    N_("A relation that XML claims has a document or event that may claim it."),
    "relation",
    WHOLE_ROW,
    f"SELECT r.source_key, r.target_key, r.kind FROM relation r WHERE {_NO_PAPER}",
)
RELATION_IS_RECORDED: Final = Invariant(
    "a relation is claimed by a record",
    N_("A relation that a hub claims has a record of that hub."),
    "relation",
    "claims",
    f"SELECT r.source_key, r.target_key, r.kind FROM relation r WHERE {_NO_RECORD}",
)
VERDICT_HAS_CONTENT: Final = Invariant(
    "a verdict has its content",
    N_("A verdict is on a document, event or range that is there."),
    "verdict",
    "content_id",
    "SELECT content_id, content_id FROM verdict v"
    " WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.content_id = v.content_id)"
    " AND NOT EXISTS (SELECT 1 FROM event e WHERE e.content_id = v.content_id)",
)
VERDICT_HAS_BASIS: Final = Invariant(
    "a verdict has its basis",
    N_("A verdict says by what rules and certificates it was judged."),
    "verdict",
    "basis_id",
    "SELECT content_id, content_id FROM verdict WHERE basis_id NOT IN (SELECT id FROM basis)",
)
TAXPAYER_ONCE: Final = Invariant(
    "a spelling of a taxpayer stands once",
    N_("Every taxpayer, sentence, certificate and content stands in the archive once."),
    "taxpayer",
    WHOLE_ROW,
    "SELECT tax_id, max(id) FROM taxpayer WHERE tax_id IS NOT NULL"
    " GROUP BY tax_id, name, state_registration, uf, city HAVING count(*) > 1",
)
WHY_ONCE: Final = Invariant(
    "a sentence stands once",
    TAXPAYER_ONCE.sentence,
    "why",
    WHOLE_ROW,
    "SELECT max(id), max(id) FROM why GROUP BY text HAVING count(*) > 1",
)
CERTIFICATE_ONCE: Final = Invariant(
    "a certificate stands once",
    TAXPAYER_ONCE.sentence,
    "certificate",
    WHOLE_ROW,
    "SELECT max(id), max(id) FROM certificate WHERE digest_head IN"
    " (SELECT digest_head FROM certificate GROUP BY digest_head HAVING count(*) > 1) GROUP BY data HAVING count(*) > 1",
)
CONTENT_ONCE: Final = Invariant(
    "a content stands once",
    TAXPAYER_ONCE.sentence,
    "content",
    WHOLE_ROW,
    # Of XML alone: two versions of an order may be the same once a person is taken out of them.
    "SELECT max(id), max(id) FROM content WHERE family = 0 AND digest_head IN"
    " (SELECT digest_head FROM content WHERE family = 0 GROUP BY digest_head HAVING count(*) > 1)"
    " GROUP BY digest HAVING count(*) > 1",
)
PARTS: Final = tuple(map(_parts, ("party", "item", "item_reference", "tax_group", "voiding", "belonging")))


def _newest(owner: str, column: str, name: str, version: str) -> Invariant:
    return Invariant(
        f"{owner} is its newest version",
        N_("An order, product or record of a feed is read from its newest version."),
        owner,
        "content_id",
        f"SELECT o.{name}, o.id FROM {owner} o WHERE o.content_id IS NOT"
        f" (SELECT v.content_id FROM {version} v WHERE v.{column} = o.id ORDER BY v.position DESC LIMIT 1)",
    )


def _indexed(table: str, owner: str, column: str, listed: str) -> Invariant:
    return Invariant(
        f"{table} is what findings name",
        N_("The orders and documents that a finding names lead to it."),
        table,
        WHOLE_ROW,
        f"SELECT f.fingerprint, f.id FROM finding f WHERE EXISTS (SELECT 1 FROM json_each(f.{listed}) j"
        f" WHERE NOT EXISTS (SELECT 1 FROM {table} x WHERE {owner}x.{column} = j.value AND x.finding_id = f.id))"
        f" UNION SELECT coalesce(f.fingerprint, x.finding_id), x.finding_id FROM {table} x"
        " LEFT JOIN finding f ON f.id = x.finding_id WHERE f.id IS NULL"
        f" OR x.{column} NOT IN (SELECT j.value FROM json_each(f.{listed}) j)",
    )


FINDING_ORDERS: Final = _indexed("finding_order", "x.account_id = f.account_id AND ", "order_hub_id", "orders")
FINDING_KEYS: Final = _indexed("finding_key", "", "access_key", "keys")
ALL: Final = (
    A_VERSION_IS_CURRENT,
    ONE_VERSION_IS_CURRENT,
    ONE_EVENT_IS_CURRENT,
    *PARTS,
    BELONGING_IS_CURRENT,
    RELATION_IS_CLAIMED,
    RELATION_IS_RECORDED,
    VERDICT_HAS_CONTENT,
    VERDICT_HAS_BASIS,
    _newest("sales_order", "order_id", "hub_id", "order_version"),
    _newest("catalog_product", "product_id", "hub_id", "catalog_version"),
    _newest("feed_record", "record_id", "hub_id", "feed_record_version"),
    FINDING_ORDERS,
    FINDING_KEYS,
    TAXPAYER_ONCE,
    WHY_ONCE,
    CERTIFICATE_ONCE,
    CONTENT_ONCE,
)
"""All of them, in the order in which they are told."""


def broken(transaction: Transaction, *, thorough: bool) -> tuple[Violations, ...]:
    """The invariants that do not hold, and of what; those that are cheap alone, or all of them where `thorough`."""
    asked = [invariant for invariant in ALL if thorough or invariant.is_cheap]
    looked = [(invariant, violations(transaction, invariant)) for invariant in asked]
    return tuple(Violations(invariant, rows, len(rows) < _AT_ONCE) for invariant, rows in looked if rows)


def violations(transaction: Transaction, invariant: Invariant) -> tuple[Row, ...]:
    """Of what it does not hold, as `Invariant.sql` gives them; the first of very many."""
    return tuple(transaction.fetch(f"{invariant.sql} LIMIT {_AT_ONCE}"))
