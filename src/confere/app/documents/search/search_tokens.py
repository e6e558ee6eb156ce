"""The pieces of a typed search: what each looks like, and the text cut into them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from confere.app.documents.search.search_fields import BY_NAME, kind_words
from confere.app.documents.search.typed_days import NAMES_OF_MONTHS
from confere.system.messages import language
from confere.system.plain_text import folded

# What parts words and nobody looks for: every kind of blank, control characters, marks of direction.
_BLANKS: Final = dict.fromkeys(
    (*range(0x20), *range(0x7F, 0xA1), 0xAD, 0x1680, *range(0x2000, 0x2010), *range(0x2028, 0x2030),
     *range(0x205F, 0x206A), 0x3000, 0xFEFF),
    " ",
)  # fmt: skip
_LABELS: Final = (
    "pedido|ordem|order|orden|protocolo?|chave|key|clave|valor|value|importe|cnpj|cpf|n[uú]mero|number|data|date|fecha"
)
_NAME: Final = "[^\\W\\d_](?:\\w|[\u0300-\u036f]|-(?=\\w))*"  # accents may come as characters of their own
_QUOTED: Final = '["“”][^"“”]*["“”]?'
_END: Final = r'(?=[.!?]*(?:[\s()"“”,;]|$))'  # at most the marks of a sentence may follow
_MONEY: Final = r"[Rr]\$\s*"
_PLAIN: Final = r'[^\s()"“”,;]'
_CENTS: Final = r"(?:\d{1,13},\d{1,2}|\d{1,3}(?:\.\d{3}){1,9},\d{1,2}|\d{1,3}(?:,\d{3}){1,9}\.\d{1,2})"
"""An amount with cents that has a comma in it."""
_BLANK: Final = r"[\s.]{0,2}"  # between the groups of a key
_BEGINNING: Final = r"[1-5]\d{3}\s(?:0[1-9]|1[0-2])\d{2}"
"""Of a key in groups: state, year and month."""
# The first that fits counts. Commas part words, so none looks further than a comma of a list: each word of a long list
# would otherwise read all the others. What a field is compared with is read where it is one (`_VALUE`).
_PATTERNS: Final = {
    "QUOTED": _QUOTED,
    "LPAR": r"\(",
    "RPAR": r"\)",
    "OR": f"(?:OU|OR|ou|or){_END}",
    "AND": f"(?:E|AND|Y|e|and|y){_END}",
    "NOT": f"(?:NÃO|NA\u0303O|NAO|NOT){_END}",
    "FIELD": rf"(?P<name>{_NAME})(?P<gap>\s*)(?P<sign>[<>]=|[<>]|[:=]\s*[<>]=?|[:=])(?!//)(?P<after>\s*)",
    "KEY": rf"(?:(?:NFe|CTe|MDFe|NFCom|NF3e|BPe|CFe|NFS)\s?)?(?:(?:\d[\s.]?){{49}}\d|\d{{4}}{_BLANK}\d{{2}}"
    rf"[0-9A-Za-z]{{2}}(?:{_BLANK}[0-9A-Za-z]{{4}}){{2}}{_BLANK}[0-9A-Za-z]{{2}}\d{{2}}(?:{_BLANK}\d{{4}}){{6}}){_END}",
    "KEY_PART": rf"(?:\d{{4}}(?:\s\d{{4}}){{2,}}(?:\s\d{{1,3}})?|{_BEGINNING}\s\d{{1,3}}|\d{{4}}\s\d{{4}}){_END}",
    "TAX_ID": r"(?:[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}/[0-9A-Za-z]{4}|\d{3}\.\d{3}\.\d{3})"
    rf"-\d{{2}}{_END}",
    "RANGE": rf"(?:{_MONEY})?(?:{_CENTS}|\w{_PLAIN}*?)\.\.(?:{_MONEY}(?=\d))?(?:{_PLAIN}|,)*"
    rf"|\.\.(?:{_MONEY})?\d(?:{_PLAIN}|,)*",
    "MONEY": rf"{_MONEY}\d(?:[\d.,]*\d)?{_END}",
    "AMOUNT": rf"(?:{_CENTS}|\d{{1,13}}\.\d{{1,2}}){_END}",
    "DAY": rf"(?:\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:\d{{4}}|\d{{2}})|\d{{4}}-\d{{1,2}}-\d{{1,2}}){_END}",
    "MONTH": rf"(?:(?:0[1-9]|1[0-2])/\d{{4}}|\d{{4}}-(?:0[1-9]|1[0-2])"
    rf"|(?i:{NAMES_OF_MONTHS})\.?(?:(?:\s*/\s*|\s+de\s+|\s+)\d{{4}}|/\d{{2}})){_END}",
    "MONTH_NAME": rf"(?i:{NAMES_OF_MONTHS})\.?{_END}",
    "DAY_MONTH": rf"(?:0[1-9]|[12]\d|3[01])/(?:0?[1-9]|1[0-2]){_END}",
    "NUMBERED": rf"(?:[Nn]\.?[º°]\.?|#)\s*(?:\d{{1,3}}/)?\d[\d.]{{0,14}}{_END}"
    rf"|\d{{1,3}}/(?:\d{{1,3}}(?:\.\d{{3}}){{1,2}}|\d{{1,9}}){_END}",
    "INTEGER": rf"(?:\d+|\d{{1,3}}(?:\.\d{{3}})+){_END}",
    "LABEL": rf"(?i:{_LABELS})\s+(?=(?:{_MONEY})?\S*\d)",
    "KIND": rf"(?i:notas?)\s+(?i:fisca(?:l|is)){_END}",
    "MINUS": r"-(?=[^\s-])",
    "COMMA": "[,;]+",
    "WORD": f"{_PLAIN}+",
}
_VALUE: Final = rf'{_QUOTED}|(?:[^\s"“”()]|(?<=[Rr]\$)\s+(?=\d))*'
_SPANISH: Final = {"O": "OR", "NO": "NOT"}
"""Spanish words that join while Spanish is in use: in Portuguese they are `the` and `in the` of an upper-case text.
The others mean nothing else in any of our languages."""
_SPACE_IN: Final = re.compile(r"\s+")

_FIGURES: Final = frozenset(
    {"INTEGER", "NUMBERED", "AMOUNT", "MONEY", "KEY", "KEY_PART", "TAX_ID", "DAY", "DAY_MONTH", "MONTH", "RANGE"}
)
LEAVES: Final = ("QUOTED", "FIELD", "KIND", "MONTH_NAME", "WORD", *sorted(_FIGURES))
"""The kinds of the tokens that something is looked for by; all others join them."""
ALL: Final = (*LEAVES, "LPAR", "RPAR", "OR", "AND", "NOT", "MINUS", "COMMA")


class Token(NamedTuple):
    """A piece of the text from `start` to `end`. Of a field its `name`, `sign` and where its `value` begins."""

    kind: str
    start: int
    end: int
    text: str
    name: str = ""
    sign: str = ""
    value: str = ""
    value_start: int = 0


def tokens(text: str) -> tuple[Token, ...]:
    """The pieces of `text`, without what only parts them. Never raises."""
    text = blanked(text)
    cut: list[Token] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        token = _token(text, place)
        place = token.end
        if token.kind != "LABEL":
            cut.append(token)
    return _joints_only_between(cut)


def blanked(text: str) -> str:
    """`text`, as long as it is, with a blank for each sign that only parts words."""
    return text.translate(_BLANKS)


def in_every_language(text: str) -> str:
    """`text` so that it means the same whichever language is in use when it is read again."""
    for token in reversed(tokens(text)):
        if token.text in _SPANISH and token.kind == _SPANISH[token.text]:
            text = f"{text[: token.start]}{token.kind}{text[token.end :]}"
    return text


def is_blank(token: Token) -> bool:
    """Whether there is no letter or digit in it, so that nothing can be looked for by it."""
    return token.kind in ("WORD", "QUOTED") and not any(map(str.isalnum, token.text))


@cache
def _token_pattern() -> re.Pattern[str]:
    """Compiled with the first search: a start without one does not pay for it."""
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items()))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _token(text: str, place: int) -> Token:
    match = _token_pattern().match(text, place)
    assert match is not None
    kind = match.lastgroup or "WORD"
    if match["FIELD"] is not None:
        kind = "FIELD"
        field = _field(match, text)
        if field is not None:
            return field
        match = _compiled(_PATTERNS["WORD"]).match(text, place) or match
        kind = "WORD"
    token = Token(kind, match.start(), match.end(), match.group())
    if kind in _FIGURES and any(sign.isdigit() and not sign.isascii() for sign in token.text):
        kind, token = "WORD", token._replace(kind="WORD")  # digits of other scripts are letters here
    if kind == "WORD" and token.text in _SPANISH and language() == "es":
        return token._replace(kind=_SPANISH[token.text])
    if kind == "WORD" and folded(token.text) in kind_words():
        return token._replace(kind="KIND")
    return token


def _field(match: re.Match[str], text: str) -> Token | None:
    """The field that it plainly is: a name we know or, unknown, close around its sign."""
    sign = _SPACE_IN.sub("", match["sign"])
    known = folded(match["name"]) in BY_NAME
    if not known and (match["gap"] or match["after"] or sign[0] == "="):
        return None
    if sign[0] in ":=":
        sign = sign[1:] or ":"
    start, value_start = match.start("FIELD"), match.end("FIELD")
    read = _compiled(_VALUE).match(text, value_start)
    value = read.group() if read else ""
    following = _compiled(_PATTERNS["FIELD"]).match(text, value_start) if match["after"] else None
    if following is not None and folded(following["name"]) in BY_NAME:
        value = ""  # the next field, not the value of this one
    if not value:
        return Token("FIELD", start, match.end("sign"), text[start : match.end("sign")], match["name"], sign)
    end = value_start + len(value)
    return Token("FIELD", start, end, text[start:end], match["name"], sign, value, value_start)


def _joints_only_between(cut: list[Token]) -> tuple[Token, ...]:
    """A comma stays between two figures, `e` and `ou` in small letters between two operands; else they are words."""
    kept: list[Token] = []
    for place, token in enumerate(cut):
        before, after = kept[-1] if kept else None, cut[place + 1] if place + 1 < len(cut) else None
        if token.kind == "COMMA":
            if before is None or after is None or not {before.kind, after.kind} <= _FIGURES:
                continue
        elif token.kind in ("OR", "AND") and token.text.islower() and not (_ends(before) and _begins(after)):
            token = token._replace(kind="WORD")
        kept.append(token)
    return tuple(kept)


def _ends(token: Token | None) -> bool:
    return token is not None and (token.kind == "RPAR" or token.kind in LEAVES)


def _begins(token: Token | None) -> bool:
    return token is not None and token.kind in ("LPAR", "NOT", "MINUS", *LEAVES)
