"""The words that people read for what the archive keeps as codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from confere.cli.output import clean
from confere.errors import N_, Message
from confere.fiscal import taxpayers
from confere.system.messages import render

_TYPES: Final = {
    "nfe": N_("NF-e"),
    "nfce": N_("NFC-e"),
    "cte": N_("CT-e"),
    "cteos": N_("CT-e OS"),
    "mdfe": N_("MDF-e"),
    "voiding": N_("voiding"),
    "other": N_("other"),
}
_STATES: Final = {
    "authorized": N_("authorized"),
    "cancelled": N_("cancelled"),
    "denied": N_("denied"),
    "rejected": N_("rejected"),
    "no_protocol": N_("no protocol"),
    "voided": N_("voided"),
    "unknown": N_("unknown"),
}
_ROLES: Final = {
    "emitter": N_("Emitter"),
    "recipient": N_("Recipient"),
    "taker": N_("Taker of the freight"),
    "sender": N_("Sender"),
    "dispatcher": N_("Dispatcher"),
    "receiver": N_("Receiver"),
    "delivery": N_("Place of delivery"),
    "pickup": N_("Place of pickup"),
    "carrier": N_("Carrier"),
}
_OPERATIONS: Final = {
    "sale": N_("sale"),
    "sale_return": N_("return of a sale"),
    "devolution": N_("devolution"),
    "inbound": N_("stock sent to the warehouse"),
    "inbound_return": N_("stock sent back"),
    "symbolic_inbound": N_("stock sent symbolically"),
    "symbolic_inbound_return": N_("stock sent back symbolically"),
    "freight": N_("freight"),
    "transfer": N_("transfer"),
    "voiding": N_("voiding"),
    "other": N_("other"),
    "unknown": N_("unknown"),
}
_RELATIONS: Final = {
    "carries": (N_("carries"), N_("is carried by")),
    "complements": (N_("complements"), N_("is complemented by")),
    "replaces": (N_("replaces"), N_("is replaced by")),
    "annuls": (N_("annuls"), N_("is annulled by")),
    "references": (N_("refers to"), N_("is referred to by")),
    "prepayment": (N_("settles the prepayment of"), N_("is settled by")),
    "item_references": (N_("names in an item"), N_("is named in an item of")),
    "continues": (N_("continues"), N_("is continued by")),
    "related": (N_("belongs together with"), N_("belongs together with")),
    "belongs_to": (N_("belongs to"), N_("has")),
}
_TOPICS: Final = {
    "disk": N_("disk"),
    "settings": N_("settings"),
    "keyring": N_("keyring"),
    "archive": N_("archive"),
    "vault": N_("vault"),
    "account": N_("account"),
}
_CLAIMS: Final = {1: N_("the XML"), 2: N_("the hub"), 3: N_("the XML and the hub")}


def type_word(code: str) -> str:
    return _word(_TYPES, code)


def state_word(code: str) -> str:
    return _word(_STATES, code)


def role_word(code: str) -> str:
    return _word(_ROLES, code)


def operation_word(code: str | None) -> str:
    return _word(_OPERATIONS, code) if code else ""


def topic_word(code: str) -> str:
    return _word(_TOPICS, code)


def relation_word(kind: str, *, reverse: bool) -> str:
    """How the document shown stands to the other one."""
    both = _RELATIONS.get(kind)
    return clean(kind) if both is None else render(Message(both[reverse]))


def claims_word(claims: int) -> str:
    """Who says so."""
    return render(Message(_CLAIMS[claims])) if claims in _CLAIMS else ""


def tax_id_word(tax_id: str | None) -> str:
    """A CNPJ or CPF with its mask."""
    return clean(taxpayers.format_tax_id(tax_id)) if tax_id else ""


def party_word(tax_id: str | None, name: str | None) -> str:
    """A name; where there is none, the tax id."""
    return clean(name) if name else tax_id_word(tax_id)


def number_word(series: int | None, number: int | None) -> str:
    """Series and number as they stand on paper: 1/4711."""
    if number is None:
        return ""
    return f"{number}" if series is None else f"{series}/{number}"


def _word(known: Mapping[str, str], code: str) -> str:
    """A newer archive's code is shown as it stands."""
    return render(Message(known[code])) if code in known else clean(code)
