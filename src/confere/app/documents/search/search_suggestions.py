"""Suggestions for a search that is being typed: documents by number, people, orders, amounts and months."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from confere.app.archive_session import OpenArchive
from confere.app.labels import labels
from confere.archive.documents import documents
from confere.archive.documents.search import search_offers
from confere.archive.documents.search.document_query import DocumentQuery
from confere.system import formatting
from confere.system.messages import t

SHORTEST: Final = 2
"""Characters of a word before anything is suggested for it."""
_MOST: Final = 4  # of each kind
_NUMBER: Final = re.compile(r"(?:(?P<series>[0-9]{1,3})/)?(?P<number>[0-9]{1,9})")
_MONTH: Final = re.compile(r"(?P<month>[1-9])/(?P<year>20[0-9]{2})")
_NAME: Final = re.compile(r"[^\W\d_]{3,}")  # of two letters the full text has no index


class SearchSuggestion(NamedTuple):
    """`text` stands in the place of the word that is being typed; `label` is what is shown."""

    text: str
    label: str


def suggestions(
    opened: OpenArchive, word: str, *, within: DocumentQuery = search_offers.EVERYTHING, hide_people: bool = False
) -> tuple[SearchSuggestion, ...]:
    """What `word` may become, the likeliest first, of the company and the days of `within`.

    With `hide_people` no person is named (LGPD).
    """
    if len(word) < SHORTEST or not opened.exists:
        return ()
    return tuple(_suggested(opened, word, within, hide_people=hide_people))


def _suggested(
    opened: OpenArchive, word: str, within: DocumentQuery, *, hide_people: bool
) -> Iterator[SearchSuggestion]:
    number, month = _NUMBER.fullmatch(word), _MONTH.fullmatch(word)
    with opened.reading() as transaction:
        if number is not None:
            series = None if number["series"] is None else int(number["series"])
            ids = search_offers.numbers(transaction, int(number["number"]), series, _MOST, within)
            for row in documents.by_ids(transaction, ids):
                parts = (
                    labels.number_word(row.series, row.number),
                    labels.type_word(row.type),
                    formatting.date(row.issued_on),
                    "" if hide_people else row.recipient_name or row.emitter_name or "",
                )
                yield SearchSuggestion(parts[0], " · ".join(filter(None, parts)))
        if any(map(str.isdigit, word)):
            for order in search_offers.orders(transaction, word, _MOST, within):
                yield SearchSuggestion(order, t("order {order}", order=order))
        if _NAME.fullmatch(word) and not hide_people:
            for name in search_offers.names(transaction, word, _MOST, within):
                quoted = name.replace('"', " ")
                yield SearchSuggestion(f'"{quoted}"', name)
    if number is not None and number["series"] is None and len(word) >= SHORTEST:
        amount = formatting.money(int(word) * 100).replace("\u00a0", " ")
        yield SearchSuggestion(amount, t("value of {amount}", amount=amount))
    if month is not None:
        yield SearchSuggestion(f"0{word}", t("month {month}", month=f"0{word}"))
