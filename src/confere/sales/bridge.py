"""The bridge of a month: from the orders that were taken to the invoices that were authorized, line by line.

Money is an integer number of centavos. What a line adds to the sum is signed; the same for each of its shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.errors import N_, Message
from confere.sales.slotted_records import record

NO_MARKETPLACE: Final = ""
"""The marketplace of a page about what names none: shops of one's own, and what nobody knows."""
NONE_NAMED: Final = "-"
"""How a command asks for it."""


class BridgePart(StrEnum):
    """Where a line stands on the page."""

    START = "start"
    ORDERS = "orders"  # what leads from the orders taken to those invoiced in their month
    SUBTOTAL = "subtotal"
    INVOICES = "invoices"  # what leads from there to the invoices authorized
    END = "end"
    MEMO = "memo"  # what is of the month and no part of the sum


class BridgeCode(StrEnum):
    """The lines, as they stand on the page."""

    ORDERS_TAKEN = "orders_taken"
    NOT_DUE = "not_due"
    CANCELLED = "cancelled"
    NO_INVOICE = "no_invoice"
    INVOICE_CANCELLED = "invoice_cancelled"
    INVOICED_ELSEWHEN = "invoiced_in_other_month"
    UNDECIDED_ORDERS = "undecided_orders"
    UNCHECKED_ORDERS = "unchecked_orders"
    ORDERS_ELSEWHERE = "orders_of_other_page"
    MATCHED = "invoiced_in_month"
    ORDERED_ELSEWHEN = "ordered_in_other_month"
    FREIGHT = "freight"
    DISCOUNT = "discount"
    INTEREST = "interest"
    IPI_ICMS_ST = "ipi_icms_st"
    ROUNDING = "rounding"
    UNEXPLAINED = "unexplained"
    NO_ORDER = "no_order"
    BILLED_TWICE = "billed_twice"
    BILLED_AGAIN = "billed_again"
    ORDER_CANCELLED = "order_cancelled"
    ORDER_RETURNED = "order_returned"
    OTHER_ACCOUNT = "other_account"
    UNDECIDED_INVOICES = "undecided_invoices"
    UNCHECKED_INVOICES = "unchecked_invoices"
    INVOICES_ELSEWHERE = "invoices_of_other_page"
    INVOICES_AUTHORIZED = "invoices_authorized"
    CANCELLED_INVOICES = "cancelled_invoices"
    VOID_INVOICES = "void_invoices"
    RETURNS = "returns"
    NO_SALES = "no_sales"
    NO_COMPANY = "orders_of_no_company"

    @property
    def part(self) -> BridgePart:
        return _PART_OF[self]

    @property
    def label(self) -> Message:
        return Message(_LABELS[self])

    @property
    def rule(self) -> str:
        """The rule whose findings are about the same; empty where there is none."""
        return _RULES.get(self, "")


