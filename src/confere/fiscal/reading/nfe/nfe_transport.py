"""How the goods of a note travel: carrier, vehicles, volumes."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Fields, FullParty, Transport, Volume
from confere.fiscal.document_parts import Party
from confere.fiscal.reading.elements import LOCAL, own_text, texts
from confere.fiscal.reading.nfe.nfe_parties import full_party
from confere.fiscal.reading.unread_fields import Rest, left_of, under
from confere.fiscal.reading.xml_leaves import leaves

_VEHICLES: Final = ("veicTransp", "reboque")
_VOLUME: Final = ("qVol", "esp", "marca", "nVol", "pesoL", "pesoB")
_SEAL: Final = "lacres/nLacre"


def transport_of(section: _Element, carrier: Party | None, rest: Rest) -> Transport:
    """All of `transp`; `carrier` is the party that `transporta` names."""
    mode: str | None = None
    full: FullParty | None = None
    plates: list[str] = []
    volumes: list[Volume] = []
    left: list[Fields] = []
    for part in section:
        name = LOCAL[part.tag]
        if name == "modFrete" and mode is None and not len(part):
            mode = own_text(part)
        elif name == "transporta" and full is None and carrier is not None:
            full, others = full_party(carrier, part)
            left.append(under(name, others))
        elif name == "vol":
            volume, others = _volume(part, rest)
            volumes.append(volume)
            left.append(under(name, others))
        elif name in _VEHICLES:
            vehicle = texts(part)
            plates += [vehicle["placa"]] if "placa" in vehicle else []
            left.append(under(name, left_of(part, vehicle, ("placa",))))
        else:
            left.append(under(name, leaves(part)) if len(part) else leaves(part))
    return Transport(mode, full, tuple(plates), tuple(volumes), tuple(entry for fields in left for entry in fields))


def _volume(group: _Element, rest: Rest) -> tuple[Volume, Fields]:
    get = texts(group)
    left = left_of(group, get, _VOLUME)
    found = Volume(
        rest.quantity(get, "qVol"),
        get.get("esp"),
        get.get("marca"),
        get.get("nVol"),
        rest.quantity(get, "pesoL"),
        rest.quantity(get, "pesoB"),
        tuple(text for path, text in left if path == _SEAL),
    )
    return found, tuple(entry for entry in left if entry[0] != _SEAL)
