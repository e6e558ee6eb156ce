"""Mutants on a small invented project: what is changed, what is left alone, which tests are near, what is noticed."""

from __future__ import annotations

import random
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.house.measures.source import Tree, module_of
from tests.house.mutants import draw
from tests.house.mutation.mutant import Mutant, is_code, mutants_of
from tests.house.mutation.nearest import nearest_tests
from tests.house.mutation.rooms import ROOMS, UnknownRoom, modules_of
from tests.house.mutation.trial import Fate, Trial


def changed(text: str) -> dict[str, list[str]]:
    """The lines that mutants put in, by what they are."""
    result: dict[str, list[str]] = {}
    for mutant in mutants_of(module_of(Path("shop/box.py"), textwrap.dedent(text))):
        result.setdefault(mutant.what, []).append(mutant.after.strip())
    return result


@pytest.mark.parametrize(
    ("line", "what", "after"),
    [
        ("x = a < b", "comparison flipped", ["x = a >= b"]),
        ("x = a < b", "boundary moved", ["x = a <= b"]),
        ("x = a is None", "comparison flipped", ["x = a is not None"]),
        ("x = a in b", "comparison flipped", ["x = a not in b"]),
        ("x = a and b", "and / or", ["x = (a or b)"]),
        ("x = not a", "not dropped", ["x = (a)"]),
        ("x = 'ã' if a else b", "condition negated", ["x = 'ã' if not (a) else b"]),
        ("x = 'ã' if a else b", "branches swapped", ["x = (b if a else 'ã')"]),
        ("x = [a for a in b if c]", "filter dropped", ["x = [a for a in b if True]"]),
        ("x = 7", "constant changed", ["x = 8"]),
        ("x = True", "constant changed", ["x = False"]),
        ("x = 'ã', '110111'", "constant changed", ["x = 'ã', '110111x'", "x = 'ãx', '110111'"]),
        ("x = f(a, b)", "arguments swapped", ["x = f(b, a)"]),
        ("x = min(a)", "min / max", ["x = max(a)"]),
        ("x = sorted(a)", "sort reversed", ["x = sorted(a, reverse=True)"]),
        ("a.sort(key=b, reverse=True)", "sort reversed", ["a.sort(key=b)"]),
        ("x = a + b", "arithmetic changed", ["x = (a - b)"]),
        ("f(a)", "statement deleted", ["pass"]),
        ("x += y", "statement deleted", ["pass"]),
    ],
)
def test_small_mistakes(line: str, what: str, after: list[str]) -> None:
    assert changed(line)[what] == after


def test_a_function_returns_nothing() -> None:
    assert changed("def f():\n    return a\ndef g():\n    return None\ndef h():\n    return") == {
        "returns nothing": ["return None"]
    }


@pytest.mark.parametrize(
    "text",
    [
        '"""A docstring."""',
        "import os",
        "x: Literal['a']",
        "__slots__ = ('a', 'b')",
        "__all__ = ['a']",
        "_log.info('a', 1)",
        "x = message('Text', 1)",
        "if TYPE_CHECKING:\n    x = 1",
        "@dataclass(frozen=True)\nclass Box:\n    x: Literal[1]",
        "def __repr__(self):\n    return 'a'",
        "for a, b in zip(c, strict=True):\n    x",
        "x = 'a text of several words'",
        "x = a + 'b c'",
        "x = 4096",
    ],
)
def test_what_nobody_would_notice_stays(text: str) -> None:
    assert changed(text) == {}


def test_the_order_of_the_arguments_of_an_extreme_says_nothing() -> None:
    assert changed("x = max(a, b)") == {"min / max": ["x = min(a, b)"]}


@pytest.mark.exhaustive
def test_every_mutant_is_one_line_of_other_code(house: Tree) -> None:
    module = modules_of("state", house)[0]
    mutants = mutants_of(module)
    assert len(mutants) > 50
    before = module.text.splitlines(keepends=True)
    for mutant in random.Random(1).sample(mutants, 20):
        after = mutant.text.splitlines(keepends=True)
        assert [number for number, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]] == [
            mutant.line
        ]
        assert is_code(mutant)