_CODES: Final = tuple(BridgeCode)
_MATCHED: Final = _CODES.index(BridgeCode.MATCHED)
_AUTHORIZED: Final = _CODES.index(BridgeCode.INVOICES_AUTHORIZED)
_PART_OF: Final = {
    **dict.fromkeys(_CODES[1:_MATCHED], BridgePart.ORDERS),
    **dict.fromkeys(_CODES[_MATCHED + 1 : _AUTHORIZED], BridgePart.INVOICES),
    **dict.fromkeys(_CODES[_AUTHORIZED + 1 :], BridgePart.MEMO),
    BridgeCode.ORDERS_TAKEN: BridgePart.START,
    BridgeCode.MATCHED: BridgePart.SUBTOTAL,
    BridgeCode.INVOICES_AUTHORIZED: BridgePart.END,
}
_RULES: Final = {
    BridgeCode.NO_INVOICE: "R1",
    BridgeCode.INVOICE_CANCELLED: "R4",
    BridgeCode.INVOICED_ELSEWHEN: "R6",
    BridgeCode.ORDERED_ELSEWHEN: "R6",
    BridgeCode.UNEXPLAINED: "R3",
    BridgeCode.NO_ORDER: "R2",
    BridgeCode.BILLED_TWICE: "R7b",
    BridgeCode.ORDER_CANCELLED: "R5",
}
_LABELS: Final = {
    BridgeCode.ORDERS_TAKEN: N_("Orders taken in the month"),
    BridgeCode.NOT_DUE: N_("Not due yet: not shipped, or too young for an invoice"),
    BridgeCode.CANCELLED: N_("Cancelled, or given back without an invoice"),
    BridgeCode.NO_INVOICE: N_("Without invoice"),
    BridgeCode.INVOICE_CANCELLED: N_("Invoice cancelled and not replaced"),
    BridgeCode.INVOICED_ELSEWHEN: N_("Cut-off: invoiced in another month"),
    BridgeCode.UNDECIDED_ORDERS: N_("Orders that wait for a decision: several fit, or one nearly does"),
    BridgeCode.UNCHECKED_ORDERS: N_("Orders not checked: not listed, not downloaded, not known"),
    BridgeCode.ORDERS_ELSEWHERE: N_("Orders invoiced on another page (company or marketplace)"),
    BridgeCode.MATCHED: N_("Orders of the month invoiced in it"),
    BridgeCode.ORDERED_ELSEWHEN: N_("Cut-off: orders of other months invoiced in this one"),
    BridgeCode.FREIGHT: N_("Freight told differently"),
    BridgeCode.DISCOUNT: N_("Discounts, coupons and subsidies told differently"),
    BridgeCode.INTEREST: N_("Interest and other charges"),
    BridgeCode.IPI_ICMS_ST: N_("IPI and ICMS-ST on the invoice alone"),
    BridgeCode.ROUNDING: N_("Rounding, within the tolerance"),
    BridgeCode.UNEXPLAINED: N_("Differences that nothing explains"),
    BridgeCode.NO_ORDER: N_("Invoices without order"),
    BridgeCode.BILLED_TWICE: N_("Billed twice"),
    BridgeCode.BILLED_AGAIN: N_("Came back and was billed again"),
    BridgeCode.ORDER_CANCELLED: N_("Valid invoices of cancelled orders"),
    BridgeCode.ORDER_RETURNED: N_("Invoices of cancelled orders, taken back by a return"),
    BridgeCode.OTHER_ACCOUNT: N_("Invoices of another account's orders"),
    BridgeCode.UNDECIDED_INVOICES: N_("Invoices that wait for a decision"),
    BridgeCode.UNCHECKED_INVOICES: N_("Invoices and differences not checked"),
    BridgeCode.INVOICES_ELSEWHERE: N_("Invoices of orders on another page (company or marketplace)"),
    BridgeCode.INVOICES_AUTHORIZED: N_("Invoices authorized in the month"),
    BridgeCode.CANCELLED_INVOICES: N_("Sales cancelled"),
    BridgeCode.VOID_INVOICES: N_("Sales denied, without protocol, or of the test environment"),
    BridgeCode.RETURNS: N_("Returns and reversals of the company's own issue"),
    BridgeCode.NO_SALES: N_("Notes of its own issue that are no sales: transfers, remittances, symbolic returns"),
    BridgeCode.NO_COMPANY: N_("Orders of no company that can be told, in the bridge of the whole account alone"),
}


@dataclass(frozen=True, slots=True)
class BridgeScope:
    """What one page is about: a month (`YYYY-MM`), an establishment's tax id and a marketplace; None: all of them."""

    period: str
    company: str | None = None
    marketplace: str | None = None


@record
class BridgeShare:
    """An amount of one order (the hub's id) or document (its key), in a line.

    `amount` is what it adds to the line. Where both are named, the line is about the order in the part of the orders,
    about the document in that of the invoices, and the other one is what it belongs to.
    """

    order_id: str | None
    key: str | None
    amount: int
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class BridgeLine:
    """A line: what it adds in all, and how many orders and documents it is about."""

    code: BridgeCode
    amount: int
    orders: int
    documents: int


@dataclass(frozen=True, slots=True)
class ListedPart:
    """How much of a month is here.

    `is_whole`: the hub listed all of it; `declared`: it did not, and a person declared the month complete.
    `stretches` (UTC text, both ends included) are what the hub listed.
    """

    is_whole: bool
    declared: bool
    stretches: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BridgeSignature:
    """Who made a page and who went over it, by name, and the day (`YYYY-MM-DD`)."""

    preparer: str
    reviewer: str
    on: str
