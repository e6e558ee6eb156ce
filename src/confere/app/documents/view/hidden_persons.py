"""Keeps natural persons out of sight in fields as written, where the settings say so (LGPD)."""

from __future__ import annotations

from confere.app.labels import labels
from confere.fiscal import taxpayers
from confere.fiscal.detail import Fields

HIDDEN = "•••"
_NAMES = frozenset({"xNome", "xContato", "xFant", "nome"})
_ALWAYS = "xContato"  # a person, though of a company
_WHERE = frozenset({"xLgr", "nro", "xCpl", "xBairro", "CEP", "fone", "email", "IE"})


def is_person(tax_id: str | None) -> bool:
    """Whether this may be a natural person: only a CNPJ says that it is none."""
    return not (tax_id and taxpayers.CNPJ_SHAPE.fullmatch(taxpayers.normalise(tax_id)))


def hide(fields: Fields) -> Fields:
    """The same fields with what tells of a person left out: whoever stands in a group without a CNPJ may be one."""
    companies = {_group(path) for path, _ in fields if _tag(path) == "CNPJ"}
    companies -= {_group(path) for path, _ in fields if _tag(path) == "CPF"}
    return tuple((path, _hidden(path, text, companies)) for path, text in fields)


def _hidden(path: str, text: str, companies: set[str]) -> str:
    tag, group = _tag(path), _group(path)
    if tag == "CPF":
        return labels.tax_id_word(text, hidden=True)
    if tag != _ALWAYS and _is_within(group, companies):
        return text
    if tag in _NAMES:
        return labels.person_name(text, None, hidden=True)
    return HIDDEN if tag in _WHERE else text


def _is_within(group: str, companies: set[str]) -> bool:
    """Whether the group is a company's, or a part of one, as its address is."""
    return any(group == known or group.startswith(f"{known}/") for known in companies)


def _tag(path: str) -> str:
    return path.rpartition("/")[2].rpartition("@")[2]


def _group(path: str) -> str:
    return path.rpartition("/")[0]
