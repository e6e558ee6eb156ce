"""Classifies a document's operation (sale, return, remessa …) by its strongest evidence, and says which that was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from confere.errors import N_, NC_, Message, message
from confere.fiscal import credit_notes
from confere.fiscal.document_models import DocumentType
from confere.system.plain_text import ascii_letters


class Operation(StrEnum):
    """The classes; the first seven are the hub's own words for its subtypes."""

    SALE = "sale"
    SALE_RETURN = "sale_return"
    DEVOLUTION = "devolution"
    INBOUND = "inbound"  # remessa: stock goes to the marketplace's warehouse
    INBOUND_RETURN = "inbound_return"  # retorno: stock comes back
    SYMBOLIC_INBOUND = "symbolic_inbound"
    SYMBOLIC_INBOUND_RETURN = "symbolic_inbound_return"
    FREIGHT = "freight"
    TRANSFER = "transfer"
    CREDIT_NOTE = "credit_note"  # it moves value only
    DEBIT_NOTE = "debit_note"
    PREPAYMENT = "prepayment"  # money taken in advance: no sale yet
    STOCK_LOSS = "stock_loss"  # goods went out of stock that nobody bought
    OTHER = "other"  # there is evidence, of none of the above
    UNKNOWN = "unknown"  # there is no evidence


WORDS: Final[Mapping[str, str]] = {
    "sale": N_("sale"),
    "sale_return": N_("return of a sale"),
    "devolution": N_("devolution"),
    "inbound": N_("stock sent to the warehouse"),
    "inbound_return": N_("stock sent back"),
    "symbolic_inbound": N_("stock sent symbolically"),
    "symbolic_inbound_return": N_("stock sent back symbolically"),
    "freight": N_("freight"),
    "transfer": N_("transfer"),
    "credit_note": N_("credit note of a value"),
    "debit_note": N_("debit note"),
    "prepayment": N_("prepayment"),
    "stock_loss": N_("loss of stock"),
    "other": NC_("operation", "other"),
    "unknown": NC_("operation", "unknown"),
}
"""What people call each class."""
_BY_NAME: Final[Mapping[str, Operation]] = {
    operation.value: operation for operation in Operation if operation not in (Operation.OTHER, Operation.UNKNOWN)
}
# `SALE-symbolic_inbound_return-<order>-…`; a bare order number carries no such word.
_NOTES: Final = frozenset({DocumentType.NFE, DocumentType.NFCE})
# What the hub may call goods that a credit note brings back; of other credit and debit notes it has no word.
_RETURNS: Final = frozenset({Operation.SALE_RETURN, Operation.DEVOLUTION})
_PROCESS: Final = re.compile(r"[A-Za-z_]+-([a-z_]+)(?:-|$)")

# The words of natOp, without accents, in the order in which they decide. A remessa or a retorno that names no
# warehouse (repair, gift, demonstration) is none of the chain: its CFOPs may still tell.
_STOCK: Final = r".*\b(DEPOSITO|ARMAZE|FULL|FULFIL|LOGISTIC|CENTRO DE DISTRIB)"
_NATURES: Final[tuple[tuple[re.Pattern[str], Operation], ...]] = tuple(
    (re.compile(pattern), operation)
    for pattern, operation in (
        (r"\bRET(ORNO|\.)?\b.*\bSIMB", Operation.SYMBOLIC_INBOUND_RETURN),
        (r"\bREM(ESSA|\.)?\b.*\bSIMB", Operation.SYMBOLIC_INBOUND),
        (r"\bRETORNO DE VENDA\b", Operation.SALE_RETURN),
        (r"\bDEV(OLUCAO|OL\.?|\.)?\b", Operation.DEVOLUTION),
        (r"\bTRANSF(ERENCIA|\.)?\b", Operation.TRANSFER),
        (r"\bSERVICOS? DE TRANSPORTE\b", Operation.FREIGHT),
        (r"\bRET(ORNO|\.)?\b" + _STOCK, Operation.INBOUND_RETURN),
        (r"\bREM(ESSA|\.)?\b" + _STOCK, Operation.INBOUND),
        (r"\bVENDAS?\b", Operation.SALE),
    )
)
# A retorno refers to its remessa, and a remessa to nothing: otherwise the words prove too little.
_NEEDS_REFERENCE: Final = frozenset({Operation.SYMBOLIC_INBOUND_RETURN, Operation.INBOUND_RETURN})
_NEEDS_NONE: Final = frozenset({Operation.INBOUND})
_LONGEST_NATURE: Final = 60  # as the layout allows
_MOST_CODES: Final = 6


class Adjustment(NamedTuple):
    """What a note says of itself as a credit or a debit note: finNFe, tpNFCredito, tpNFDebito."""

    purpose: str
    credit_type: str | None = None
    debit_type: str | None = None


