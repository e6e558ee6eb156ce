"""Texts with every value in them replaced: keys, tax ids, days, amounts, addresses and words, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Final

from confere.fiscal import taxpayers
from confere.fiscal.anonymization.replacements import KEPT_DIGITS, Replacements

_PROTOCOL: Final = """
nfe nfce cte cteos mdfe authorization authorized cancellation cancelled canceled cancel cce correction voiding voided
denial denied rejected event autorizacao autorizada autorizado cancelamento cancelada cancelado carta correcao
sale sale_return return devolution inbound inbound_return symbolic_inbound symbolic_inbound_return symbolic freight
pending paid_waiting_ship invoiced paid_waiting_delivery concluded ok error ship_confirmed active unpublished
update create fiscal_documents full total partial true false null none other cpf cnpj pix boleto credit_card
debit_card paid approved refunded brl bra brasil brazil utc gmt http https next prev previous first last self
download downloads fiscaldocuments orders feeds returns transmissions v1 v2 v3 limit offset page size number
totalelements totalpages links content rel href createdatfrom createdatto lastupdatefrom lastupdateto orderid
marketplace documenttypevalue createdafter createdbefore status sort marketplaceid application json xml text html
charset utf base origin sem gtin reference references referenced related carries transports complements
"""
PROTOCOL: Final = frozenset(_PROTOCOL.split())
"""Words that stay, in lower case: of the hub's protocol and the papers' layouts, never a person's."""

_WORD: Final = r"[^\W_]+"
_PATTERN: Final = re.compile(
    r"(?P<base64>[A-Za-z0-9+/]{60,}={0,2})"
    r"|(?P<event>ID[0-9]{6})(?P<eventkey>[0-9]{6}[A-Z0-9]{12}[0-9]{26})(?P<sequence>[0-9]{2,3})(?![0-9A-Za-z])"
    r"|(?<![0-9A-Z])(?P<prefix>NFe|CTe|MDFe|)(?P<key>[0-9]{6}[A-Z0-9]{12}[0-9]{26})(?![0-9A-Za-z])"
    r"|(?<![0-9])(?P<year>(?:19|20)[0-9]{2})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])(?![0-9])"
    r"(?P<time>[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|(?<![0-9])(?P<bday>0[1-9]|[12][0-9]|3[01])/(?P<bmonth>0[1-9]|1[0-2])/(?P<byear>(?:19|20)[0-9]{2})(?![0-9])"
    r"|(?P<cnpj>[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2})(?![0-9])"
    r"|(?P<cpf>[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2})(?![0-9])"
    r"|(?<![\w.,])(?P<spaced>[0-9]{1,5}(?:[ \u00a0][0-9]{1,5})+)(?![\w])"
    r"|(?P<masked>[0-9.\-/]*\*[0-9.\-/*]*)"
    r"|(?<![\w.,])(?P<amount>[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]+[.,][0-9]+)(?![\w]|[.,][0-9])"
    rf"|(?P<compound>{_WORD}(?:[-_.]+{_WORD})*)"
)
_DECIMAL: Final = re.compile(r"([0-9]+)[.,]([0-9]+)")
_PIECE: Final = re.compile(_WORD)
_LETTERS_KEPT: Final = 2  # units, states, initials
_TOLD: Final = 4  # characters from which a text that came out as it was is replaced after all
_ISO: Final = re.compile(r"[0-9T:.+\-Z ]+")
_NUMBERS: Final = re.compile(r"[0-9]{1,3}|0*")


def words_of(text: str) -> Iterable[str]:
    """The words, numbers and amounts of a text, in lower case: what no replacement may equal."""
    for amount in _DECIMAL.finditer(text):
        yield f"{amount[1]}.{amount[2].rstrip('0')}".rstrip(".")
    for found in _PIECE.finditer(text.casefold()):
        yield found[0]
        yield found[0].lstrip("0")


