"""What a deployment's shapes change in its contract: the page's parameter, its first place, the form of dates."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox_hub.contract.operation import Parameter, Special
from sandbox_hub.contract.schema_parts import MOMENT, TEXT, WHOLE, Schema
from sandbox_hub.contract.words import Words
from sandbox_hub.shapes.names import NO_SHAPES, Shape, Shapes
from sandbox_hub.shapes.paging import LARGEST_PAGE, SMALLEST_PAGE, first_place, place_parameter

_MOST = 10**18 - 1
_BY_ITEM = Words(
    "Quantos itens pular; 0 é o primeiro.",
    "How many items to skip; 0 is the first.",
    "Cuántos ítems saltar; 0 es el primero.",
)
_BY_PAGE = Words("Número da página.", "The page's number.", "Número de la página.")
_DATES: dict[Shape, Schema] = {
    Shape.DATES_DATE_ONLY: {"type": "string", "format": "date"},
    Shape.DATES_NO_ZONE: {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$"},
    Shape.DATES_MILLISECONDS: {
        "type": "string",
        "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{2}:?\d{2})$",
    },
}


@dataclass(frozen=True, slots=True)
class Conventions:
    """How this deployment writes what the specification leaves open."""

    shapes: Shapes = NO_SHAPES

    def paging(self) -> tuple[Parameter, ...]:
        """The parameters that ask for a page of a list."""
        name = place_parameter(self.shapes)
        first = first_place(self.shapes)
        place = {**WHOLE, "minimum": first, "maximum": _MOST, "default": first}
        limit = {**WHOLE, "minimum": SMALLEST_PAGE, "maximum": LARGEST_PAGE, "default": SMALLEST_PAGE}
        return (
            Parameter("limit", Words("Itens por página.", "Items a page.", "Ítems por página."), limit),
            Parameter(name, _BY_ITEM if name == "offset" else _BY_PAGE, place, own_choice=True),
        )

    def parameters(self, declared: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        """The parameters with this deployment's dates; none where no date filter is taken."""
        if Shape.DATES_REFUSED in self.shapes:
            return tuple(parameter for parameter in declared if not isinstance(parameter.schema, Special))
        date = self._date()
        return tuple(
            parameter._replace(schema=date, own_choice=True) if isinstance(parameter.schema, Special) else parameter
            for parameter in declared
        )

    def _date(self) -> Schema:
        for shape, schema in _DATES.items():
            if shape in self.shapes:
                return schema
        return {"anyOf": [MOMENT, {**TEXT, "format": "date"}]}
