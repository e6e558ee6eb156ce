"""Every rule of reconciliation and of a document's state names the law or manual that it comes from."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import ROOT
from tests.house.measures.documented import rules
from tests.house.measures.source import load, module_of

RULE = """'''R99: something new.'''\nRULE = Rule("R99")\n\ndef find(view):\n    return ()\n"""


def test_every_rule_names_its_source() -> None:
    sources = rules(load(ROOT / "src"))
    assert len(sources) > 25
    assert [rule for rule, is_named in sources.items() if not is_named] == []


def test_a_rule_without_one_is_seen() -> None:
    path = Path("confere/reconcile/rules/orders/r99_new.py")
    assert rules((module_of(path, RULE),)) == {"confere.reconcile.rules.orders.r99_new": False}
    assert rules((module_of(path, RULE.replace("new.", "new. Source: a law.")),)) == {
        "confere.reconcile.rules.orders.r99_new": True
    }
