"""Cities of Brazil with IBGE's codes, and the offset that their clocks keep."""

from __future__ import annotations

from datetime import timezone
from typing import NamedTuple

from sandbox_hub.paper.facts import Address
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import HUB_ZONE, WEST_ZONE


class City(NamedTuple):
    code: str  # IBGE, 7 digits
    name: str
    uf: str
    postal_prefix: str  # 3 digits
    area_code: str  # DDD


CITIES = (
    City("3550308", "São Paulo", "SP", "013", "11"),
    City("3509502", "Campinas", "SP", "130", "19"),
    City("3548500", "Santos", "SP", "110", "13"),
    City("3543402", "Ribeirão Preto", "SP", "140", "16"),
    City("3518800", "Guarulhos", "SP", "070", "11"),
    City("3304557", "Rio de Janeiro", "RJ", "200", "21"),
    City("3303302", "Niterói", "RJ", "240", "21"),
    City("3106200", "Belo Horizonte", "MG", "301", "31"),
    City("3170206", "Uberlândia", "MG", "384", "34"),
    City("4106902", "Curitiba", "PR", "800", "41"),
    City("4113700", "Londrina", "PR", "860", "43"),
    City("4314902", "Porto Alegre", "RS", "900", "51"),
    City("4305108", "Caxias do Sul", "RS", "950", "54"),
    City("4205407", "Florianópolis", "SC", "880", "48"),
    City("4209102", "Joinville", "SC", "892", "47"),
    City("2927408", "Salvador", "BA", "400", "71"),
    City("2611606", "Recife", "PE", "500", "81"),
    City("2304400", "Fortaleza", "CE", "600", "85"),
    City("5300108", "Brasília", "DF", "700", "61"),
    City("5208707", "Goiânia", "GO", "740", "62"),
    City("1302603", "Manaus", "AM", "690", "92"),
    City("1501402", "Belém", "PA", "660", "91"),
    City("3205309", "Vitória", "ES", "290", "27"),
    City("5103403", "Cuiabá", "MT", "780", "65"),
    City("5002704", "Campo Grande", "MS", "790", "67"),
    City("2111300", "São Luís", "MA", "650", "98"),
    City("2408102", "Natal", "RN", "590", "84"),
    City("2507507", "João Pessoa", "PB", "580", "83"),
    City("2704302", "Maceió", "AL", "570", "82"),
    City("2800308", "Aracaju", "SE", "490", "79"),
    City("2211001", "Teresina", "PI", "640", "86"),
)
# Capitals of the states in which no company or buyer of the world is.
_OTHER_CAPITALS = (
    City("1200401", "Rio Branco", "AC", "699", "68"),
    City("1600303", "Macapá", "AP", "689", "96"),
    City("1100205", "Porto Velho", "RO", "768", "69"),
    City("1400100", "Boa Vista", "RR", "693", "95"),
    City("1721000", "Palmas", "TO", "770", "63"),
)
_BY_NAME = {city.name: city for city in CITIES}
_BY_NAME["Cajamar"] = City("3509205", "Cajamar", "SP", "077", "11")
_BY_NAME["Extrema"] = City("3125101", "Extrema", "MG", "376", "35")
_WEST = frozenset({"AM", "MT", "MS", "RO", "RR"})

_STREETS = (
    "Rua das Acácias",
    "Avenida Brasil",
    "Rua São João",
    "Rua Sete de Setembro",
    "Travessa da Conceição",
    "Avenida Getúlio Vargas",
    "Rua Padre José Maurício",
    "Alameda dos Ipês",
    "Rua Coronel Galvão",
    "Praça da República",
    "Rua Antônio Conselheiro",
    "Estrada do Açude",
)
_DISTRICTS = ("Centro", "Jardim América", "Vila Conceição", "Bela Vista", "São José", "Água Verde", "Boa Esperança")


def city(name: str) -> City:
    """The city of that name."""
    return _BY_NAME[name]


def capital_of(uf: str) -> City | None:
    """A city of the state: its capital, which stands first; None for what is no state's code."""
    return next((place for place in (*CITIES, *_OTHER_CAPITALS) if place.uf == uf), None)


def city_in(uf: str, name: str) -> City | None:
    """The city of that name in the state, where it is known here."""
    places = (*_BY_NAME.values(), *_OTHER_CAPITALS)
    return next((place for place in places if place.uf == uf and place.name.casefold() == name.casefold()), None)


def zone_of(uf: str) -> timezone:
    """The offset of the state's clocks."""
    return WEST_ZONE if uf in _WEST else HUB_ZONE


def address_in(place: City, die: Die, i: int) -> Address:
    """Somewhere in `place`, by the throws 8 × i and following."""
    n = 8 * i
    return Address(
        street=die.pick(n, _STREETS),
        number=str(die.between(n + 1, 1, 2400)),
        district=die.pick(n + 2, _DISTRICTS),
        city_code=place.code,
        city=place.name,
        uf=place.uf,
        postal_code=place.postal_prefix + f"{die.below(n + 3, 100_000):05d}",
        complement=f"Apto {die.between(n + 4, 11, 204)}" if die.below(n + 5, 3) == 0 else None,
        phone=f"{place.area_code}9{die.below(n + 6, 100_000_000):08d}",
    )
