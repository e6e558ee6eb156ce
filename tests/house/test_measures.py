"""Each measure on a small invented package: what it counts, and what it leaves alone."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

from tests.house.measure import measure, of_revision, table
from tests.house.measures.circles import EVER, circles, folder_circles, hidden_circles
from tests.house.measures.documented import documented, rules, vague_variables
from tests.house.measures.sizes import folder_widths, largest, lines, lines_of_code
from tests.house.measures.source import Tree, load, module_of
from tests.house.measures.sql import PositionalRead, Reading, positional_reads, sql_literals
from tests.house.measures.values import Twins, ValueKind, shared_class_names, twins, value_classes


def tree(**files: str) -> Tree:
    """Modules by path, `__` for a folder: `house__room__chair` is `house/room/chair.py`."""
    return tuple(module_of(Path(*f"{name}.py".split("__")), textwrap.dedent(text)) for name, text in files.items())


def reads(text: str, name: str = "confere__archive__notes") -> list[Reading]:
    return [read.how for read in positional_reads(tree(**{name: text}))]


def test_modules_are_named_by_where_they_lie(tmp_path: Path) -> None:
    (tmp_path / "house" / "room").mkdir(parents=True)
    (tmp_path / "house" / "__init__.py").write_text("")
    (tmp_path / "house" / "room" / "chair.py").write_text("LEGS = 4\n")
    loaded = load(tmp_path)
    assert [(module.name, module.folder, module.root) for module in loaded] == [
        ("house", "house", "house"),
        ("house.room.chair", "house.room", "house"),
    ]


def test_lines_of_code_are_neither_blank_nor_words() -> None:
    (module,) = tree(
        a='''\
        """Of what
        it is."""

        # why
        LEGS = """
        # four
        """
        """About legs."""


        def sit() -> None:  # a comment beside code
            """Down."""
            return None
        '''
    )
    assert (lines(module), lines_of_code(module)) == (13, 4)  # a line like a comment in a string is taken for one


def test_folders_are_as_wide_as_the_modules_right_in_them() -> None:
    modules = tree(house__a="x = 1", house__b="", house__room__c="x = 1\ny = 2")
    package = module_of(Path("house/room/__init__.py"), "")
    assert folder_widths((*modules, package)) == [("house", 2), ("house.room", 1)]
    assert largest(modules)[0] == ("house.room.c", 2)


def test_circles_of_loading() -> None:
    modules = tree(
        house__a="from house import b",
        house__b="import house.c",
        house__c="from house.a import LEGS",
        house__d="from house.a import LEGS\nfrom elsewhere import x",
    )
    assert circles(modules) == [("house.a", "house.b", "house.c")]
    assert hidden_circles(modules) == []


def test_relative_imports_close_circles_too() -> None:
    assert circles(tree(house__a="from . import b", house__b="from .a import LEGS")) == [("house.a", "house.b")]


def test_circles_that_loading_does_not_close() -> None:
    modules = tree(
        house__a="from house import b, d",
        house__b="def late():\n    from house import a",
        house__c="from house import d",
        house__d="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.c import x\nelse:\n    x = 1",
    )
    assert circles(modules) == []
    assert hidden_circles(modules) == circles(modules, EVER) == [("house.a", "house.b"), ("house.c", "house.d")]


def test_an_import_in_a_branch_that_loads_counts() -> None:
    modules = tree(house__a="try:\n    from house import b\nexcept ImportError:\n    pass", house__b="import house.a")
    assert circles(modules) == [("house.a", "house.b")]


def test_circles_of_folders_without_one_of_modules() -> None:
    modules = tree(
        house__one__a="from house.two import b",
        house__two__b="",
        house__two__c="from house.one import d",
        house__one__d="",
    )
    assert circles(modules) == []
    assert folder_circles(modules) == [("house.one", "house.two")]


def test_a_folder_and_one_in_it_are_no_circle() -> None:
    modules = tree(house__a="from house.room import b", house__room__b="from house import c", house__c="")
    assert folder_circles(modules) == []


FIVE = "    a: int\n    b: int\n    c: int\n    d: int\n"


def test_value_classes_and_their_own_fields() -> None:
    (data, pair) = value_classes(
        tree(
            house__a=f"@dataclass(frozen=True)\nclass Chair(Thing):\n    legs: ClassVar[int] = 4\n{FIVE}",
            house__b="class Pair(NamedTuple):\n    one: int\n    other: int = 0\nclass Plain:\n    x: int",
        )
    )
    assert (data.name, data.kind, data.fields) == ("Chair", ValueKind.DATACLASS, ("a", "b", "c", "d"))
    assert (pair.name, pair.kind, pair.fields) == ("Pair", ValueKind.NAMED_TUPLE, ("one", "other"))


def test_twins_share_five_names() -> None:
    modules = tree(
        house__a=f"@dataclass\nclass Chair:\n{FIVE}    e: int",
        house__b=f"class Stool(NamedTuple):\n    e: str\n    z: int\n{FIVE}",
        house__c=f"@dataclass\nclass Four:\n{FIVE}    y: int",
        shed__d=f"@dataclass\nclass Chair:\n{FIVE}    e: int",
    )
    assert twins(modules) == [Twins("house.a.Chair", "house.b.Stool", ("a", "b", "c", "d", "e"))]
    assert len(twins(modules, fields=4)) == 3


def test_a_field_of_one_class_that_two_inherit_makes_no_twins() -> None:
    modules = tree(
        house__a=f"@dataclass\nclass Seat:\n{FIVE}    e: int\n@dataclass\nclass Chair(Seat):\n    legs: int",
        house__b="@dataclass\nclass Stool(Seat):\n    legs: int\n",
        house__c=f"@dataclass\nclass Bench:\n{FIVE}    e: int\n",
    )
    assert [(pair.one, pair.other) for pair in twins(modules)] == [("house.a.Seat", "house.c.Bench")]


def test_inherited_fields_count_beside_own_ones() -> None:
    modules = tree(
        house__a=f"@dataclass\nclass Seat:\n{FIVE}\n@dataclass\nclass Chair(Seat):\n    e: int",
        house__c=f"@dataclass\nclass Bench:\n{FIVE}    e: int\n",
    )
    assert [(pair.one, pair.other) for pair in twins(modules)] == [("house.a.Chair", "house.c.Bench")]


def test_class_names_of_two_meanings() -> None:
    modules = tree(
        house__a="class Kind: ...\nclass _Own: ...",
        house__b="class Kind: ...\nclass _Own: ...\nclass Single:\n    class Kind: ...",
        shed__c="class Single: ...",
    )
    assert shared_class_names(modules) == {"Kind": ["house.a", "house.b"]}


def test_rows_read_by_number() -> None:
    text = """
    def all_of(transaction):
        rows = transaction.fetch("SELECT a, b FROM t")
        first = transaction.first("SELECT a, b FROM t")
        for one in rows:
            print(one[0], one[-1])
        return first[1], {note[0]: 1 for note in sorted(rows)}, transaction.first("…")[0]
    """
    assert reads(text) == [Reading.INDEX] * 5


def test_rows_passed_as_arguments() -> None:
    text = """
    def all_of(transaction):
        return [Note(*line) for line in transaction.rows("…")], Note(*transaction.first("…")[1:]), print(*names)
    """
    assert reads(text) == [Reading.STAR] * 2


def test_rows_taken_apart_into_many_names() -> None:
    text = """
    def all_of(transaction):
        for a, b, c, d in transaction.fetch("…"):
            pass
        for a, b, c, d, *e in transaction.fetch("…"):
            pass
        a, b, c, d, e = transaction.first("…")
        return [a for a, b, c, d, e in others]
    """
    assert reads(text) == [Reading.UNPACKING] * 2


def test_rows_that_functions_declare() -> None:
    text = """
    from house.transaction import Row

    def of(line: Row, lines: list[Row], other: int):
        return line[0], [one[0] for one in lines], other[0], made()[0][1]

    def made() -> list[Row]: ...
    """
    assert reads(text) == [Reading.INDEX] * 3
    assert reads(text, "confere__desktop__page") == [Reading.INDEX] * 3
    assert reads(text.replace("transaction", "table"), "confere__desktop__page") == []


def test_what_is_called_row_is_one_in_the_archive_alone() -> None:
    text = "def of(row):\n    return row[0], row['name'], row.name, cells[0]"
    assert reads(text) == [Reading.INDEX]
    assert reads(text, "confere__desktop__page") == []


def test_where_rows_are_read() -> None:
    text = "def of(transaction):\n    return transaction.first('…')[0]"
    (inside,) = positional_reads(tree(confere__archive__orders__notes=text))
    (outside,) = positional_reads(tree(confere__app__notes=text))
    assert isinstance(inside, PositionalRead) and inside.is_in_archive and not outside.is_in_archive
    assert outside.place == ("confere.app.notes", 2)


def test_sql_outside_the_archive() -> None:
    modules = tree(
        confere__archive__a="Q = 'SELECT a FROM t'",
        confere__app__b='''\
        """SELECT a FROM t is what this is about."""
        Q = "SELECT a, b"
        R = f"SELECT {column} FROM {table}"
        S = "UPDATE t SET a = 1"
        T = ("DELETE " "FROM t", "insert into the box", "SELECT a file", "Update your settings")
        ''',
    )
    assert [place.line for place in sql_literals(modules)] == [3, 4, 5]


def test_docstrings_of_what_is_public() -> None:
    modules = tree(
        house__a='''\
        def sit():
            """Down."""
        def stand(): ...
        def _own(): ...
        class Chair:
            """To sit."""
            def __init__(self): ...
            def turn(self): ...
            def _squeak(self): ...
        '''
    )
    assert documented(modules, "function") == (1, 2)
    assert documented(modules, "class") == (1, 1)
    assert documented(modules, "method") == (0, 1)


def test_rules_and_their_sources() -> None:
    modules = tree(
        confere__reconcile__rules__goods__r1='RULE: Final = Rule("R1")\ndef find():\n    """Source: MOC 7.0."""',
        confere__reconcile__rules__r2='RULE = Rule("R2")\n# Source: a comment is no docstring',
        confere__reconcile__rules__shared="def help(): ...",
        confere__fiscal__state='''def is_it():
    """Source: NT 1."""
def other():
    """None."""
def _own(): ...''',
    )
    assert rules(modules) == {
        "confere.reconcile.rules.goods.r1": True,
        "confere.reconcile.rules.r2": False,
        "confere.fiscal.state.is_it": True,
        "confere.fiscal.state.other": False,
    }


def test_variables_that_say_nothing() -> None:
    text = "def f(told, name):\n    found = [entry for entry in name]\n    _found, foundry = found, told"
    assert dict(vague_variables(tree(house__a=text))) == {"told": 1, "found": 1, "entry": 1, "_found": 1}


def test_the_table_stands_side_by_side() -> None:
    before = measure(tree(house__a="import house.b", house__b="import house.a"))
    after = measure(tree(house__a="x = 1"))
    shown = {line.split("  ")[0]: line.split()[-2:] for line in table({"old": before, "new": after}).splitlines()[1:]}
    assert shown["modules"] == ["2", "1"]
    assert shown["circles of modules"] == ["1", "0"]
    assert before.lists["circles of modules"] == ["house.a house.b"]
    assert before.figures.keys() == after.figures.keys()


def test_a_revision_is_read_from_git(tmp_path: Path) -> None:
    (tmp_path / "src" / "house").mkdir(parents=True)
    (tmp_path / "src" / "house" / "a.py").write_text("x = 1\n")
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "One module")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "src" / "house" / "a.py").write_text("x = 2\n")
    assert [module.text for module in of_revision("HEAD", tmp_path)] == ["x = 1\n"]


def test_the_house_itself_is_measured(house: Tree) -> None:
    """What the guards stand on is seen in the real tree."""
    assert len(rules(house)) >= 25
    assert any(value.name == "Document" for value in value_classes(house))
    assert documented(house, "function")[1] > 1000