class TextAnonymiser:
    """Replaces what texts hold. `tax_ids` are those that stand in it whole, whether or not their check digits hold.

    `hosts` are addresses by the word in braces that stands for each.
    """

    def __init__(
        self, originals: Iterable[str], *, tax_ids: Iterable[str] = (), hosts: dict[str, str], randomness: Random
    ) -> None:
        self.replacements = Replacements(frozenset(originals), randomness, randomness.randint(13, 40))
        self._tax_ids = frozenset(tax_ids)
        self._hosts = sorted(hosts.items(), key=lambda host: -len(host[0]))

    def leaf(self, text: str) -> str:
        """A whole value, such as a field of a record or of a paper."""
        if text.strip().casefold() in PROTOCOL:
            return text
        made = self.text(text)
        bare = text.strip()
        if made != text or len(bare) < _TOLD or _ISO.fullmatch(bare) or _is_protocol(bare):
            return made
        return _PIECE.sub(lambda found: self.replacements.word(found[0]), text)

    def text(self, text: str) -> str:
        """Any text, piece by piece."""
        for address, name in self._hosts:
            text = text.replace(address, name)
        return _PATTERN.sub(self._replaced, text)

    def number(self, number: int) -> int:
        """A whole number of a record."""
        if len(str(abs(number))) <= KEPT_DIGITS:
            return number
        made = int(self._digits(str(abs(number))))
        return -made if number < 0 else made

    def _replaced(self, found: re.Match[str]) -> str:
        group = found.lastgroup
        made = self.replacements
        match group:
            case "base64":
                return "A" * len(found[0].rstrip("=")) + "=" * found[0].count("=")
            case "sequence":
                return f"{found['event']}{made.key(found['eventkey'])}{found['sequence']}"
            case "key":
                return f"{found['prefix']}{made.key(found['key'])}"
            case "day" | "time":
                return "-".join(made.day(found["year"], found["month"], found["day"])) + (found["time"] or "")
            case "byear":
                return "/".join(reversed(made.day(found["byear"], found["bmonth"], found["bday"])))
            case "cnpj":
                return taxpayers.format_tax_id(made.cnpj(taxpayers.normalise(found[0])))
            case "cpf":
                return taxpayers.format_tax_id(made.cpf(taxpayers.normalise(found[0])))
            case "masked":
                return self._masked(found[0])
            case "amount":
                return self._amount(found[0])
            case "spaced":
                return self._spaced(found[0])
            case _:
                return self._compound(found[0])

    def _masked(self, shown: str) -> str:
        """A tax id of which stars hide a part, as the replacement of the one that it fits would be shown."""
        bare = taxpayers.normalise(shown)
        for whole in self._tax_ids if bare.strip("*") else ():
            if len(whole) == len(bare) and all(mark in ("*", digit) for mark, digit in zip(bare, whole, strict=True)):
                made = iter(self.replacements.cpf(whole) if len(whole) == 11 else self.replacements.cnpj(whole))
                return "".join(_shown(mark, made) for mark in shown)
        return re.sub(r"[0-9]+", lambda part: self.replacements.word(part[0]), shown)

    def _spaced(self, shown: str) -> str:
        """A number written in groups, as tax ids and telephones are: its digits replaced as those of the whole."""
        digits = "".join(mark for mark in shown if mark.isdigit())
        if len(digits) <= 2 * KEPT_DIGITS:
            return _PIECE.sub(lambda part: self._piece(part[0]), shown)
        made = iter(self._digits(digits))
        return "".join(next(made) if mark.isdigit() else mark for mark in shown)

    def _amount(self, written: str) -> str:
        plain = written.replace(".", "").replace(",", ".") if "," in written else written
        try:
            value = Decimal(plain)
        except InvalidOperation:  # digits of another script
            return re.sub(r"\w+", lambda part: self.replacements.word(part[0]), written)
        digits = len(plain.partition(".")[2])
        made = f"{self.replacements.amount(value):.{digits}f}"
        return made.replace(".", ",") if "," in written else made

    def _compound(self, text: str) -> str:
        """A word, or several joined by dashes, points or underscores: its long pieces, or all where none is long."""
        if text.casefold() in PROTOCOL:
            return text
        pieces = _PIECE.findall(text)
        if len(pieces) > 1 and len(text) >= _TOLD and not any(map(_is_told, pieces)):
            return _PIECE.sub(lambda found: self.replacements.word(found[0]), text)
        return _PIECE.sub(lambda found: self._piece(found[0]), text)

    def _piece(self, word: str) -> str:
        if word.isdigit() and word.isascii():
            return word if len(word.lstrip("0")) <= KEPT_DIGITS else self._digits(word)
        if not _is_told(word) or word.casefold() in PROTOCOL:
            return word
        if taxpayers.is_cnpj(word) or word in self._tax_ids:
            return self.replacements.cnpj(word)
        return self.replacements.word(word)

    def _digits(self, digits: str) -> str:
        if len(digits) == 14 and (digits in self._tax_ids or taxpayers.is_cnpj(digits)):
            return self.replacements.cnpj(digits)
        if taxpayers.is_cpf(digits) or (len(digits) == 11 and digits in self._tax_ids):
            return self.replacements.cpf(digits)
        if len(digits) == 8 and (day := _COMPACT_DAY.fullmatch(digits)):
            return "".join(self.replacements.day(*day.groups()))
        return self.replacements.digits(digits)


def _shown(mark: str, made: Iterator[str]) -> str:
    if mark != "*" and not mark.isalnum():
        return mark
    letter = next(made)
    return mark if mark == "*" else letter


_COMPACT_DAY: Final = re.compile(r"((?:19|20)[0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])")


def _is_told(word: str) -> bool:
    """Whether a word is long enough to be a value of somebody's."""
    if word.isdigit():
        return len(word.lstrip("0")) > KEPT_DIGITS
    return len(word) > (_LETTERS_KEPT if word.isalpha() else KEPT_DIGITS)


def _is_protocol(text: str) -> bool:
    return all(word.casefold() in PROTOCOL or _NUMBERS.fullmatch(word) for word in _PIECE.findall(text))
