"""Reading a query string by the hub's rules: an unknown name is ignored (by a strict hub 400), a wrong value 422."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar
from urllib.parse import parse_qsl

from sandbox_hub.shapes.dates import RefusedDate, read_date
from sandbox_hub.shapes.names import Shape, Shapes
from sandbox_hub.shapes.paging import LARGEST_PAGE, SMALLEST_PAGE, Paging, first_place, page_at, place_parameter
from sandbox_hub.web.responses import bad_request, bad_value

_T = TypeVar("_T")


def whole_number(text: str) -> int | None:
    """The number that `text` writes in plain digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


class Query:
    """The parameters of one request that its endpoint knows; each may stand once."""

    def __init__(self, raw: bytes, shapes: Shapes, known: Collection[str], *, paged: bool = False) -> None:
        if paged:
            known = (*known, "limit", place_parameter(shapes))
        self._shapes = shapes
        self.values: dict[str, str] = {}
        try:
            pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="strict", max_num_fields=50)
        except ValueError:
            raise bad_request("Os parâmetros da consulta não puderam ser lidos.") from None
        for name, value in pairs:
            if name not in known:
                if Shape.STRICT not in shapes:
                    continue
                raise bad_request(f"Parâmetro desconhecido: {name[:60]}.", "Aceitos: " + ", ".join(sorted(known)))
            if name in self.values:
                raise bad_request(f"O parâmetro {name} foi enviado mais de uma vez.")
            self.values[name] = value

    def limit(self, usual: int = SMALLEST_PAGE) -> int:
        """How many items are asked for."""
        limit = self._whole("limit", usual)
        if not SMALLEST_PAGE <= limit <= LARGEST_PAGE:
            raise bad_request(f"O parâmetro limit deve estar entre {SMALLEST_PAGE} e {LARGEST_PAGE}.")
        return limit

    def paging(self) -> Paging:
        """The page that is asked for."""
        limit = self.limit()
        place = self._whole(place_parameter(self._shapes), first_place(self._shapes))
        try:
            return page_at(self._shapes, limit, place)
        except ValueError as error:
            raise bad_request(str(error)) from None

    def first_second(self, name: str) -> int | None:
        """A lower bound in time."""
        return self._time(name, upper=False)

    def last_second(self, name: str) -> int | None:
        """An upper bound in time; a bare date is included to its last second."""
        return self._time(name, upper=True)

    def one_of(self, name: str, options: Mapping[str, _T]) -> _T | None:
        """The value that one of the allowed words stands for."""
        text = self.values.get(name)
        if text is None:
            return None
        if text not in options:
            raise bad_value(f"Valor inválido para {name}: {text[:60]}.", "Aceitos: " + ", ".join(options))
        return options[text]

    def order_id(self, name: str) -> int | None:
        """The number of an order."""
        text = self.values.get(name)
        if text is None:
            return None
        number = whole_number(text)
        if number is None:
            raise bad_value(f"Valor inválido para {name}: {text[:60]}.", "Esperado: número do pedido")
        return number

    def _whole(self, name: str, usual: int) -> int:
        text = self.values.get(name)
        if text is None:
            return usual
        number = whole_number(text)
        if number is None:
            raise bad_request(f"O parâmetro {name} deve ser um número inteiro.")
        return number

    def _time(self, name: str, *, upper: bool) -> int | None:
        text = self.values.get(name)
        if text is None:
            return None
        try:
            return read_date(self._shapes, text, upper=upper)
        except RefusedDate as refused:
            raise bad_request(f"Formato de data inválido para {name}: {text[:60]}.", f"Aceito: {refused}") from None
        except (ValueError, OverflowError):
            raise bad_value(
                f"Valor inválido para {name}: {text[:60]}.", "Esperado: ISO 8601 com fuso ou AAAA-MM-DD"
            ) from None
