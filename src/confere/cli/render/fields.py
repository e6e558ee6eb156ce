"""How a terminal writes what a paper says in codes and tags: fields with their names, parties, addresses, taxes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from decimal import Decimal

from rich.console import RenderableType
from rich.text import Text

from confere.cli import tables
from confere.cli.render import labels
from confere.fiscal.detail import Address, Fields, FullParty, Tax
from confere.fiscal.law import codes
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

Facts = list[tuple[str, object]]
_NUMBER = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,10}")
_AMOUNT = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")
_MONEY = re.compile(r"v[A-Z]\w*")
_RATE = re.compile(r"p[A-Z]\w*")
_NO_MONEY = frozenset({"vAliq", "vEncIni", "vEncFin"})  # the rate of the ISS, and the meters of a pump
_NO_NUMBER = re.compile(r"(?:[cnx][A-Z]|id[A-Z]|ver)\w*")  # codes, numbers of papers and words: 3.10 is a version there
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(?:Z|[+-][0-9:]{4,6})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DEEPEST = 6  # groups around a field that are looked at
_TECHNICAL = frozenset({"versao", "versaoEvento", "versaoModal"})


def section(made: list[RenderableType], title: str, *what: RenderableType) -> None:
    """A title with what stands below it."""
    made += [Text(""), Text(plain(title), style="bold"), *what]


def facts_section(made: list[RenderableType], title: str, facts: Facts) -> None:
    """A section of labels and values; nothing where none of them has a value."""
    if any(value not in (None, "") for _, value in facts):
        section(made, title, tables.facts((plain(label), value) for label, value in facts))


def fields(found: Fields, *, zeros: bool = True) -> Facts:
    """Every field of a group but versions of layouts; where two have the same name, their groups tell them apart.

    Without `zeros` amounts of nothing are left out; the total of a note stays.
    """
    told = [(path, text) for path, text in found if _tag_of(path) not in _TECHNICAL]
    names = _names([path for path, _ in told])
    return [(plain(names[path]), value(path, text)) for path, text in told if zeros or not _is_nothing(path, text)]


def _names(paths: Collection[str]) -> dict[str, str]:
    """What each of these is called: its name; where others are called so, with the nearest group that tells it apart.

    Where no single group does, with all groups around it.
    """
    names: dict[str, str] = {}
    left = set(paths)
    for depth in range(_DEEPEST):
        called = {path: _name_within(path, depth) for path in left}
        often = Counter(called.values())
        names |= {path: said for path, said in called.items() if often[said] == 1}
        left -= names.keys()
    for path in left:
        groups_around = ", ".join(name(group) for group in path.split("/")[:-1])
        names[path] = f"{name(path)} ({groups_around})" if groups_around else name(path)
    return names


def _name_within(path: str, depth: int) -> str:
    """With the name of the group so many steps above, where there is one."""
    above = path.split("/")[:-1]
    return f"{name(path)} ({name(above[-depth])})" if 0 < depth <= len(above) else name(path)


def name(path: str) -> str:
    """What a field is called; its tag where it has no name."""
    known = codes.label(path)
    return render(known) if known is not None else _tag_of(path)


def group_name(group: str) -> str:
    """The title of a group of fields, such as `ICMSTot`."""
    return t("Identification") if group == "ide" else name(group)


def value(path: str, text: str) -> str:
    """A field's text as people read it: numbers and moments in their manner, codes with their meaning."""
    tag = _tag_of(path)
    known = codes.word(tag, text)
    if known is not None:
        return f"{text} – {render(known)}"
    if _MONEY.fullmatch(tag) and tag not in _NO_MONEY and _AMOUNT.fullmatch(text):
        return price(Decimal(text))
    pattern = _AMOUNT if _RATE.fullmatch(tag) else _NUMBER
    if pattern.fullmatch(text) and not _NO_NUMBER.fullmatch(tag):
        return number(Decimal(text), 2)
    if _MOMENT.fullmatch(text):
        return formatting.moment(text)
    return formatting.date(text) if _DAY.fullmatch(text) else text


