"""The bodies that probes of the catalog send, and how a field is found in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

_NUMBERS = {"priceFactor", "weight", "height", "width", "length", "quantity", "cost", "price"}
_WHOLE = {"index", "additionalTime"}
_TRUTHS = {"calculatePrice", "calculatedPrice", "main"}
_TEXT_IDS = {"nbm.id", "brand.id", "origin.id", "category.id"}


@dataclass(frozen=True)
class CatalogBodies:
    """Bodies that are told apart from those of other numbers by every name and code."""

    number: int
    model: ClassVar[str] = "Casal"
    words: ClassVar[dict[str, str]] = {"brand": "marca", "category": "categoria", "variation": "variação"}

    def brand(self) -> dict[str, Any]:
        return {"name": f"Marca {self.number}", "partnerId": f"MARCA-{self.number}"}

    def category(self) -> dict[str, Any]:
        return {
            "name": f"Categoria {self.number}",
            "partnerId": f"CAT-{self.number}",
            "priceFactor": 1.25,
            "calculatePrice": True,
            "children": [{"name": f"Filha {self.number}", "partnerId": f"FILHA-{self.number}"}],
        }

    @property
    def colour(self) -> str:
        return f"Cor {self.number}"

    def variation(self) -> dict[str, Any]:
        return {"name": self.colour, "values": ["azul", "preto", "verde"]}

    def sku_code(self, n: int) -> str:
        return f"REDE-{self.number}-{n}"

    def product(self, brand: dict[str, Any], category: dict[str, Any]) -> dict[str, Any]:
        """A variable product of two SKUs with every field of the specification."""
        return {
            "id": None,
            "title": f"Rede {self.number}",
            "description": "Rede de algodão.",
            "nbm": {"id": "63079090"},
            "brand": {"id": str(brand["id"]), "name": brand["name"]},
            "origin": {"id": "0"},
            "category": {"id": str(category["id"])},
            "model": self.model,
            "warrantyText": "Contra defeitos de fabricação",
            "warrantyTime": "3",
            "weight": 1.8,
            "height": 10.5,
            "width": 30.5,
            "length": 40.5,
            "images": [
                {"main": True, "url": f"https://imagens.example/{self.number}-azul.jpg", "variation": "azul"},
                {"main": False, "url": f"https://imagens.example/{self.number}-preto.jpg", "variation": "preto"},
            ],
            "priceFactor": 1.5,
            "calculatedPrice": True,
            "characteristics": [{"index": 0, "name": "Material", "value": "Algodão"}],
            "skus": [
                {
                    "title": f"Rede {self.number} azul",
                    "partnerId": self.sku_code(0),
                    "ean": "7891000315507",
                    "price": 189.9,
                    "amount": "12.5",
                    "variations": {self.colour: "azul"},
                    "idProduct": None,
                    "internalIdProduct": f"INT-{self.number}",
                },
                {
                    "title": f"Rede {self.number} preta",
                    "partnerId": self.sku_code(1),
                    "ean": None,
                    "price": "179.90",
                    "amount": "3.5",
                    "additionalTime": 4,
                    "variations": {self.colour: "preto"},
                    "idProduct": None,
                    "internalIdProduct": f"INT-{self.number}",
                },
            ],
        }

    def further_sku(self) -> dict[str, Any]:
        return {
            "title": f"Rede {self.number} verde",
            "partnerId": self.sku_code(2),
            "price": 169.9,
            "variations": {self.colour: "verde"},
        }

    def image(self) -> dict[str, Any]:
        return {"url": f"https://imagens.example/{self.number}-detalhe.jpg"}

    def stock(self, sku_id: int) -> dict[str, Any]:
        return {"id": sku_id, "partnerId": self.sku_code(0), "quantity": 7.5, "cost": 51.25, "additionalTime": 2}

    def plain_product(self, brand: dict[str, Any], category: dict[str, Any], number: int) -> dict[str, Any]:
        """A product without variations."""
        body = CatalogBodies(number).product(brand, category)
        sku = {name: value for name, value in body["skus"][0].items() if name != "variations"}
        return {**body, "images": [], "skus": [{**sku, "partnerId": f"LISA-{number}"}]}

    def without(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        """The product of a new number that refers to something that is not registered."""
        body = {**body, "skus": [{**sku, "partnerId": f"{sku['partnerId']}-X"} for sku in body["skus"]]}
        if what == "brand":
            return {**body, "brand": {"id": "999999", "name": "Nenhuma"}}
        if what == "category":
            return {**body, "category": {"id": "999999"}}
        skus = [{**sku, "variations": {"Sabor": "uva"}} for sku in body["skus"][:1]]
        return {**body, "images": [], "skus": skus}


def field_of(record: Any, path: str) -> list[Any]:
    """The values of a field by its path; through lists, that of each element that both sides have first."""
    values = [record]
    for part in path.split("."):
        values = [element for value in values for element in (value if isinstance(value, list) else [value])]
        missing = [value for value in values if not isinstance(value, dict) or part not in value]
        assert not missing, f"{path} is missing in {missing[0]!r:.200}"
        values = [value[part] for value in values]
    return values


def is_kind(path: str, value: Any) -> bool:
    """Whether a value is of the kind that the specification gives the field."""
    name = path.rpartition(".")[2]
    if path in _TEXT_IDS:
        return isinstance(value, str)
    if name in _WHOLE or name == "id":
        return isinstance(value, int) and not isinstance(value, bool)
    if name in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name in _TRUTHS:
        return isinstance(value, bool)
    return value is not None
