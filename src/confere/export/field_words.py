"""The names in braces of file and folder names, in the languages of the program: `{empresa}` is `{company}`.

A template is kept with the English names and shown with the user's; it is read with those of any language.
"""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import Final

from confere.system import messages

# By language; without accents, as they are typed into names of files.
_WORDS: Final = {
    "company": {"pt_BR": "empresa", "es": "empresa"},
    "month": {"pt_BR": "mes", "es": "mes"},
    "kind": {"pt_BR": "familia", "es": "familia"},
    "direction": {"pt_BR": "sentido", "es": "sentido"},
    "type": {"pt_BR": "tipo", "es": "tipo"},
    "model": {"pt_BR": "modelo", "es": "modelo"},
    "state": {"pt_BR": "situacao", "es": "situacion"},
    "key": {"pt_BR": "chave", "es": "clave"},
    "ending": {"pt_BR": "final", "es": "final"},
    "series": {"pt_BR": "serie", "es": "serie"},
    "number": {"pt_BR": "numero", "es": "numero"},
    "day": {"pt_BR": "dia", "es": "dia"},
    "emitter": {"pt_BR": "emitente", "es": "emisor"},
    "recipient": {"pt_BR": "destinatario", "es": "destinatario"},
    "code": {"pt_BR": "codigo", "es": "codigo"},
    "sequence": {"pt_BR": "sequencia", "es": "secuencia"},
    "uf": {"pt_BR": "uf", "es": "uf"},
    "year": {"pt_BR": "ano", "es": "anio"},
    "first": {"pt_BR": "primeiro", "es": "primero"},
    "last": {"pt_BR": "ultimo", "es": "ultimo"},
}
_FIELDS: Final = {word: field for field, words in _WORDS.items() for word in (field, *words.values())}


def word(field: str) -> str:
    """What the user's language calls `field`."""
    return _WORDS.get(field, {}).get(messages.language(), field)


def field_of(name: str) -> str:
    """The field that `name` is the word for, in any language; a name that is not known stays as it is."""
    return _FIELDS.get(name.lower(), name)


def shown(template: str) -> str:
    """`template` with the names of the user's language."""
    return _renamed(template, lambda name: word(field_of(name)))


def kept(template: str) -> str:
    """`template` with the English names, as it is kept."""
    return _renamed(template, field_of)


def _renamed(template: str, name_of: Callable[[str], str]) -> str:
    """One that cannot be read stays as it is: who types it is told why elsewhere."""
    try:
        pieces = list(Formatter().parse(template))
    except ValueError:
        return template
    written = []
    for literal, name, zeros, conversion in pieces:
        written.append(literal.replace("{", "{{").replace("}", "}}"))
        if name is not None:
            behind = (f"!{conversion}" if conversion else "") + (f":{zeros}" if zeros else "")
            written.append("{" + name_of(name) + behind + "}")
    return "".join(written)
