"""What is sold: products with NCM, EAN, price, weight and how their sale is taxed."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from sandbox_hub.world.parties.tax_ids import ean13
from sandbox_hub.world.seeded_random import Die

PRODUCTS = 240
_KINDS = (
    ("Camiseta de algodão", "61091000", 2990, 7990, "0.200"),
    ("Tênis de corrida", "64041100", 12990, 39990, "0.800"),
    ("Fone de ouvido sem fio", "85183000", 5990, 29990, "0.150"),
    ("Mochila escolar", "42029200", 6990, 19990, "0.700"),
    ("Panela de aço inoxidável", "73239300", 7990, 24990, "1.600"),
    ("Jogo de toalhas", "63026000", 4990, 14990, "1.100"),
    ("Boneco articulado", "95030099", 3990, 15990, "0.450"),
    ("Caderno universitário", "48202000", 1290, 4990, "0.600"),
    ("Creme hidratante", "33049910", 1990, 8990, "0.300"),
    ("Luminária de mesa", "94052100", 5990, 18990, "0.900"),
    ("Cafeteira elétrica", "85167100", 11990, 45990, "2.300"),
    ("Organizador plástico", "39241000", 990, 5990, "0.350"),
)
KIND_NAMES = tuple(kind[0] for kind in _KINDS)  # product number n is of kind n % len(KIND_NAMES)
COLOURS = ("azul", "verde", "preto", "branco", "vermelho", "grafite", "açaí", "lilás")
_SHARES = ("resale",) * 8 + ("own", "substitution")


class Taxing(StrEnum):
    """Why a product's CFOP is what it is."""

    RESALE = "resale"  # bought from others
    OWN = "own"  # made by the seller
    SUBSTITUTION = "substitution"  # ICMS already collected up the chain


class Product(NamedTuple):
    code: str
    description: str
    ncm: str
    ean: str
    price_cents: int
    weight: Decimal  # kg
    taxing: Taxing
    cest: str | None


def catalogue(seed: int) -> tuple[Product, ...]:
    """The world's products."""
    die = Die(seed, "catalogue")
    products = []
    for i in range(PRODUCTS):
        n = 8 * i
        name, ncm, low, high, weight = _KINDS[i % len(_KINDS)]
        taxing = Taxing(die.pick(n, _SHARES))
        products.append(
            Product(
                code=f"SKU-{i + 1:04d}",
                description=f"{name} {die.pick(n + 1, COLOURS)} mod. {die.between(n + 2, 100, 999)}",
                ncm=ncm,
                ean=ean13(die(n + 3)),
                price_cents=die.between(n + 4, low // 10, high // 10) * 10,
                weight=Decimal(weight),
                taxing=taxing,
                cest="2106300" if taxing is Taxing.SUBSTITUTION else None,
            )
        )
    return tuple(products)
