"""Events that are written otherwise than SEFAZ's: those of a national NFS-e, and the coupon that cancels a CF-e-SAT.

Both are signed by whoever registered them (the NFS-e's system, the SAT equipment), so no answer stands beside them.
Their fields come out under the names of SEFAZ's events, so that one reader and one judge do for all.
"""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal import access_keys
from confere.fiscal.reading.elements import LOCAL, child, texts, texts_within

SEALED_EVENTS: Final = ("CFeCanc", "pedRegEvento")
"""Their elements, beside `evento`, which is called as SEFAZ's."""
CANCELLATION: Final = "110111"
"""What a `CFeCanc` amounts to."""

_AUTHORS: Final = {"CNPJAutor": "CNPJ", "CPFAutor": "CPF"}
_CODE_LENGTH: Final = 7  # e101101
_AUTHOR_TAGS: Final = ("{*}CNPJ", "{*}CPF")


def fields_of(body: _Element | None) -> dict[str, str]:
    """The fields of an event's body (`infEvento`, `infCanc`, `infPedReg`, an `infCFe` that cancels)."""
    if body is None:
        return {}
    name = LOCAL[body.tag]
    if name == "infCFe":
        return _of_coupon(body)
    asked = request_in(body)
    if asked is not None:
        return _of_service(body, asked)
    found = texts(body)
    found.pop("chNFSe", None)  # an NFS-e's key stands in what was asked, nowhere else
    return found


def request_in(body: _Element) -> _Element | None:
    """What was asked of an NFS-e's system: `infPedReg`, alone or inside `infEvento`; None for other events."""
    if LOCAL[body.tag] == "infPedReg":
        return body
    outer = child(body, "pedRegEvento")
    return child(outer, "infPedReg") if outer is not None else None


def detail_in(body: _Element) -> _Element | None:
    """The group with what the event says: `detEvento`, or `e101101` and its kin."""
    asked = request_in(body)
    if asked is None:
        return child(body, "detEvento")
    return next((part for part in asked if _is_code(LOCAL[part.tag])), None)


def is_sealed(body: _Element | None) -> bool:
    """Whether who signed it registered it as well: an NFS-e's `infEvento`, a CF-e that cancels."""
    if body is None or LOCAL[body.tag] == "infPedReg":
        return False
    return LOCAL[body.tag] == "infCFe" or request_in(body) is not None


def _of_service(body: _Element, asked: _Element) -> dict[str, str]:
    found = texts(asked)
    for written, usual in _AUTHORS.items():
        if written in found:
            found[usual] = found.pop(written)
    detail = detail_in(body)
    if detail is not None:
        found["tpEvento"] = LOCAL[detail.tag][1:]
    if body is not asked:
        own = texts(body)
        for written, usual in (("nSeqEvento", "nSeqEvento"), ("dhProc", "dhRegEvento"), ("nDFSe", "nProt")):
            if written in own:
                found[usual] = own[written]
    return found


def _of_coupon(body: _Element) -> dict[str, str]:
    """The cancelled coupon's key with the moment of the cancelling one, whose own key is its protocol."""
    ide = texts(child(body, "ide"))
    emitting = child(body, "emit")
    found = texts_within(emitting, _AUTHOR_TAGS) if emitting is not None else {}
    found["tpEvento"] = CANCELLATION
    cancelled = access_keys.find(body.get("chCanc") or "")
    if cancelled is not None:
        found["chCanc"] = cancelled
    day, time = ide.get("dEmi", ""), ide.get("hEmi", "").ljust(6, "0")
    if len(day) == len("AAAAMMDD"):
        found["dhEvento"] = f"{day[:4]}-{day[4:6]}-{day[6:]}T{time[:2]}:{time[2:4]}:{time[4:6]}"
    if "tpAmb" in ide:
        found["tpAmb"] = ide["tpAmb"]
    return found


def _is_code(name: str) -> bool:
    return len(name) == _CODE_LENGTH and name[0] == "e" and name[1:].isdecimal()
