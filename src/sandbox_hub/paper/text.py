"""How values become characters of XML: legal text, money, decimals and times, already in canonical form.

Everything written here is canonical XML 1.0 as it stands (the same escapes, no empty-element tags, no stray
white space), so that a digest can be taken over the characters themselves.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from sandbox_hub.paper.facts import Address, Taxpayer

NFE = "http://www.portalfiscal.inf.br/nfe"
CTE = "http://www.portalfiscal.inf.br/cte"
NO_VALUE = "DOCUMENTO DE TESTE EMITIDO PELO CONFERE SANDBOX - SEM VALOR FISCAL"
SOFTWARE = "Confere Sandbox 1"  # verProc, verAplic
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

# The layouts' TString: printable Latin-1, no blank at either end.
_ILLEGAL = re.compile("[^ -~\u00a1-\u00ff]")


@lru_cache(maxsize=16384)
def text(value: str, limit: int) -> str:
    """`value` as the layouts allow it: one line, printable Latin-1, at most `limit` characters, escaped.

    White space becomes single blanks, a character beyond Latin-1 a question mark, what is too long is cut.
    """
    line = _ILLEGAL.sub("?", " ".join(unicodedata.normalize("NFC", value).split()))
    return line[:limit].rstrip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(value: str) -> str:
    """A value made of letters and digits only, as it is; anything else is a mistake and is refused."""
    if not (value.isascii() and value.isalnum()):
        raise ValueError(f"not a code of letters and digits: {value!r}")
    return value


def element(name: str, value: str | None, limit: int) -> str:
    """`<name>value</name>`, or nothing where there is no value."""
    legal = text(value, limit) if value else ""
    return f"<{name}>{legal}</{name}>" if legal else ""


def money(cents: int) -> str:
    """Centavos as reais with two decimals."""
    return f"{cents // 100}.{cents % 100:02d}"


def optional_money(name: str, cents: int) -> str:
    """An element that the layout forbids to hold zero: left out then."""
    return f"<{name}>{cents // 100}.{cents % 100:02d}</{name}>" if cents else ""


def percent(hundredths: int, decimals: int = 2) -> str:
    """A rate in hundredths of a percent, as the layouts write it."""
    return f"{hundredths // 100}.{hundredths % 100:02d}{'00' if decimals == 4 else ''}"


def decimal(value: Decimal, places: int) -> str:
    """A quantity or a weight with a fixed number of decimals."""
    return f"{value:.{places}f}"


def moment(when: datetime) -> str:
    """A time with its own offset, to the second; a naive one has no meaning on paper and is refused."""
    if when.tzinfo is None:
        raise ValueError(f"{when!r} has no zone")
    return when.isoformat(timespec="seconds")


def tax_id(party: Taxpayer, suffix: str = "") -> str:
    """The `CNPJ` or `CPF` element, by length."""
    name = ("CNPJ" if len(party.tax_id) == 14 else "CPF") + suffix
    return f"<{name}>{code(party.tax_id)}</{name}>"


def street_to_city(place: Address) -> str:
    """What the layouts of all papers write alike of an address; the rest stands in another order in each."""
    return (
        f"<xLgr>{text(place.street, 60)}</xLgr><nro>{text(place.number, 60)}</nro>"
        f"{element('xCpl', place.complement, 60)}<xBairro>{text(place.district, 60)}</xBairro>"
        f"<cMun>{code(place.city_code)}</cMun><xMun>{text(place.city, 60)}</xMun>"
    )
