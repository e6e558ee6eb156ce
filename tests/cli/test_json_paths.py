"""The names of attributes in JSON shapes, which no type checker sees, are there and are of kinds that JSON takes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from confere import cli
from tests.cli import json_paths
from tests.cli.json_paths import NoSuchName

_SOURCES = Path(str(cli.__file__)).parent
_MODULES = sorted(
    ".".join(("confere.cli", *path.relative_to(_SOURCES).with_suffix("").parts))
    for path in _SOURCES.rglob("*.py")
    if path.stem != "encoder" and any(f"{call}(" in path.read_text(encoding="utf-8") for call in json_paths.CALLS)
)


@pytest.mark.parametrize("module", _MODULES)
def test_every_name_of_a_shape_is_an_attribute(module: str) -> None:
    wrong = []
    named = list(json_paths.named_in(module))
    for each in named:
        try:
            kind = json_paths.kind_at(each.kind, each.path)
        except NoSuchName as missing:
            wrong.append(f"{each.where}: {missing}")
        else:
            if each.is_money and json_paths.without_none(kind) is not int:
                wrong.append(f"{each.where}: {each.path} is no amount in centavos")
    assert named
    assert wrong == []


@pytest.mark.parametrize(
    ("names", "money"),
    [
        (("stored.stat",), ()),  # misspelt at the end
        (("storde.state",), ()),  # and at the beginning
        (("period",), ()),  # of its finding
        (("rule=finding.rules",), ()),
        (("id",), ("amount",)),  # a key that is none of the names
        (("title",), ("title",)),  # a text as money
    ],
)
def test_a_name_that_is_no_attribute_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], money: tuple[str, ...]
) -> None:
    (tmp_path / "misspelt_shape.py").write_text(
        "from confere.app.reconciliation.queries import FindingRow\n"
        "from confere.cli.json.encoder import fields_of\n"
        f"NAMES = {names}\n"
        "def shape(row: FindingRow) -> object:\n"
        f"    return fields_of(row, 'account', *NAMES, money={money})\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "misspelt_shape", raising=False)
    with pytest.raises(AssertionError):
        test_every_name_of_a_shape_is_an_attribute(import_module("misspelt_shape").__name__)