def adjustment_of(type: str, purpose: str | None, credit_type: str | None, debit_type: str | None) -> Adjustment | None:
    """The adjustment in a document of `type`; None for what is no credit or debit note (tpCTe has a 5 and a 6 too).

    Source: NT 2025.002 v1.50, B25 (`finNFe` 5 and 6), B25.1 and B25.2 (`tpNFDebito`, `tpNFCredito`).
    """
    if type not in _NOTES or not credit_notes.is_adjusting(purpose):
        return None
    return Adjustment(purpose or "", credit_type, debit_type)


class Classified(NamedTuple):
    """An operation with the evidence that decided, as a phrase: `natOp “Venda”`."""

    operation: Operation
    evidence: Message


def classify(
    *,
    subtype: str | None = None,
    external_id: str | None = None,
    nature: str | None = None,
    has_reference: bool = False,
    cfops: Iterable[str] = (),
    adjustment: Adjustment | None = None,
) -> Operation:
    """The class of a document by the hub's subtype, else `external_id`, else `natOp`, else the CFOPs of all items.

    A credit or debit note (`adjustment`) is what its type says, before natOp and CFOP, and before a word of the hub
    that contradicts it: hubs name by CFOP what they do not know, and 1.949 is a symbolic return's as well.
    Freight is told by its CFOPs before `natOp` is asked: only a CT-e carries them alone, and what a carrier
    writes as `natOp` is often the nature of the cargo's own sale.

    Source: hub specification, section Fiscal document (subtype, CFOP); field notes, section Documents (the subtypes
    seen); MOC 7.0, annex I, B04 (`natOp`); Convênio s/nº of 15 December 1970, annex (CFOP); NT 2025.002 v1.50 (credit
    and debit notes).
    """
    return _decide(subtype, external_id, nature, has_reference, tuple(cfops), adjustment)[0]


def classify_with_evidence(
    *,
    subtype: str | None = None,
    external_id: str | None = None,
    nature: str | None = None,
    has_reference: bool = False,
    cfops: Iterable[str] = (),
    adjustment: Adjustment | None = None,
) -> Classified:
    """As `classify`, with the evidence that decided.

    Source: as `classify`.
    """
    codes = tuple(cfops)
    operation, proof = _decide(subtype, external_id, nature, has_reference, codes, adjustment)
    return Classified(operation, _evidence(operation, proof, subtype, nature, has_reference, codes, adjustment))


class _Proof(StrEnum):
    HUB = "hub"
    PROCESS = "process"
    ADJUSTMENT = "adjustment"
    NATURE = "nature"
    CFOP = "cfop"
    NONE = "none"


def _decide(
    subtype: str | None,
    external_id: str | None,
    nature: str | None,
    has_reference: bool,
    cfops: tuple[str, ...],
    adjustment: Adjustment | None,
) -> tuple[Operation, _Proof]:
    own = None if adjustment is None else _of_adjustment(adjustment, cfops)
    named = _BY_NAME.get((subtype or "").strip().lower())
    if named is not None and _agree(named, own):
        return named, _Proof.HUB
    process = _PROCESS.match((external_id or "").strip())
    named = _BY_NAME.get(process[1]) if process else None
    if named is not None and _agree(named, own):
        return named, _Proof.PROCESS
    if own is not None:
        return own, _Proof.ADJUSTMENT
    codes = [digits for cfop in cfops if (digits := _digits(cfop)) is not None]
    classes = {operation for code in codes if (operation := of_cfop(code, has_reference=has_reference)) is not None}
    if classes == {Operation.FREIGHT}:
        return Operation.FREIGHT, _Proof.CFOP
    named = _of_nature(nature, has_reference)
    if named is not None:
        return named, _Proof.NATURE
    # Side goods (a gift, 5.910, within a sale) have no class; two classes in one note are none of them.
    if len(classes) == 1:
        return classes.pop(), _Proof.CFOP
    return Operation.OTHER if nature or codes else Operation.UNKNOWN, _Proof.NONE


def hub_word(named: Operation, adjustment: Adjustment, cfops: tuple[str, ...]) -> str:
    """The operation of a credit or debit note: the hub's `named`, unless the note's own type contradicts it.

    Source: field notes, section Documents (the hub's subtypes); NT 2025.002 v1.50 (credit and debit notes).
    """
    return _decide(named.value, None, None, False, cfops, adjustment)[0].value


def _of_adjustment(adjustment: Adjustment, cfops: tuple[str, ...]) -> Operation | None:
    purpose, credit_type, debit_type = adjustment
    if purpose == credit_notes.CREDIT:
        codes = tuple(digits for cfop in cfops if (digits := _digits(cfop)) is not None)
        back = credit_notes.takes_goods_back(purpose, credit_type, codes)
        return Operation.SALE_RETURN if back else Operation.CREDIT_NOTE
    if purpose == credit_notes.DEBIT:
        return _DEBITS.get(debit_type or "", Operation.DEBIT_NOTE)
    return None


_DEBITS: Final = {credit_notes.PREPAID: Operation.PREPAYMENT, credit_notes.LOST: Operation.STOCK_LOSS}


def _agree(named: Operation, own: Operation | None) -> bool:
    """Whether the hub's word may stand beside what the note says of itself."""
    return own is None or named is own or (named in _RETURNS and own in _RETURNS)


