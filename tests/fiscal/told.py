"""The warnings of a paper without those on the form of its file, which a made paper takes no pains about."""

from __future__ import annotations

from typing import Final, Protocol

from confere.fiscal.document_parts import Warning
from confere.fiscal.warnings import Trait

_FORM: Final = frozenset(
    {
        Trait.NO_DECLARATION,
        Trait.CDATA,
        Trait.CHARACTER_REFERENCES,
        Trait.LOT,
        Trait.PREFIXED,
        Trait.PREFIXED_SIGNATURE,
        Trait.OLD_LAYOUT,
    }
)


class Holder(Protocol):
    @property
    def warnings(self) -> tuple[Warning, ...]: ...


def told(holder: Holder) -> list[tuple[str, str]]:
    """Code and detail of each warning."""
    return [(warning.code, warning.detail) for warning in holder.warnings if warning.code not in _FORM]


def codes(holder: Holder) -> list[str]:
    return [code for code, _ in told(holder)]
