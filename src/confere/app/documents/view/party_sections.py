"""The parties of a document in the summary: who they are, where, and how the tax authority has them."""

from __future__ import annotations

from confere.app.documents.view import hidden_persons
from confere.app.documents.view.facts import MUTED, STRONG, Fact, FactLine, Section, section
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.fiscal.detail import Address, FullParty
from confere.fiscal.document_parts import Party
from confere.fiscal.law import field_text
from confere.system.messages import t


def parties(loaded: Loaded) -> Section:
    """With all that the paper says of them; by the archive's rows where it could not be read."""
    detail = loaded.view.detail
    if detail is not None and detail.parties:
        found = [party(entry, loaded.hidden) for entry in detail.parties]
    else:
        found = [_row(entry, loaded.hidden) for entry in loaded.view.full.parties]
    return section(t("Parties"), *found)


def party(full: FullParty, hidden: bool) -> Fact | None:
    """One party under its role."""
    who = full.party
    hides = hidden and hidden_persons.is_person(who.tax_id)
    name = labels.person_name(who.name, who.tax_id, hidden)
    lines = [FactLine(name, STRONG)] if name else []
    if full.trade_name and full.trade_name != who.name and not hides:
        lines.append(FactLine(full.trade_name))
    said = [
        labels.tax_id_word(who.tax_id, hidden),
        _registration(who.state_registration, full) if not hides else "",
        *(
            t("{what} {number}", what=what, number=number) if number else ""
            for what, number in (
                (t("IE of the substitute"), full.substitute_registration),
                (t("City registration"), full.municipal_registration),
                ("CNAE", full.cnae),
                ("SUFRAMA", full.suframa),
            )
        ),
        field_text.meaning("CRT", full.tax_regime),
        *_address(full.address, hides),
        "" if hides else (full.email or ""),
    ]
    if full.address is None:
        said.append("/".join(filter(None, (who.city, who.uf))))
    lines += [FactLine(text, MUTED) for text in said if text]
    return Fact(labels.role_word(who.role), tuple(lines)) if lines else None


def _registration(number: str | None, full: FullParty) -> str:
    """The state registration, or why there is none."""
    if number:
        return t("State registration {number}", number=number)
    if full.registration_indicator in (None, "1"):
        return ""
    return field_text.meaning("indIEDest", full.registration_indicator)


def _address(address: Address | None, hides: bool) -> list[str]:
    """As on an envelope; of a person whom the settings hide no more than the city."""
    if address is None:
        return []
    city = "/".join(filter(None, (address.city, address.uf)))
    abroad = address.country if address.country_code not in (None, "1058") else None
    if hides:
        return [", ".join(filter(None, (city, abroad)))]
    street = ", ".join(filter(None, (address.street, address.number, address.complement)))
    code = field_text.postal_code(address.postal_code)
    town = ", ".join(filter(None, (address.district, city, f"CEP {code}" if code else None, abroad)))
    phone = t("Telephone {number}", number=address.phone) if address.phone else ""
    return [street, town, phone]


def _row(entry: Party, hidden: bool) -> Fact | None:
    name = labels.person_name(entry.name, entry.tax_id, hidden)
    registration = t("State registration {number}", number=entry.state_registration) if entry.state_registration else ""
    place = "/".join(filter(None, (entry.city, entry.uf)))
    lines = [FactLine(name, STRONG)] if name else []
    lines += [FactLine(text, MUTED) for text in (labels.tax_id_word(entry.tax_id, hidden), registration, place) if text]
    return Fact(labels.role_word(entry.role), tuple(lines)) if lines else None
