"""Who trades: the account's two companies, three fictional marketplaces with their warehouses, the carriers."""

from __future__ import annotations

from typing import NamedTuple

from sandbox_hub.paper.facts import Intermediary, Taxpayer
from sandbox_hub.world.parties.cities import address_in, city
from sandbox_hub.world.parties.tax_ids import cnpj, digits_root, lettered_root
from sandbox_hub.world.seeded_random import Die

MARKETPLACES = ("MERCADO_AZUL", "LOJA_VERDE", "FEIRA_DIGITAL")


class Marketplace(NamedTuple):
    """`warehouse` holds the sellers' goods; it is None where the marketplace has no fulfilment."""

    name: str
    taxpayer: Taxpayer
    warehouse: Taxpayer | None

    def intermediary(self, seller: Taxpayer) -> Intermediary:
        return Intermediary(self.taxpayer.tax_id, f"{self.name.split('_')[0].lower()}-{seller.tax_id[:8].lower()}")


class Cast(NamedTuple):
    companies: tuple[Taxpayer, ...]
    marketplaces: tuple[Marketplace, ...]
    carriers: tuple[Taxpayer, ...]


def cast(seed: int) -> Cast:
    """The taxpayers of the world of `seed`; the second company's CNPJ holds letters."""
    die = Die(seed, "companies")
    serial = iter(range(1, 100))

    def taxpayer(name: str, place: str, *, lettered: bool = False, crt: int = 3) -> Taxpayer:
        n = next(serial)
        root = lettered_root(die(100 * n)) if lettered else digits_root(die(100 * n))
        return Taxpayer(
            tax_id=cnpj(root),
            name=name,
            address=address_in(city(place), die, 100 * n),
            state_registration=str(die.between(100 * n + 1, 10**8, 10**9 - 1)),
            crt=crt,
            trade_name=name.split(" LTDA", maxsplit=1)[0],
            email="fiscal@empresa.example",
        )

    return Cast(
        companies=(
            taxpayer("Ipê Amarelo Comércio Eletrônico LTDA", "Campinas"),
            taxpayer("Pequi do Cerrado Importações LTDA", "Cuiabá", lettered=True, crt=1),
        ),
        marketplaces=(
            Marketplace(
                "MERCADO_AZUL",
                taxpayer("Mercado Azul Intermediação Digital LTDA", "São Paulo"),
                taxpayer("Mercado Azul Armazéns LTDA", "Cajamar"),
            ),
            Marketplace(
                "LOJA_VERDE",
                taxpayer("Loja Verde Plataforma de Vendas LTDA", "Belo Horizonte"),
                taxpayer("Loja Verde Logística LTDA", "Extrema"),
            ),
            Marketplace("FEIRA_DIGITAL", taxpayer("Feira Digital Negócios LTDA", "Curitiba"), None),
        ),
        carriers=(
            taxpayer("Transportes Sabiá LTDA", "Guarulhos"),
            taxpayer("Rápido Jequitibá Cargas LTDA", "Belo Horizonte"),
            taxpayer("Expresso Araucária LTDA", "Curitiba"),
        ),
    )
