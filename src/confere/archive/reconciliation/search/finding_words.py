"""Words looked for in findings as people read them: in the language in use, whatever the case and the accents.

Sentences are stored as codes with their values: a word is looked for in the sentence of each code, once, and in the
values of each finding.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, func, or_, select

from confere.archive.documents.search import party_conditions
from confere.archive.list_selection import Conditions
from confere.archive.message_encoding import storable
from confere.archive.orders.orders import ORDER
from confere.archive.reconciliation.findings import FINDING
from confere.archive.schema.schema import finding_order
from confere.archive.transaction import Ids, Transaction
from confere.errors import Message
from confere.system import message_codes
from confere.system.messages import render

_ID: Final = '"id":'
_CODE: Final = f'{_ID}"{message_codes.MARK}'
"""Begins a sentence with a code, where it is stored."""
_SENTENCE: Final = re.compile(f"{_CODE}(?!{message_codes.MARK})")
_CODES: Final = re.compile(f'{_CODE}(?!{message_codes.MARK})([^"]*)"')
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_PLACE: Final = re.compile(r"\{\w+[^{}]*\}")
_BEFORE, _AFTER = r"(?<!\d)", r"(?!\d)"
_ACCENTED: Final = frozenset("aeioucny")  # letters that Portuguese and Spanish write with accents
_NAMES: Final = ("orders", "keys", "subject", "note")
_LONGEST: Final = 60  # characters that SQLite compares: it refuses patterns beyond some length
_MOST: Final = 12  # words that are looked for
_FEW: Final = 5000  # findings whose codes are read for one word, where those of all may be kept for the next
_OF_PARTIES: Final = (
    "SELECT k.finding_id FROM finding_key k CROSS JOIN document d ON d.access_key = k.access_key"
    " WHERE d.is_current = 1 AND ({parties})"
)
_ROLES: Final = ("emitter", "recipient", "taker")


@dataclass(frozen=True, slots=True)
class Searched:
    """Which findings are looked through: those that meet `conditions`, of them these `numbers` alone where they are
    given. `scope` is a name of the conditions, None where what is learnt of these findings is not to be kept."""

    conditions: Conditions
    scope: Hashable = None
    numbers: frozenset[int] | None = None

    def within(self, numbers: Collection[int]) -> Searched:
        """Of these findings alone."""
        return replace(self, numbers=frozenset(numbers))

    @property
    def chosen(self) -> Conditions:
        """The conditions, with that of the numbers."""
        if self.numbers is None:
            return self.conditions
        return (*self.conditions, FINDING.c.id.in_(_each(self.numbers)))


def of_all(
    transaction: Transaction, words: Sequence[str], titles: Mapping[str, str], among: Searched
) -> Collection[int]:
    """The numbers of the findings that have all these words; of those `among`, though others may be with them.

    `titles` are what rules are called. A word stands in the title, in the evidence, in a note, in the name of an
    order, a document or a party. One that begins or ends in a digit is no part of a longer number.
    """
    for word in _rarest_first(words):
        if among.numbers is not None and not among.numbers:
            break
        having: set[int] = set()
        if any(map(str.isalnum, word)):  # else it is a sign of JSON, if anything
            having = _by_title_or_sentence(transaction, word, titles, among)
            having.update(_by_values(transaction, word, titles, among, having))
            having |= _by_people(transaction, word)
        among = among.within(having if among.numbers is None else having & among.numbers)
    return among.numbers or ()


def _rarest_first(words: Sequence[str]) -> list[str]:
    """The words in the order in which they probably leave fewest findings to the next: numbers, then the longest."""
    every = dict.fromkeys(unicodedata.normalize("NFC", word) for word in words[:_MOST])
    return sorted(every, key=lambda word: (not any(map(str.isdigit, word)), -len(word)))


def of_tax_id(transaction: Transaction, tax_id: str) -> Collection[int]:
    """The numbers of the findings with a document of this CNPJ or CPF."""
    parties = transaction.column("SELECT id FROM taxpayer WHERE tax_id = ?", (tax_id,))
    return _of_parties(transaction, parties)


def listed(numbers: Collection[int]) -> ColumnElement[bool]:
    """The condition that a finding has one of these numbers."""
    return FINDING.c.id.in_(_each(numbers))


def _each(numbers: Collection[int]) -> Select[Any]:
    """The numbers as rows: SQLite takes no more than some thousands of single values."""
    each = func.json_each(json.dumps(sorted(numbers))).table_valued("value")
    return select(each.c.value)


def _by_title_or_sentence(transaction: Transaction, word: str, titles: Mapping[str, str], among: Searched) -> set[int]:
    """Those whose rule is called so, and those with a sentence that has it."""
    pattern = _pattern(word)
    having: set[int] = set()
    rules = _rules_called(pattern, titles)
    if rules:
        having.update(transaction.column(select(FINDING.c.id).where(*among.chosen, FINDING.c.rule.in_(rules))))
    codes = {code for code, text in message_codes.sentences().items() if pattern.search(_without_values(text))}
    if codes:
        for theirs, numbers in _numbers_by_codes(transaction, among).items():
            if not codes.isdisjoint(theirs):
                having.update(numbers)
    return having


def _rules_called(pattern: re.Pattern[str], titles: Mapping[str, str]) -> list[str]:
    return [rule for rule, title in titles.items() if pattern.search(title)]


def _numbers_by_codes(transaction: Transaction, among: Searched) -> Mapping[tuple[str, ...], Ids]:
    """The numbers of the findings by the codes of their sentences: some dozens of kinds in a hundred thousand."""
    if among.numbers is not None and len(among.numbers) <= _FEW:
        return _read_codes(transaction, among.chosen)
    question = ("codes of findings", among.scope)
    kept: Mapping[tuple[str, ...], Ids] | None = transaction.kept(question)
    if kept is None:
        kept = _read_codes(transaction, among.conditions)
        if among.scope is not None:
            transaction.keep(question, kept)
    return kept


def _read_codes(transaction: Transaction, conditions: Conditions) -> Mapping[tuple[str, ...], Ids]:
    by_codes: dict[tuple[str, ...], Ids] = {}
    for number, evidence in transaction.rows(select(FINDING.c.id, FINDING.c.evidence).where(*conditions)):
        codes = tuple(_CODES.findall(evidence))
        if codes not in by_codes:
            by_codes[codes] = Ids("q")
        by_codes[codes].append(number)
    return by_codes


def _by_values(
    transaction: Transaction, word: str, titles: Mapping[str, str], among: Searched, known: set[int]
) -> Iterator[int]:
    """Those that have it in their values, names or note; of `known` nothing is asked any more."""
    pattern = _pattern(word)
    columns = [FINDING.c[name] for name in (*_NAMES, "evidence")]
    # SQLite leaves few over, in a fifth of the time; it knows no accents, so any character may stand for a letter.
    likes = [f"%{''.join(map(_like, way[:_LONGEST]))}%" for way in _ways(word)]
    unknown: list[ColumnElement[bool]] = []
    if rules := _rules_called(pattern, titles):
        unknown.append(FINDING.c.rule.not_in(rules))
    if known:
        unknown.append(FINDING.c.id.not_in(_each(known)))
    near = or_(*(column.like(like, escape="\\") for column in columns for like in likes))
    for number, *names, evidence in transaction.rows(
        select(FINDING.c.id, *columns).where(*among.chosen, *unknown, near)
    ):
        if pattern.search("\n".join(filter(None, names))) or _is_valued(pattern, evidence):
            yield number


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
    letters = "|".join("".join(map(_letter, way)) for way in _ways(word))
    return re.compile(f"{_BEFORE if word[0].isdigit() else ''}(?:{letters}){_AFTER if word[-1].isdigit() else ''}")


def _ways(word: str) -> tuple[str, ...]:
    """As it may be stored: a day as English shows it is one of Brazil's in a sentence."""
    return (word, f"{word[8:]}/{word[5:7]}/{word[:4]}") if _ISO_DAY.fullmatch(word) else (word,)


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
