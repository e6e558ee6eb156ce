"""Why something could not be decided: what is missing for it, in one sentence each."""

from __future__ import annotations

from enum import Enum

from confere.errors import N_


class Reason(Enum):
    """Sentences of the catalogue. The name is part of a finding's identity: it never changes."""

    NO_DAY = N_("The order does not say when it was placed.")
    NO_STATUS = N_("The order does not say how it stands.")
    NO_TOTAL = N_("The order or the document does not say its total.")
    OF_ONE_LINE = N_("The order's total is that of one of its lines, which come to more: its file may tell it so.")
    GIVEN_BACK = N_("The order says that goods or money went back, and no return or reversal refers to its sale.")
    OTHER_ORDER_NOT_HERE = N_("The invoice quotes another order, which is not here, and holds more than was ordered.")
    NO_FREIGHT = N_("The order does not say what freight it was charged.")
    NO_ESTABLISHMENTS = N_("The account names no establishment (CNPJ): nobody can tell which documents are its own.")
    OTHER_COMPANY = N_("The invoice is issued by a company that is not among the account's establishments.")
    TIE = N_("Orders and documents fit in more than one way: a person has to decide the link.")
    DOCUMENTS_NOT_LISTED = N_("The hub's documents of this time were not listed, or not whole.")
    ORDERS_NOT_LISTED = N_("The hub's orders of this time were not listed, or not whole.")
    BEFORE_ARCHIVE = N_("It reaches back to documents from before the first one that the archive holds.")
    NOT_DOWNLOADED = N_("The hub names documents of this time whose XML is not downloaded.")
    INVOICE_NOT_HERE = N_("The order names an invoice that the archive does not hold.")
    ORDER_NOT_HERE = N_("The document names an order that the archive does not hold and the hub was not asked for.")
    NO_PROTOCOL = N_("The archive holds no answer of the tax authority about the document.")
    NO_SALE = N_("The order's sale is not here, so a document that gives it back cannot be told by it.")
    NO_ORDER = N_("A document that is carried belongs to no order here.")
    CARRIED_NOT_HERE = N_("A document that is carried is not in the archive.")
    NO_FREIGHT_HERE = N_("The archive holds no CT-e at all: this account's freight may not come as CT-e.")
    FREIGHT_AWAITED = N_("Other documents of the same orders still wait for their CT-e.")
    NO_CATALOG = N_(
        "The archive has no catalog of this account: `confere catalog sync` brings it, where the hub has one."
    )
    NOT_IN_CATALOG = N_("The catalog that is here has no such item: neither its code nor its EAN.")
    NO_RETURNS_LIST = N_("The hub has no list of returns.")
    OTHER_EMITTER = N_("The document referred to is the other party's own, and the hub has none of those.")
    DELIVERY_NOT_KNOWN = N_("No order here says whether a later attempt delivered the goods.")
    NOT_CLOSED = N_("The month was never closed: there is nothing to hold it against. `confere close` does it.")
    CLOSING_EDITED = N_(
        "What was frozen when the month was closed was edited or is damaged: see `confere doctor --verify`."
    )
    NOT_JUDGED = N_("Authenticity was not checked yet.")
    JUDGED_IN_PART = N_("Authenticity could be checked only in part.")
