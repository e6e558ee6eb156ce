"""CFOP and natOp of each kind of paper, by who sells what to whom."""

from __future__ import annotations

from sandbox_hub.world.parties.products import Taxing
from sandbox_hub.world.scenarios import Subtype

# Last three digits; the first says direction and whether a border is crossed.
_SALE = {Taxing.RESALE: "102", Taxing.OWN: "101", Taxing.SUBSTITUTION: "405"}
_SALE_FAR = {Taxing.RESALE: "102", Taxing.OWN: "101", Taxing.SUBSTITUTION: "404"}
_SALE_FAR_CONSUMER = {Taxing.RESALE: "108", Taxing.OWN: "107", Taxing.SUBSTITUTION: "404"}
_SALE_FROM_WAREHOUSE = {Taxing.RESALE: "106", Taxing.OWN: "105", Taxing.SUBSTITUTION: "106"}
_RETURN = {Taxing.RESALE: "202", Taxing.OWN: "201", Taxing.SUBSTITUTION: "411"}
_INCOMING = frozenset(
    {Subtype.SALE_RETURN, Subtype.DEVOLUTION, Subtype.SYMBOLIC_INBOUND_RETURN, Subtype.INBOUND_RETURN}
)
_OPERATIONS = {
    Subtype.SALE: "VENDA DE MERCADORIA",
    Subtype.SALE_RETURN: "DEVOLUCAO DE VENDA DE MERCADORIA EM PODER DO MARKETPLACE",
    Subtype.DEVOLUTION: "DEVOLUCAO DE VENDA DE MERCADORIA",
    Subtype.INBOUND: "REMESSA PARA DEPOSITO TEMPORARIO",
    Subtype.INBOUND_RETURN: "RETORNO DE MERCADORIA REMETIDA PARA DEPOSITO TEMPORARIO",
    Subtype.SYMBOLIC_INBOUND: "REMESSA SIMBOLICA PARA DEPOSITO TEMPORARIO",
    Subtype.SYMBOLIC_INBOUND_RETURN: "RETORNO SIMBOLICO DE DEPOSITO TEMPORARIO",
}


def incoming(subtype: Subtype) -> bool:
    """Whether the note is tpNF 0 (the seller emits it all the same)."""
    return subtype in _INCOMING


def operation(subtype: Subtype) -> str:
    """natOp."""
    return _OPERATIONS[subtype]


def cfop(
    subtype: Subtype,
    taxing: Taxing,
    *,
    far: bool,
    contributor: bool = False,
    fulfilment: bool = False,
    deposit: bool = False,
) -> str:
    """The CFOP of a line (of the whole paper, for freight).

    `far`: the other party is in another state. `deposit`: the warehouse is a general deposit (.905 and its kin),
    else the goods move as "other" (.949).
    """
    if subtype is Subtype.FREIGHT:
        return "6353" if far else "5353"
    first = ("2" if far else "1") if incoming(subtype) else ("6" if far else "5")
    if subtype is Subtype.SALE:
        if fulfilment:
            return first + _SALE_FROM_WAREHOUSE[taxing]
        if not far:
            return first + _SALE[taxing]
        return first + (_SALE_FAR if contributor else _SALE_FAR_CONSUMER)[taxing]
    if subtype in (Subtype.SALE_RETURN, Subtype.DEVOLUTION, Subtype.ADJUSTMENT):
        return first + _RETURN[taxing]
    if deposit and subtype is not Subtype.SYMBOLIC_INBOUND:
        kin = {Subtype.INBOUND: "905", Subtype.INBOUND_RETURN: "906", Subtype.SYMBOLIC_INBOUND_RETURN: "907"}
        return first + kin[subtype]
    return first + "949"


def other_side(cfop: str) -> str:
    """The CFOP of the same operation on the other side of a state's border."""
    return {"1": "2", "2": "1", "5": "6", "6": "5"}[cfop[0]] + cfop[1:]