def word(tag: str, code: str | None) -> str:
    """What a code means, after the code itself; empty for none."""
    known = codes.word(tag, code)
    return f"{code} – {render(known)}" if known is not None else code or ""


def number(found: Decimal | None, least: int = 0) -> str:
    """A decimal without needless zeros, with at least `least` decimals. None is empty."""
    if found is None:
        return ""
    exponent = found.normalize().as_tuple().exponent
    return formatting.decimal(found, max(least, -exponent if isinstance(exponent, int) else 0))


def price(found: Decimal | None) -> str:
    """An amount of money with all its decimals, of which a unit price has up to ten. None is empty."""
    if found is None:
        return ""
    whole, _, digits = f"{abs(found):f}".partition(".")
    digits = digits.rstrip("0").ljust(2, "0")
    return f"{'-' if found < 0 else ''}{formatting.money(int(whole + digits[:2]))}{digits[2:]}"


def tax_line(tax: Tax) -> tuple[str, str]:
    """A tax in one line: its name with its group; situation, base, rate and amount."""
    title = name(tax.name)
    if tax.group != tax.name:
        title = f"{title} ({tax.group})"
    meaning = codes.situation(tax.name, tax.cst)
    situation = f"CST {tax.cst}" if tax.cst else ""
    if meaning is not None:
        situation = f"{situation} {render(meaning)}"
    base = formatting.money(tax.base_cents)
    rate = f"{number(tax.rate, 2)} %" if tax.rate is not None else ""
    counted = " × ".join(filter(None, (base, rate)))
    return title, " · ".join(filter(None, (situation, counted, formatting.money(tax.amount_cents))))


def tax_facts(tax: Tax) -> Facts:
    """A tax in one line, and below it every field that this line does not tell."""
    rest = tuple(entry for entry in tax.fields if entry[0] not in ("CST", "CSOSN") or entry[1] != tax.cst)
    return [tax_line(tax), *((f"  {label}", text) for label, text in fields(rest))]


def party_facts(found: FullParty) -> Facts:
    """One party under its role, with all that the paper says of it."""
    who = found.party
    return [
        (labels.role_word(who.role), who.name or labels.tax_id_word(who.tax_id)),
        (t("Trade name"), found.trade_name if found.trade_name != who.name else None),
        (t("CNPJ or CPF"), labels.tax_id_word(who.tax_id)),
        (t("State registration"), who.state_registration or word("indIEDest", found.registration_indicator)),
        (t("IE of the substitute"), found.substitute_registration),
        (t("City registration"), found.municipal_registration),
        (t("Tax regime"), word("CRT", found.tax_regime)),
        ("CNAE", found.cnae),
        ("SUFRAMA", found.suframa),
        (t("Address"), address(found.address) or "/".join(filter(None, (who.city, who.uf)))),
        (t("Telephone"), found.address.phone if found.address is not None else None),
        (t("E-mail"), found.email),
    ]


def address(found: Address | None) -> str:
    """As on an envelope, in one line."""
    if found is None:
        return ""
    code = found.postal_code or ""
    code = f"{code[:5]}-{code[5:]}" if len(code) == 8 and code.isdecimal() else code
    street = ", ".join(filter(None, (found.street, found.number, found.complement)))
    city = "/".join(filter(None, (found.city, found.uf)))
    abroad = found.country if found.country_code not in (None, "1058") else None
    return ", ".join(filter(None, (street, found.district, city, f"CEP {code}" if code else None, abroad)))


def groups(made: list[RenderableType], title: str, found: Iterable[tuple[str, Fields]], *, zeros: bool = True) -> None:
    """Groups of fields under one title, each by its own name; a group that tells nothing is left out."""
    facts: Facts = []
    for group, entries in found:
        told = fields(entries, zeros=zeros)
        if told:
            facts += [(plain(group_name(group)), " "), *((f"  {label}", text) for label, text in told)]
    facts_section(made, title, facts)


def _is_nothing(path: str, text: str) -> bool:
    is_money = path != "vNF" and _MONEY.fullmatch(_tag_of(path)) is not None
    return is_money and _AMOUNT.fullmatch(text) is not None and not Decimal(text)


def _tag_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition("@")[2]
