"""What is said where nothing is found of a company that no account has."""

from __future__ import annotations

from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.labels import labels
from confere.archive.hub import completeness
from confere.errors import Message, message

_MOST: Final = 5


def why_nothing_of(opened: OpenArchive, company: str | None) -> Message | None:
    """That `company` (CNPJ) is not known here, and which companies are; None where it is, or none was asked for."""
    if company is None:
        return None
    with opened.reading() as transaction:
        known = completeness.companies(transaction)
    if company in known:
        return None
    name = labels.tax_id_word(company)
    if not known:
        return message("{company} is not a company of this archive, which knows none yet.", company=name)
    named = ", ".join(map(labels.tax_id_word, known[:_MOST]))
    if len(known) > _MOST:
        rest = len(known) - _MOST
        return message(
            "{company} is not a company of this archive; those are {known} and {count} more.",
            company=name,
            known=named,
            count=rest,
        )
    return message("{company} is not a company of this archive; those are {known}.", company=name, known=named)
