"""What marketplaces are called, where a hub writes their codes."""

from __future__ import annotations

from typing import Final

_MARKETPLACES: Final = {
    "ALIEXPRESS": "AliExpress",
    "MERCADOLIVRE": "Mercado Livre",
    "MAGAZINELUIZA": "Magazine Luiza",
    "MADEIRAMADEIRA": "MadeiraMadeira",
    "LEROYMERLIN": "Leroy Merlin",
    "CASASBAHIA": "Casas Bahia",
    "TIKTOKSHOP": "TikTok Shop",
}
_LONGEST_SHORT_NAME: Final = 3  # B2W, VIA: written so by themselves
_SMALL_WORDS: Final = frozenset({"DA", "DAS", "DE", "DO", "DOS", "E"})


def marketplace_word(code: str | None) -> str:
    """A marketplace by its name: `MERCADO_AZUL` is Mercado Azul. What is written with small letters stays as it is."""
    if not code or code != code.upper():
        return code or ""
    known = _MARKETPLACES.get(code.replace("_", "").replace(" ", ""))
    return known or " ".join(map(_as_name, code.replace("_", " ").split()))


def _as_name(part: str) -> str:
    if part in _SMALL_WORDS:
        return part.lower()
    return part if len(part) <= _LONGEST_SHORT_NAME else part.capitalize()
