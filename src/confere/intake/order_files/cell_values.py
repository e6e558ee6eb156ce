"""What stands in one cell of an order file: money, quantities, days, tax ids and statuses as people write them.

Text that cannot be understood raises `UnreadableCell`: a guess would be a wrong figure later. A day without a time zone
is one of Brasília.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

from confere.errors import Message, message
from confere.fiscal import taxpayers
from confere.fiscal.law import states
from confere.fiscal.periods import BRASILIA
from confere.sales.order import OrderStatus
from confere.system.plain_text import folded_words

Cell = str | Decimal | datetime

_ENDS = re.compile(r"([.,])(\d+)\D*$")
_TWO_THOUSANDS = re.compile(r"([.,])\d{3}\1\d{3}")
_MARK = re.compile(r"[.,]")
_ROUNDED = re.compile(r"\d+(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
_NO_TAX_ID = re.compile(r"[^0-9A-Za-z*]")
_CURRENCY = re.compile(r"R\$|BRL|\s", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<minus>-)?(?P<digits>\d[\d.,]{0,30})")
_GROUPED = {mark: re.compile(rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+") for mark in ",."}
_DAY = re.compile(
    r"(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4}|\d{2})"
    r"(?:[ T,]+(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2}))?)?(?:\s*h(?:s|rs)?\.?)?",
    re.IGNORECASE,
)
_DAY_IN_WORDS = re.compile(
    r"(?P<d>\d{1,2}) (?:de )?(?P<m>[a-z]+)\.? (?:de )?(?P<y>\d{4})"
    r"(?:,? (?P<H>\d{1,2}):(?P<M>\d{2})(?: ?h(?:s|rs)?\.?)?)?"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "janeiro enero",
            "fevereiro febrero",
            "marco marzo",
            "abril",
            "maio mayo",
            "junho junio",
            "julho julio",
            "agosto",
            "setembro septiembre",
            "outubro octubre",
            "novembro noviembre",
            "dezembro diciembre",
        ],
        start=1,
    )
    for name in names.split()
}
_STATUSES: dict[str, OrderStatus] = {
    word: status
    for status, words in {
        OrderStatus.PENDING: "pendente pending pendiente",
        OrderStatus.PAID_WAITING_SHIP: "pago paga paid aprovado aprovada approved pagado",
        OrderStatus.INVOICED: "faturado faturada invoiced facturado facturada",
        OrderStatus.PAID_WAITING_DELIVERY: "enviado enviada despachado shipped transito",
        OrderStatus.CONCLUDED: "entregue concluido concluida delivered completed concluded entregado finalizado",
        OrderStatus.CANCELED: "cancelado cancelada canceled cancelled",
    }.items()
    for word in words.split()
}
_MOST_DIGITS = 15
_FIRST_YEAR, _LAST_YEAR = 1990, 2199


@dataclass(frozen=True, slots=True)
class Row:
    """`line` counts from 1 as a person sees the file; of a record over several lines it is the first."""

    line: int
    cells: tuple[Cell, ...]


class UnreadableCell(Exception):
    """A cell cannot be understood; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


def decimal_mark(cells: Iterable[Cell]) -> str | None:
    """Which of `,` and `.` stands before the decimals in these cells; None where they do not tell."""
    found: set[str] = set()
    for cell in {cell for cell in cells if isinstance(cell, str)}:
        digits = _CURRENCY.sub("", cell)
        ends = _ENDS.search(digits)
        if ends and (len(ends[2]) != 3 or len(set(_MARK.findall(digits))) == 2):
            found.add(ends[1])
        elif _TWO_THOUSANDS.search(digits):  # two of a kind part thousands
            found.add("." if "," in digits else ",")
    return found.pop() if len(found) == 1 else None


def amount(cell: Cell, mark: str | None) -> Decimal:
    """A number as people write it: `R$ 1.234,56`, `1,234.56`, `(10,00)`; `mark` settles what `1.234` is."""
    if isinstance(cell, Decimal):
        if cell.adjusted() >= _MOST_DIGITS:
            raise UnreadableCell(message("{text} has too many digits for a number.", text=shown(cell)))
        exponent = cell.as_tuple().exponent
        return round(cell, _MOST_DIGITS) if isinstance(exponent, int) and exponent < -_MOST_DIGITS else cell
    if isinstance(cell, datetime):
        raise UnreadableCell(message("{text} is a day, not a number.", text=cell.isoformat()))
    bare = _CURRENCY.sub("", cell).replace("\u2212", "-")
    if bare.startswith("(") and bare.endswith(")"):
        bare = f"-{bare[1:-1]}"
    elif bare.endswith("-"):
        bare = f"-{bare[:-1]}"
    match = _NUMBER.fullmatch(bare)
    if match is None:
        raise UnreadableCell(message("{text} is not a number.", text=cell))
    digits = _unmarked(match["digits"], cell, mark)
    if len(digits.replace(".", "")) > _MOST_DIGITS:
        raise UnreadableCell(message("{text} has too many digits for a number.", text=cell))
    return Decimal(f"{match['minus'] or ''}{digits}")


