"""Both sides of a finding as pages: order and documents line by line, and why they belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from confere.app.labels.labels import (
    month_word,
    number_word,
    operation_word,
    party_word,
    person_name,
    state_word,
    tax_id_word,
    type_word,
)
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.price_labels import asked_word, invoiced_word, ordered_word
from confere.app.labels.reconciliation_labels import GOODS_RULE, kind_word
from confere.app.reconciliation.differences import one_sided
from confere.app.reconciliation.queries import (
    Difference,
    FindingHistoryLine,
    LinkLine,
    OrderSide,
    PaperSide,
    SideBySide,
    TieLine,
)
from confere.desktop.reconcile.reconciliation_text import paper_name, status_word
from confere.desktop.theme.palettes import Colours
from confere.system import formatting
from confere.system.messages import render, t

_OF_PEOPLE = ("Buyer's CNPJ or CPF", "Buyer")  # lines of the comparison
_OF_KEYS = "Access key"  # of several, each in lines of its own: it is wider than the page
DIFFERS, AGREES, CLOSE = "≠", "=", "≈"


def comparison(side: SideBySide, colours: Colours, hidden: bool = False) -> str:
    """Orders left, documents right, what differs first and marked. `hidden` leaves out who natural persons are."""
    if side.contents:
        return _contents(side, colours)
    if not side.orders and not side.papers:
        return _about_neither(side, colours)
    told = side.differences or one_sided(side.orders, side.papers)
    # What differs comes first, and of that the sums before the items that make them up.
    ordered = sorted(told, key=lambda entry: (entry.agrees, bool(entry.field.params) and not entry.agrees))
    people = _people(side) if hidden else {}
    rows = [
        '<table width="100%" cellspacing="0" cellpadding="5">',
        "<tr>"
        + _head("", colours, 20)
        + _head(t("Order") if len(side.orders) < 2 else t("Orders"), colours, 36)
        + _head("", colours, 4)
        + _head(t("Document") if len(side.papers) < 2 else t("Documents"), colours, 40)
        + "</tr>",
        f'<tr><td style="color:{colours.muted}">{escape(t("What"))}</td>'
        f"<td>{_stacked(_order(number, entry, colours, hidden) for number, entry in enumerate(side.orders))}"
        f"{_none(side.orders, t('No order is linked.'), colours)}</td><td></td>"
        f"<td>{_stacked(_paper(number, entry, colours) for number, entry in enumerate(side.papers))}"
        f"{_none(side.papers, t('No document is linked.'), colours)}</td></tr>",
        *(_difference(entry, colours, people) for entry in ordered),
        "</table>",
        *_prices(side, colours),
    ]
    return "".join(rows)


def _contents(side: SideBySide, colours: Colours) -> str:
    """Two contents of one key, what differs first."""
    return "".join(
        (
            '<table width="100%" cellspacing="0" cellpadding="5"><tr>',
            _head(paper_name(side.papers[0].key) if side.papers else "", colours, 20),
            _head(t("Current content"), colours, 36) + _head("", colours, 4) + _head(t("Other content"), colours, 40),
            "</tr>",
            *(_difference(entry, colours, {}) for entry in sorted(side.contents, key=lambda entry: entry.agrees)),
            "</table>",
        )
    )


def _prices(side: SideBySide, colours: Colours) -> Iterator[str]:
    """What a piece of each item costs on the order, on the invoice and in the ad."""
    if not side.prices:
        return
    yield '<table width="100%" cellspacing="0" cellpadding="5"><tr>'
    yield _head(t("Price of one piece"), colours, 40)
    yield _head(t("Order"), colours, 20) + _head(t("Invoice"), colours, 20)
    yield _head(t("Published when it was ordered"), colours, 20) + "</tr>"
    for line in side.prices:
        name = escape(" ".join(filter(None, (line.code, line.name))))
        yield f'<tr><td style="color:{colours.muted}">{name}</td>'
        for word in (ordered_word(line), invoiced_word(line), asked_word(line)):
            yield f"<td>{escape(word)}</td>"
        yield "</tr>"
    yield "</table>"


def _about_neither(side: SideBySide, colours: Colours) -> str:
    """A finding about an item or a series has no sides; of goods, the table tells everything."""
    words = f'<p style="color:{colours.muted}">{escape(t("It is about no single order or document."))}</p>'
    if side.finding is None or side.finding.finding.rule != GOODS_RULE:
        return words
    return words + f"<p>{_anchor('stock:0', t('See the documents behind the numbers'), colours)}</p>"


def reasons(side: SideBySide, colours: Colours) -> str:
    """What was found, why they are linked, what is ambiguous, and what was decided."""
    parts: list[str] = []
    row = side.finding
    if row is not None:
        parts.append(_title(t("What was found"), colours, first=True))
        parts += [f"<p style='margin:2px 0'>{escape(render(sentence))}</p>" for sentence in row.finding.evidence]
        parts.append(
            _small(
                f"{row.finding.rule} · {month_word(row.finding.period)} · {_amount(row.finding.amount)}",
                colours,
            )
        )
        if row.stored.is_stale:
            parts.append(
                _small(t("Links were decided since it was computed; the next run computes it anew."), colours, "warn")
            )
        if row.stored.note:
            parts.append(_title(t("Note"), colours))
            parts.append(f"<p style='margin:2px 0'>{escape(row.stored.note)}</p>")
    if side.links:
        parts.append(_title(t("Why they belong together"), colours, first=not parts))
        parts += [_link(number, entry, colours) for number, entry in enumerate(side.links)]
    if side.ties:
        parts.append(_title(t("Ambiguous"), colours, first=not parts))
        parts += [_tie(entry, colours) for entry in side.ties]
    if side.history:
        parts.append(_title(t("What was decided"), colours, first=not parts))
        parts += [_happened(entry, colours) for entry in side.history]
    return "".join(parts)


def as_text(side: SideBySide) -> str:
    """The comparison as lines for the clipboard."""
    lines = [
        "\t".join(
            (render(entry.field), entry.order_value, _sign(entry), entry.paper_value)
            + (() if entry.note is None else (render(entry.note),))
        )
        for entry in side.differences
    ]
    orders = ", ".join(entry.order_id for entry in side.orders)
    papers = ", ".join(entry.key for entry in side.papers)
    return "\n".join([f"\t{orders}\t\t{papers}", *lines])


def _head(text: str, colours: Colours, percent: int) -> str:
    return (
        f'<td width="{percent}%" style="background:{colours.raised};color:{colours.muted};font-weight:600">'
        f"{escape(text)}</td>"
    )


def _stacked(parts: Iterable[str]) -> str:
    return "<br>".join(parts)


def _none(entries: tuple[object, ...], text: str, colours: Colours) -> str:
    return "" if entries else f'<span style="color:{colours.muted}">{escape(text)}</span>'


def _order(number: int, side: OrderSide, colours: Colours, hidden: bool) -> str:
    link = _anchor(f"order:{number}", side.order_id, colours)
    order = side.order
    if order is None:
        return f'{link}<br><span style="color:{colours.warn}">{escape(t("This order is not in the archive."))}</span>'
    told = [
        word for word in (marketplace_word(order.marketplace), order.marketplace_id, status_word(order.status)) if word
    ]
    if order.buyer.name or order.buyer.tax_id:
        told.append(party_word(order.buyer.tax_id, order.buyer.name, hidden))
    return f'{link}<br><span style="color:{colours.muted}">{escape(" · ".join(told))}</span>'


def _paper(number: int, side: PaperSide, colours: Colours) -> str:
    row = side.row
    if row is None:
        name = escape(paper_name(side.key))
        missing = escape(t("This document is not in the archive."))
        return f'{name}<br><span style="color:{colours.warn}">{missing}</span>'
    name = f"{type_word(row.type)} {number_word(row.series, row.number)}"
    told = [word for word in (operation_word(row.operation), state_word(row.state)) if word]
    return (
        f"{_anchor(f'paper:{number}', name, colours)}"
        f'<br><span style="color:{colours.muted}">{escape(" · ".join(told))}</span>'
    )


def _people(side: SideBySide) -> dict[str, str]:
    """Names and tax ids of buyers as the comparison has them, with what is shown where people are hidden."""
    told = [(entry.order.buyer.tax_id, entry.order.buyer.name) for entry in side.orders if entry.order is not None]
    told += [(entry.row.recipient_tax_id, entry.row.recipient_name) for entry in side.papers if entry.row is not None]
    found = {tax_id_word(tax_id): tax_id_word(tax_id, hidden=True) for tax_id, _ in told}
    return found | {name: person_name(name, tax_id, hidden=True) for tax_id, name in told if name}


def _difference(entry: Difference, colours: Colours, people: Mapping[str, str]) -> str:
    note = "" if entry.note is None else f"<br><small>{escape(render(entry.note))}</small>"
    field = f'<td style="color:{colours.muted}">{escape(render(entry.field))}{note}</td>'
    values = [entry.order_value, entry.paper_value]
    if entry.field.id in _OF_PEOPLE:
        for name in sorted(filter(None, people), key=len, reverse=True):
            values = [value.replace(name, people[name]) for value in values]
    left, right = map(escape, values)
    if entry.field.id == _OF_KEYS:
        left, right = (value.replace(", ", "<br>") for value in (left, right))
    if entry.agrees:
        sign = _sign(entry)
        mark = f'<td align="center" style="color:{colours.muted}">{sign}</td>'
        return f"<tr>{field}<td>{left}</td>{mark}<td>{right}</td></tr>"
    look = f"background:{colours.warn_soft};color:{colours.warn};font-weight:600"
    dash = "—"
    return (
        f'<tr>{field}<td style="{look}">{left or dash}</td>'
        f'<td align="center" style="{look}">{DIFFERS}</td><td style="{look}">{right or dash}</td></tr>'
    )


def _sign(entry: Difference) -> str:
    """Close is what differs as far as it may, such as the days of order and invoice."""
    if not entry.agrees:
        return DIFFERS
    if not (entry.order_value and entry.paper_value):
        return ""
    return AGREES if entry.order_value == entry.paper_value else CLOSE


def _title(text: str, colours: Colours, *, first: bool = False) -> str:
    above = 0 if first else 14
    return f'<p style="margin-top:{above}px;margin-bottom:4px;font-weight:600;color:{colours.text}">{escape(text)}</p>'


def _small(text: str, colours: Colours, role: str = "muted") -> str:
    return f'<p style="margin:2px 0;color:{getattr(colours, role)}">{escape(text)}</p>'


def _link(number: int, entry: LinkLine, colours: Colours) -> str:
    sure = t("by a person") if entry.manual else t("{percent}% sure", percent=entry.link.confidence)
    if entry.confirmed and not entry.manual:
        sure = f"{sure}, {t('confirmed')}"
    parts = [
        f"<p style='margin:6px 0 2px 0'>{escape(entry.link.order_id)} ↔ {escape(paper_name(entry.link.key))}"
        f' <span style="color:{colours.muted}">· {escape(sure)}</span></p>'
    ]
    why = [render(sentence) for sentence in entry.link.evidence] or [kind_word(entry.link.kind)]
    parts += [_small(sentence, colours) for sentence in why]
    acts = [] if entry.manual or entry.confirmed else [_anchor(f"confirm:{number}", t("Confirm"), colours)]
    acts.append(_anchor(f"unlink:{number}", t("Unlink"), colours))
    parts.append(f"<p style='margin:2px 0'>{' · '.join(acts)}</p>")
    return "".join(parts)


def _tie(entry: TieLine, colours: Colours) -> str:
    told = f"{', '.join(entry.orders)} ↔ {', '.join(map(paper_name, entry.keys))}"
    return f"<p style='margin:2px 0'>{escape(told)}</p>{_small(render(entry.reason), colours)}"


def _happened(entry: FindingHistoryLine, colours: Colours) -> str:
    who = entry.actor or t("a run")
    what = escape(render(entry.what))
    note = f" “{escape(entry.note)}”" if entry.note else ""
    text = f"<s>{what}{note}</s> {escape(t('(undone)'))}" if entry.undone else f"{what}{note}"
    when = escape(f"{formatting.moment(entry.at)} · {who}")
    return f'<p style="margin:4px 0 2px 0"><span style="color:{colours.muted}">{when}</span><br>{text}</p>'


def _anchor(target: str, text: str, colours: Colours) -> str:
    return f'<a href="{target}" style="color:{colours.accent}">{escape(text)}</a>'


def _amount(cents: int | None) -> str:
    return t("no amount") if cents is None else formatting.money(cents)