def test_what_python_does_not_read_is_no_mutant() -> None:
    assert not is_code(Mutant("a", "a.py", 1, "", "x = 1", "x =", "x =", "x = 1"))
    assert not is_code(Mutant("a", "a.py", 1, "", "x = 1", "x = (1)", "x = (1)", "x = 1"))


def test_every_room_is_there(house: Tree) -> None:
    assert all(modules_of(room, house) for room in ROOMS)


def test_a_room_that_moved_is_an_error() -> None:
    with pytest.raises(UnknownRoom, match=r"confere\.fiscal\.state \(room state"):
        modules_of("state", ())
    with pytest.raises(UnknownRoom, match="no room attic"):
        modules_of("attic", ())


def test_drawing_is_fair_and_repeatable(house: Tree) -> None:
    drawn = list(draw(house, ["state", "retry"], 6, seed=3))
    assert [room for room, _ in drawn] == ["state", "retry"] * 3
    assert drawn == list(draw(house, ["state", "retry"], 6, seed=3))
    assert drawn != list(draw(house, ["state", "retry"], 6, seed=4))
    assert len({mutant.text for _, mutant in drawn}) == 6


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a module, its test, and one that fails anyway."""
    files = {
        "src/shop/box.py": "def fits(size):\n    return size < 10\n",
        "src/shop/shelf.py": "from shop.box import fits\n",
        "src/shop/till.py": "import shop.box\n",
        "tests/conftest.py": "",
        "tests/made.py": "from shop.till import fits\n",
        "tests/bench/test_speed.py": "import shop.box\n",
        "tests/test_box.py": "from shop.box import fits\ndef test_small():\n    assert fits(9)\n",
        "tests/test_broken.py": "from shop.box import fits\n"
        "def test_broken():\n    assert False\ndef test_large():\n    assert not fits(99)\n",
        "tests/test_shelf.py": "from shop.shelf import fits\ndef test_small():\n    assert fits(9)\n",
        "tests/test_slow.py": "import threading\ndef test_slow():\n    threading.Event().wait(60)\n",
        "tests/test_till.py": "from tests.made import fits\n",
        "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    }
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_the_nearest_tests_come_first(project: Path) -> None:
    nearest = nearest_tests(project)
    assert nearest.of("shop.box") == [
        "tests/test_box.py",
        "tests/test_broken.py",
        "tests/test_shelf.py",
        "tests/test_till.py",
    ]
    assert nearest.of("shop.till") == ["tests/test_till.py"]


def test_a_mutant_is_killed_survives_or_never_ends(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # a second less for each start
    trial = Trial(project, tmp_path / "trial")
    path, before = "src/shop/box.py", (project / "src/shop/box.py").read_text()

    def mutant(text: str) -> Mutant:
        return Mutant("shop.box", path, 2, "changed", before, text, text, before)

    killed = trial.run(mutant("def fits(size):\n    return size > 10\n"), ["tests/test_box.py"], 60, 60)
    assert killed == (Fate.KILLED, "tests/test_box.py::test_small")
    unread = trial.run(mutant("raise ValueError\n"), ["tests/test_box.py"], 60, 60)
    assert unread == (Fate.KILLED, "tests/test_box.py")
    survived = trial.run(mutant("def fits(size):\n    return size <= 10\n"), ["tests/test_box.py"], 60, 60)
    assert survived.fate is Fate.SURVIVED
    endless = trial.run(mutant("while True:\n    pass\n"), ["tests/test_box.py"], 2, 60)
    assert endless.fate is Fate.TIMEOUT
    slow = trial.run(mutant("def fits(size):\n    return True\n"), ["tests/test_slow.py", "tests/test_box.py"], 2, 60)
    assert slow.fate is Fate.SURVIVED
    assert trial.broken == []
    broken = trial.run(mutant("def fits(size):\n    return True\n"), ["tests/test_broken.py"], 60, 60)
    assert broken == (Fate.KILLED, "tests/test_broken.py::test_large")
    assert trial.broken == ["tests/test_broken.py::test_broken"]
    assert (project / path).read_text() == (trial.root / path).read_text() == before
