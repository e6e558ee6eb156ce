"""The brands, categories and variations that every world has from the start, with the same ids in all of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandbox_hub.world.parties.products import COLOURS, KIND_NAMES

_BRANDS = ("Aurora", "Serra Alta", "Ipê", "Maré Clara", "Nativa", "Lumiar", "Pampa", "Vento Sul")
_DEPARTMENTS = ("Moda", "Eletrônicos", "Casa", "Brinquedos", "Papelaria", "Beleza")
_DEPARTMENT_OF = (0, 0, 1, 0, 2, 2, 3, 4, 5, 2, 2, 2)  # of each kind of product
_FIRST_KIND = 101
COLOUR, SIZE = "Cor", "Tamanho"
_SIZES = ("PP", "P", "M", "G", "GG")


class Size(NamedTuple):
    """Centimetres of a packed product."""

    height: int
    width: int
    length: int


_PACKED = ((4, 25, 30), (13, 22, 34), (8, 12, 16), (15, 32, 45), (22, 30, 40), (18, 28, 38)) * 2


def brand_id(number: int) -> int:
    """The brand of product `number`."""
    return 1 + number * 5 % len(_BRANDS)


def category_id(number: int) -> int:
    """The category of product `number`."""
    return _FIRST_KIND + number % len(KIND_NAMES)


def packed_size(number: int) -> Size:
    """How large product `number` is when packed."""
    return Size(*_PACKED[number % len(KIND_NAMES)])


def brands() -> list[dict[str, Any]]:
    """Their records."""
    return [{"id": n, "name": name, "partnerId": f"MARCA-{n:02d}"} for n, name in enumerate(_BRANDS, 1)]


def categories() -> list[dict[str, Any]]:
    """Their records: departments, and below them one category for each kind of product."""
    usual = {"priceFactor": 1.0, "calculatePrice": False}
    departments = [
        {"id": n, "name": name, "partnerId": f"DEP-{n:02d}", **usual, "parentId": None}
        for n, name in enumerate(_DEPARTMENTS, 1)
    ]
    kinds = [
        {
            "id": _FIRST_KIND + kind,
            "name": name,
            "partnerId": f"CAT-{kind + 1:02d}",
            **usual,
            "parentId": 1 + _DEPARTMENT_OF[kind],
        }
        for kind, name in enumerate(KIND_NAMES)
    ]
    return departments + kinds


def variations() -> list[dict[str, Any]]:
    """Their records."""
    return [
        {"id": 1, "name": COLOUR, "values": list(COLOURS)},
        {"id": 2, "name": SIZE, "values": list(_SIZES)},
    ]