def _unmarked(digits: str, cell: str, mark: str | None) -> str:
    """The digits with `.` before the decimals, and none between thousands."""
    marks = [letter for letter in digits if letter in ".,"]
    if not marks:
        return digits
    last = marks[-1]
    whole, _, rest = digits.rpartition(last)
    if len(set(marks)) == 2:
        other = "." if last == "," else ","
        if marks.count(last) == 1 and _GROUPED[other].fullmatch(whole) and rest:
            return f"{whole.replace(other, '')}.{rest}"
    elif len(marks) > 1:
        if _GROUPED[last].fullmatch(digits):
            return digits.replace(last, "")
    elif len(rest) != 3 or whole in ("0", "00") or mark == last:
        if rest:
            return f"{whole}.{rest}"
    elif mark is not None:
        return whole + rest
    else:
        raise UnreadableCell(message("{text} can be read in two ways: whole thousands, or three decimals.", text=cell))
    raise UnreadableCell(message("{text} is not a number.", text=cell))


def moment(cell: Cell) -> datetime:
    """`31/10/2026 14:05`, `2026-10-31`, `31 de outubro de 2026 14:05 hs.` as a time with its zone."""
    if isinstance(cell, datetime):
        found: datetime | None = cell
    elif isinstance(cell, Decimal):
        found = None
    else:
        found = _moment(cell.strip())
    if found is None or not _FIRST_YEAR <= found.year <= _LAST_YEAR:
        raise UnreadableCell(message("{text} is not a day.", text=shown(cell)))
    return found if found.tzinfo is not None else found.replace(tzinfo=BRASILIA)


def _moment(text: str) -> datetime | None:
    match = _DAY.fullmatch(text)
    if match is None:
        match = _DAY_IN_WORDS.fullmatch(folded_words(text))
        month = _MONTHS.get(match["m"], 0) if match else 0
    else:
        month = int(match["m"])
    try:
        if match is None:
            return datetime.fromisoformat(text)
        year = int(match["y"]) + (2000 if len(match["y"]) == 2 else 0)
        seconds = match.groupdict().get("S")
        hour = time(int(match["H"] or 0), int(match["M"] or 0), int(seconds or 0))
        return datetime.combine(date(year, month, int(match["d"])), hour)
    except ValueError:
        return None


def name(cell: Cell) -> str:
    """A text or number that names something (an order, an SKU), as it is."""
    if isinstance(cell, Decimal):
        if cell == cell.to_integral_value() and cell.adjusted() > 15:
            raise UnreadableCell(
                message(
                    "{text} lost its last digits: it stands in the file as a number, not as text.", text=shown(cell)
                )
            )
        return shown(cell)
    if isinstance(cell, datetime):
        raise UnreadableCell(message("{text} is a day, not a number.", text=cell.isoformat()))
    bare = cell.strip().lstrip("'")  # Excel's mark of text
    if _ROUNDED.fullmatch(bare):
        raise UnreadableCell(message("{text} lost its last digits: it was saved as a rounded number.", text=bare))
    return bare


def tax_id(cell: Cell) -> str:
    """A CPF or CNPJ without punctuation; a number that lost its leading zeros gets them back."""
    bare = _NO_TAX_ID.sub("", name(cell)).upper()
    if isinstance(cell, Decimal):
        for length, holds in ((11, taxpayers.is_cpf), (14, taxpayers.is_cnpj)):
            if len(bare) <= length and holds(bare.zfill(length)):
                return bare.zfill(length)
    return bare


def status(cell: Cell) -> str:
    """One of the specification's statuses where the word is a common one for it; else the word."""
    text = name(cell)
    if text.upper() in OrderStatus.__members__:
        return text.upper()
    return _STATUSES.get(folded_words(text).partition(" ")[0], text)


def state(cell: Cell) -> str:
    """A Brazilian state by its two letters."""
    text = name(cell)
    return states.uf_of_name(text) or (text.upper() if len(text) == 2 else text)


def shown(cell: Cell) -> str:
    """A cell as text, for people."""
    if isinstance(cell, datetime):
        return (cell.astimezone(UTC) if cell.tzinfo else cell).isoformat(" ", "minutes")
    if isinstance(cell, Decimal):
        return f"{cell.normalize():f}" if cell.is_finite() and abs(cell.adjusted()) < 40 else str(cell)
    return cell
