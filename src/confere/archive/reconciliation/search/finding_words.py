"""Words looked for in findings as people read them: in the language in use, whatever the case and the accents.

Sentences are stored as codes with their values: a word is looked for in the sentence of each code, once, and in the
values of each finding.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, or_, select

from confere.archive.documents.search import party_conditions
from confere.archive.list_selection import Conditions
from confere.archive.message_encoding import storable
from confere.archive.orders.orders import ORDER
from confere.archive.reconciliation.findings import FINDING
from confere.archive.schema.schema import finding_order
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.system import message_codes
from confere.system.messages import render

_ID: Final = '"id":'
_CODE: Final = f'{_ID}"{message_codes.MARK}'
"""Begins a sentence with a code, where it is stored."""
_SENTENCE: Final = re.compile(f"{_CODE}(?!{message_codes.MARK})")
_PLACE: Final = re.compile(r"\{\w+[^{}]*\}")
_BEFORE, _AFTER = r"(?<!\d)", r"(?!\d)"
_ACCENTED: Final = frozenset("aeioucny")  # letters that Portuguese and Spanish write with accents
_NAMES: Final = ("orders", "keys", "subject", "note")
_LONGEST: Final = 60  # characters that SQLite compares: it refuses patterns beyond some length
_MOST: Final = 12  # words that are looked for
_BATCH: Final = 1000  # findings whose codes are looked through at once
_OF_PARTIES: Final = (
    "SELECT k.finding_id FROM finding_key k CROSS JOIN document d ON d.access_key = k.access_key"
    " WHERE d.is_current = 1 AND ({parties})"
)
_ROLES: Final = ("emitter", "recipient", "taker")


def of_all(transaction: Transaction, words: Sequence[str], titles: Mapping[str, str], among: Conditions) -> str:
    """The numbers of the findings that have all these words, as a JSON list; of those that meet `among`.

    `titles` are what rules are called. A word stands in the title, in the evidence, in a note, in the name of an
    order, a document or a party. One that begins or ends in a digit is no part of a longer number.
    """
    found: set[int] | None = None
    for word in dict.fromkeys(unicodedata.normalize("NFC", word) for word in words[:_MOST]):
        theirs: set[int] = set()
        if any(map(str.isalnum, word)):  # else it is a sign of JSON, if anything
            theirs |= {*_by_text(transaction, word, titles, among), *_by_sentence(transaction, word, among)}
            theirs |= _by_people(transaction, word)
        found = theirs if found is None else found & theirs
        if not found:
            break
    return json.dumps(sorted(found or ()))


def of_tax_id(transaction: Transaction, tax_id: str) -> str:
    """The numbers of the findings with a document of this CNPJ or CPF, as `of_all`."""
    parties = transaction.column("SELECT id FROM taxpayer WHERE tax_id = ?", (tax_id,))
    return json.dumps(sorted(_of_parties(transaction, parties)))


def listed(numbers: str) -> ColumnElement[bool]:
    """The condition that a finding is one of `of_all`."""
    each = func.json_each(numbers).table_valued("value")
    return FINDING.c.id.in_(select(each.c.value))


def _by_text(transaction: Transaction, word: str, titles: Mapping[str, str], among: Conditions) -> Iterator[int]:
    """Those whose rule is called so, and those that have it in their values, names or note."""
    pattern = _pattern(word)
    rules = [rule for rule, title in titles.items() if pattern.search(title)]
    columns = [FINDING.c[name] for name in (*_NAMES, "evidence")]
    # SQLite leaves few over, in a fifth of the time; it knows no accents, so any character may stand for a letter.
    like = f"%{''.join(map(_like, word[:_LONGEST]))}%"
    near = or_(FINDING.c.rule.in_(rules), *(column.like(like, escape="\\") for column in columns))
    for number, rule, *names, evidence in transaction.rows(
        select(FINDING.c.id, FINDING.c.rule, *columns).where(*among, near)
    ):
        if rule in rules or pattern.search("\n".join(filter(None, names))) or _is_valued(pattern, evidence):
            yield number


def _by_sentence(transaction: Transaction, word: str, among: Conditions) -> Iterator[int]:
    """Those with a sentence that has it."""
    pattern = _pattern(word)
    codes = [code for code, text in message_codes.sentences().items() if pattern.search(_without_values(text))]
    if not codes:
        return
    told = re.compile(f'{_CODE}(?:{"|".join(map(re.escape, codes))})"')
    numbers: list[int] = []
    texts: list[str] = []
    for number, evidence in transaction.rows(select(FINDING.c.id, FINDING.c.evidence).where(*among)):
        numbers.append(number)
        texts.append(evidence)
        if len(numbers) == _BATCH:
            yield from _telling(told, numbers, texts)
            numbers.clear()
            texts.clear()
    yield from _telling(told, numbers, texts)


def _telling(told: re.Pattern[str], numbers: Sequence[int], texts: Sequence[str]) -> Iterator[int]:
    """The numbers whose texts match: most of a thousand do not, which one look tells. JSON has no bare line end."""
    together = "\n".join(texts)
    place = at = 0
    while (match := told.search(together, at)) is not None:
        place += together.count("\n", at, match.start())
        yield numbers[place]
        at = together.find("\n", match.end())
        if at < 0:
            return


def _by_people(transaction: Transaction, word: str) -> set[int]:
    """Those whose documents' parties or orders' buyers are called so."""
    patterns = party_conditions.patterns(word)
    if not patterns:
        return set()
    called = " AND ".join(["name GLOB ?"] * len(patterns))
    found = _of_parties(transaction, transaction.column(f"SELECT id FROM taxpayer WHERE {called}", patterns))
    named = finding_order.alias("x")
    buyers = select(named.c.finding_id).join(
        ORDER, (ORDER.c.account_id == named.c.account_id) & (ORDER.c.hub_id == named.c.order_hub_id)
    )
    found.update(transaction.column(buyers.where(*(ORDER.c.buyer_name.op("GLOB")(storable(one)) for one in patterns))))
    return found


def _of_parties(transaction: Transaction, parties: Sequence[int]) -> set[int]:
    """Those with a document of one of these taxpayers."""
    if not parties:
        return set()
    among = "IN (SELECT value FROM json_each(:parties))"
    sql = _OF_PARTIES.format(parties=" OR ".join(f"d.{role}_id {among}" for role in _ROLES))
    return set(transaction.column(sql, {"parties": json.dumps(parties)}))


def _is_valued(word: re.Pattern[str], evidence: str) -> bool:
    """Whether it stands in what the sentences name, and not only in their codes or the names of their values."""
    for match in word.finditer(evidence):
        begins, ends = evidence.rfind('"', 0, match.start()), evidence.find('"', match.end())
        is_name = evidence.startswith(":", ends + 1) and evidence[ends - 1] != "\\"
        if not is_name and not _SENTENCE.match(evidence, max(begins - len(_ID), 0)):
            return True
    return False


def _without_values(sentence: str) -> str:
    """A sentence in the language in use, without its values."""
    return _PLACE.sub(" ", render(Message(sentence)))


def _pattern(word: str) -> re.Pattern[str]:
    """What finds it in either case, with any accents, and in no longer number where it begins or ends in a digit."""
    letters = "".join(_letter(letter) for letter in word)
    return re.compile(f"{_BEFORE if word[0].isdigit() else ''}{letters}{_AFTER if word[-1].isdigit() else ''}")


def _letter(letter: str) -> str:
    written = party_conditions.written(letter)
    if len(written) > 1:
        return f"[{written}]"
    other = letter.swapcase()
    return re.escape(letter) if other == letter or len(other) > 1 else f"[{letter}{other}]"


def _like(letter: str) -> str:
    if len(party_conditions.written(letter)) > 1:
        bare = unicodedata.normalize("NFD", letter)[0].lower()
        return "_" if bare in _ACCENTED else bare
    if not letter.isascii():
        return "_"
    return f"\\{letter}" if letter in "%_\\" else letter
