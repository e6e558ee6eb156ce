"""How a note is paid: payments with card and change, the bill and its instalments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Billing, Instalment, Payment
from confere.fiscal.reading.elements import LOCAL, texts
from confere.fiscal.reading.unread_fields import Rest, left_of, under
from confere.fiscal.reading.xml_leaves import leaves

_PAYMENT: Final = ("tPag", "vPag", "indPag", "xPag")
_BILL: Final = ("nFat", "vOrig", "vDesc", "vLiq")
_INSTALMENT: Final = ("nDup", "dVenc", "vDup")


def payments_of(groups: Iterable[_Element], rest: Rest) -> tuple[tuple[Payment, ...], int | None]:
    """The payments in the `pag` groups of a note, and the change given back.

    Layout 4.00 has one group with a `detPag` for each payment, 3.10 a group for each.
    """
    payments: list[Payment] = []
    change: int | None = None
    for group in groups:
        own = texts(group)
        if "tPag" in own:
            payments.append(_payment(group, own, rest))
            continue
        for part in group:
            name = LOCAL[part.tag]
            if name == "detPag":
                payments.append(_payment(part, texts(part), rest))
            elif name == "vTroco" and change is None and not len(part):
                change = rest.cents(own, "vTroco")
            else:
                rest.keep("pag", under(name, leaves(part)) if len(part) else leaves(part))
    return tuple(payments), change


def billing_of(group: _Element, rest: Rest) -> Billing:
    """All of `cobr`."""
    bill: dict[str, str] | None = None
    instalments: list[Instalment] = []
    for part in group:
        name = LOCAL[part.tag]
        get = texts(part)
        if name == "fat" and bill is None:
            bill = get
            rest.keep("cobr", under(name, left_of(part, get, _BILL)))
        elif name == "dup":
            instalments.append(Instalment(get.get("nDup"), get.get("dVenc"), rest.cents(get, "vDup")))
            rest.keep("cobr", under(name, left_of(part, get, _INSTALMENT)))
        else:
            rest.keep("cobr", under(name, leaves(part)) if len(part) else leaves(part))
    bill = bill or {}
    return Billing(
        bill.get("nFat"),
        rest.cents(bill, "vOrig"),
        rest.cents(bill, "vDesc"),
        rest.cents(bill, "vLiq"),
        tuple(instalments),
    )


def _payment(group: _Element, get: dict[str, str], rest: Rest) -> Payment:
    return Payment(
        get.get("tPag"), rest.cents(get, "vPag"), get.get("indPag"), get.get("xPag"), left_of(group, get, _PAYMENT)
    )