def _digits(cfop: str) -> str | None:
    """A CFOP as its four digits; None for what is none."""
    digits = cfop.strip().replace(".", "")
    return digits if len(digits) == 4 and digits.isdecimal() else None


def _evidence(
    operation: Operation,
    proof: _Proof,
    subtype: str | None,
    nature: str | None,
    has_reference: bool,
    cfops: tuple[str, ...],
    adjustment: Adjustment | None,
) -> Message:
    if proof is _Proof.HUB:
        known = _BY_NAME.get((subtype or "").strip().lower())
        return message("the hub calls it {word}", word=Message(WORDS[known]) if known else (subtype or "").strip())
    if proof is _Proof.PROCESS:
        return message("external_id names {word}", word=Message(WORDS[operation]))
    if proof is _Proof.ADJUSTMENT and adjustment is not None:
        type = adjustment.credit_type or adjustment.debit_type or "?"
        return message("finNFe {purpose}, type {type}", purpose=adjustment.purpose, type=type)
    if proof is _Proof.NATURE:
        words = (nature or "").strip()[:_LONGEST_NATURE]
        if operation in _NEEDS_REFERENCE:
            return message("natOp “{nature}”, and it refers to another document", nature=words)
        return message("natOp “{nature}”", nature=words)
    codes = tuple(dict.fromkeys(digits for cfop in cfops if (digits := _digits(cfop)) is not None))
    telling = [code for code in codes if of_cfop(code, has_reference=has_reference) is not None]
    if proof is _Proof.CFOP:
        listed = _listed(telling)
        if len(telling) < len(codes):
            beside = _listed([code for code in codes if code not in telling])
            return message("CFOP {cfops}, beside {others}, which names no operation", cfops=listed, others=beside)
        if any(of_cfop(code, has_reference=not has_reference) is not operation for code in telling):
            if has_reference:
                return message("CFOP {cfops} of all items, and it refers to another document", cfops=listed)
            return message("CFOP {cfops} of all items, and it refers to no other document", cfops=listed)
        return message("CFOP {cfops} of all items", cfops=listed)
    if len(telling) > 1:
        return message("its CFOPs are of several operations: {cfops}", cfops=_listed(telling))
    if operation is Operation.UNKNOWN:
        return message("nothing says what it is")
    return message("neither the hub, external_id, natOp nor CFOP names an operation of this list")


def _listed(codes: list[str]) -> str:
    """CFOPs as they are written, `5.102`, the first few of them."""
    shown = ", ".join(f"{code[0]}.{code[1:]}" for code in codes[:_MOST_CODES])
    return f"{shown} …" if len(codes) > _MOST_CODES else shown


_FROM_WAREHOUSE: Final = frozenset({"105", "106"})
_DEVOLUTIONS: Final = frozenset({201, 202, 203, 204, 208, 209, 210, 410, 411, 412, 413, 503})


def of_cfop(cfop: str, *, has_reference: bool) -> Operation | None:
    """The operation that one CFOP of four digits stands for; None where it stands for none of them.

    `has_reference` tells the two halves of a fulfilment chain apart: a remessa refers to nothing, a remessa
    simbólica refers to the devolução; a retorno refers to the remessa.

    Source: Convênio s/nº of 15 December 1970, annex (CFOP); which half of a fulfilment chain a remessa or a retorno is,
    reconciliation rules, R15 and R16.
    """
    flow, kind = cfop[0], int(cfop[1:])
    outgoing = flow in "567"
    if 351 <= kind <= 360 or kind == 932:
        return Operation.FREIGHT
    if 151 <= kind <= 159 or kind in (408, 409):
        return Operation.TRANSFER
    if kind in _DEVOLUTIONS:
        return Operation.DEVOLUTION
    if outgoing and (101 <= kind <= 129 or 401 <= kind <= 405):
        return Operation.SALE
    if outgoing and kind in (905, 934, 949):
        return Operation.SYMBOLIC_INBOUND if has_reference else Operation.INBOUND
    if not outgoing and kind in (904, 907, 949) and has_reference:
        return Operation.SYMBOLIC_INBOUND_RETURN
    if not outgoing and kind == 906:
        return Operation.INBOUND_RETURN
    return None


def is_from_warehouse(cfop: str) -> bool:
    """Whether a sale by this CFOP (x.105, x.106) leaves a warehouse: goods that need not pass by their owner.

    Source: Convênio s/nº of 15 December 1970, annex (CFOP).
    """
    return cfop[1:] in _FROM_WAREHOUSE


def _of_nature(nature: str | None, has_reference: bool) -> Operation | None:
    if not nature:
        return None
    # The layout allows 60 characters; a hostile text of megabytes must not meet these patterns.
    plain = ascii_letters(nature[:200]).upper()
    for pattern, operation in _NATURES:
        if pattern.search(plain):
            if operation in _NEEDS_REFERENCE and not has_reference:
                return None
            if operation in _NEEDS_NONE and has_reference:
                return None
            return operation
    return None
