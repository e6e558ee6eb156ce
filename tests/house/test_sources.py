"""Every rule names its source: those of the reconciliation, and what `confere.fiscal` decides about a document."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

from confere.reconcile.rules.registry import RULES
from tests.conftest import ROOT
from tests.house.measures.documented import rules
from tests.house.measures.source import module_of
from tests.house.measures.sources import deciding_functions, source_of

SOURCE = ROOT / "src"
TREE = tuple(
    module_of(path.relative_to(SOURCE), path.read_text(encoding="utf-8"))
    for room in ("fiscal", "reconcile")
    for path in sorted((SOURCE / "confere" / room).rglob("*.py"))
)
RULE = """'''R99: something new.'''\nRULE = Rule("R99")\n\ndef find(view):\n    return ()\n"""
KINDS = re.compile(
    r"(MOC |NT \d{4}\.\d{3}|Ajustes? SINIEF |Convênio s/nº|LC \d|Decreto |Instrução Normativa RFB |Receita Federal|"
    r"Medida Provisória |DOC-ICP-|RFC \d|W3C |the XSD |hub specification, section |field notes, section |"
    r"reconciliation rules, |each line names its own|a rule of this program, no law: )"
)
"""How a source begins: what a reader can look up, or the plain word that no law stands behind it."""
SAME_AS = re.compile(r"as `([\w.]+)`")
RULE_CITED = re.compile(r"reconciliation rules, (R\d+[a-c]?)\b")


def test_every_module_of_a_rule_names_the_law_or_manual() -> None:
    sources = rules(TREE)
    assert len(sources) > 25
    assert [rule for rule, is_named in sources.items() if not is_named] == []


def test_every_registered_rule_names_its_source() -> None:
    sources = {entry.rule.id: source_of(_cleaned(entry.find.__doc__)) for entry in RULES}
    assert {rule for rule, source in sources.items() if not KINDS.match(source)} == set()
    for rule, source in sources.items():
        cited = RULE_CITED.match(source)
        assert cited is None or cited[1] == rule, f"{rule} names the source of {cited[1]}"


def test_every_rule_of_the_source_is_registered() -> None:
    registered = {entry.find.__module__ for entry in RULES}
    assert {name for name in rules(TREE) if ".reconcile." in name} == registered


def test_every_kind_of_link_names_its_source() -> None:
    sources = {
        node.name: source_of(ast.get_docstring(node))
        for module in TREE
        if module.name.startswith("confere.reconcile.linking.")
        for node in module.syntax.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("link_")
    }
    assert {name for name, source in sources.items() if not source.startswith("reconciliation rules, Links, ")} == set()
    assert {source.removeprefix("reconciliation rules, Links, ")[:1] for source in sources.values()} == set("123456")


def test_whatever_decides_about_a_document_names_its_source() -> None:
    deciding = deciding_functions(TREE)
    assert [f"{one.module}.{one.name}" for one in deciding if not one.source] == []
    named = {f"{one.module}.{one.name}" for one in deciding} | {module.name for module in TREE}
    for one in deciding:
        same = SAME_AS.match(one.source)
        if same is not None:
            assert {same[1], f"{one.module}.{same[1]}"} & named, f"{one.module}.{one.name}: {one.source}"
        else:
            assert KINDS.match(one.source), f"{one.module}.{one.name}: {one.source}"


def test_the_walk_meets_what_decides() -> None:
    met = {f"{one.module}.{one.name}".removeprefix("confere.fiscal.") for one in deciding_functions(TREE)}
    assert {
        "state.effective_state",
        "operations.classify",
        "state_evidence.standing",
        "warnings.asks_attention",
        "access_keys.check_digit",
        "authenticity.key_checks.key_fields",
        "authenticity.schemas.SchemaSet.line",
    } <= met


def test_a_new_module_of_a_rule_without_one_is_seen() -> None:
    path = Path("confere/reconcile/rules/orders/r99_new.py")
    assert rules((module_of(path, RULE),)) == {"confere.reconcile.rules.orders.r99_new": False}
    assert rules((module_of(path, RULE.replace("new.", "new. Source: a law.")),)) == {
        "confere.reconcile.rules.orders.r99_new": True
    }


def test_a_new_decision_without_a_source_is_found() -> None:
    module = module_of(
        Path("confere", "fiscal", "customs.py"),
        textwrap.dedent(
            '''\
            from dataclasses import dataclass
            from enum import StrEnum


            class Channel(StrEnum):
                GREEN = "green"


            @dataclass
            class Ruling:
                channel: Channel

                def is_green(self) -> bool:
                    return self.channel is Channel.GREEN


            class Officer:
                def rule(self) -> Ruling:
                    """By the book."""


            def channel(code: str) -> Ruling | None:
                """Which channel."""


            def shown(code: str) -> str:
                """As it is shown.

                Source: MOC 7.0,
                annex I.
                """


            def _hidden() -> bool:
                return True
            '''
        ),
    )
    words = module_of(Path("confere", "fiscal", "words.py"), 'def upper(text: str) -> str:\n    """In capitals."""\n')
    reader = module_of(Path("confere", "fiscal", "reading", "flags.py"), "def is_there() -> bool: ...\n")
    assert deciding_functions((module, words, reader)) == [
        ("confere.fiscal.customs", "channel", ""),
        ("confere.fiscal.customs", "shown", "MOC 7.0, annex I."),
        ("confere.fiscal.customs", "Officer.rule", ""),
    ]


def _cleaned(docstring: str | None) -> str:
    first, _, rest = (docstring or "").partition("\n")
    return f"{first}\n{textwrap.dedent(rest)}"
