"""The states of Brazil and the Federal District (UF): their letters, the codes of IBGE, their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from confere.fiscal.law.tables import law_rows
from confere.system.plain_text import folded_words


def letters() -> tuple[str, ...]:
    """The two letters of each of the 27, in the order of the alphabet."""
    return tuple(sorted(_rows()))


def ibge_code(uf: str) -> str | None:
    """The two digits by which `cUF` and an access key name the state of these letters; None for what is none."""
    row = _rows().get(uf)
    return None if row is None else row["ibge"]


def uf_of_ibge_code(code: str | None) -> str | None:
    """The letters of the state with this code of IBGE; None for a code that no state has."""
    return _by_ibge_code().get(code or "")


def uf_of_name(name: str) -> str | None:
    """The letters of the state of this name, however it is accented and capitalized; None for what is none."""
    return _by_name().get(folded_words(name))


def _rows() -> Mapping[str, Mapping[str, str]]:
    return law_rows("states")["states"]


@cache
def _by_ibge_code() -> Mapping[str, str]:
    return {row["ibge"]: uf for uf, row in _rows().items()}


@cache
def _by_name() -> Mapping[str, str]:
    return {folded_words(row["pt_BR"]): uf for uf, row in _rows().items()}
