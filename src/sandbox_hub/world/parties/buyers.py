"""Buyers: thousands of persons and a few companies, each made when looked at."""

from __future__ import annotations

from typing import NamedTuple

from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.world.parties.cities import CITIES, address_in
from sandbox_hub.world.parties.tax_ids import cnpj, cpf, digits_root
from sandbox_hub.world.seeded_random import Die

BUYERS = 8_000
_HOME_SHARE = 5  # one in so many lives anywhere; the rest nearer to the first cities
# fmt: off
_FIRST = (
    "Ana", "João", "Márcia", "José", "Antônio", "Conceição", "Luís", "Fátima", "Sebastião", "Inês", "Cauã",
    "Thaís", "André", "Letícia", "Vinícius", "Beatriz", "Júlia", "Otávio", "Débora", "Estêvão", "Patrícia",
    "Gonçalo", "Mônica", "Renato", "Sônia", "Tomé", "Úrsula", "Wellington", "Zélia", "Íris",
)
_MIDDLE = (
    "Aparecida", "Araújo", "Brandão", "Camargo", "Magalhães", "Nóbrega", "Sant'Anna", "Fagundes",
    "Guimarães", "Assunção",
)
_LAST = (
    "da Silva", "dos Santos", "Gonçalves", "Conceição", "de Souza", "Simões", "D'Ávila", "Falcão", "Muñoz",
    "Araújo", "Esteves", "Brandão", "Peçanha", "Müller", "Nascimento", "Leitão", "Quadros", "Sá",
    "Vasconcelos", "Ximenes",
)
# fmt: on
_TRADES = ("Comércio de Variedades", "Papelaria", "Mercearia", "Construções", "Informática", "Confecções")


class Buyer(NamedTuple):
    """Who ordered; `number` is stable in its world."""

    number: int
    taxpayer: Taxpayer
    is_company: bool


class Buyers:
    """Buyer `number` of a world; the first `companies` numbers are companies (CNPJ, contributors of ICMS)."""

    def __init__(self, seed: int) -> None:
        self._die = Die(seed, "buyers")
        self._where = Die(seed, "buyers' homes")
        self.companies = BUYERS // 16

    def uf(self, number: int) -> str:
        """Where the buyer lives, without making the buyer."""
        return CITIES[self._city(number)].uf

    def company(self, number: int) -> bool:
        """Whether the buyer is a company."""
        return number < self.companies

    def buyer(self, number: int) -> Buyer:
        die, n = self._die, 16 * number
        address = address_in(CITIES[self._city(number)], self._where, number + BUYERS)
        last = die.pick(n, _LAST)
        if self.company(number):
            name = f"{last.split()[-1]} {die.pick(n + 1, _TRADES)} LTDA"
            tax_id = cnpj(digits_root(die(n + 2)))
            taxpayer = Taxpayer(
                tax_id,
                name,
                address,
                state_registration=f"{die.between(n + 3, 10**8, 10**9 - 1)}",
                email=f"fiscal{number}@empresa.example",
            )
            return Buyer(number, taxpayer, True)
        first = die.pick(n + 4, _FIRST)
        middle = f" {die.pick(n + 5, _MIDDLE)}" if die.below(n + 6, 3) == 0 else ""
        taxpayer = Taxpayer(
            cpf(die(n + 7)), f"{first}{middle} {last}", address, email=f"cliente{number}@correio.example"
        )
        return Buyer(number, taxpayer, False)

    def _city(self, number: int) -> int:
        n = 3 * number
        anywhere = self._where.below(n, _HOME_SHARE) == 0
        return self._where.below(n + 1, len(CITIES) if anywhere else 12)
