"""What marketplaces are called, and what the codes mean that they and hubs write into orders."""

from __future__ import annotations

from typing import Final

from confere.errors import N_, NC_, Message
from confere.system.messages import render

_MARKETPLACES: Final = {
    "ALIEXPRESS": "AliExpress",
    "MERCADOLIVRE": "Mercado Livre",
    "MAGAZINELUIZA": "Magazine Luiza",
    "MADEIRAMADEIRA": "MadeiraMadeira",
    "LEROYMERLIN": "Leroy Merlin",
    "CASASBAHIA": "Casas Bahia",
    "TIKTOKSHOP": "TikTok Shop",
}
# Of payments, shipments, transmission and returns.
_WORDS: Final = {
    "APPROVED": N_("approved"),
    "AUTHORIZED": N_("authorized"),
    "BANK_SLIP": N_("bank slip (boleto)"),
    "BOLETO": N_("bank slip (boleto)"),
    "CANCELED": N_("cancelled"),
    "CANCELLED": N_("cancelled"),
    "CLOSED": N_("closed"),
    "CONCLUDED": N_("delivered"),
    "CREDIT_CARD": N_("credit card"),
    "DEBIT_CARD": N_("debit card"),
    "DELIVERED": N_("delivered"),
    "ERROR": N_("failed"),
    "FINISHED": N_("finished"),
    "HANDLING": N_("being prepared"),
    "INVOICED": N_("invoiced"),
    "OK": N_("ok"),
    "OPEN": NC_("return", "open"),
    "PAID": N_("paid"),
    "PENDING": N_("pending"),
    "PIX": N_("Pix"),
    "PROCESSING": N_("being prepared"),
    "READY_TO_SHIP": N_("ready to ship"),
    "RECEIVED": N_("received"),
    "REFUNDED": N_("refunded"),
    "REJECTED": N_("rejected"),
    "RETURNED": NC_("order", "returned"),
    "SHIPPED": N_("shipped"),
    "SHIP_CONFIRMED": N_("shipment confirmed"),
}
_LONGEST_SHORT_NAME: Final = 3  # B2W, VIA: written so by themselves
_SMALL_WORDS: Final = frozenset({"DA", "DAS", "DE", "DO", "DOS", "E"})


def marketplace_word(code: str | None) -> str:
    """A marketplace by its name: `MERCADO_AZUL` is Mercado Azul. What is written with small letters stays as it is."""
    if not code or code != code.upper():
        return code or ""
    known = _MARKETPLACES.get(code.replace("_", "").replace(" ", ""))
    return known or " ".join(map(_as_name, code.replace("_", " ").split()))


def hub_word(code: str | None) -> str | None:
    """What a code of a hub or marketplace means; one that is not known stays as it is, None stays None."""
    if not code:
        return code
    word = _WORDS.get(code.strip().upper().replace(" ", "_").replace("-", "_"))
    return code if word is None else render(Message(word))


def _as_name(part: str) -> str:
    if part in _SMALL_WORDS:
        return part.lower()
    return part if len(part) <= _LONGEST_SHORT_NAME else part.capitalize()
