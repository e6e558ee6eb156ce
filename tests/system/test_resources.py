"""The files of `resources/` are found in a built wheel and in a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from confere.errors import Bug
from confere.system.resources import resource
from tests.conftest import ROOT

PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
import confere
from confere.errors import N_, ArchiveMissing, message
from confere.system.messages import render_error, set_language
from confere.system.resources import resource
set_language("es")
print(confere.__file__)
print(resource("locale", "es", "LC_MESSAGES", "confere.mo"))
print(render_error(ArchiveMissing(message("x"))).title)
"""


def probe(path: Path, elsewhere: Path) -> list[Path | str]:
    child = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", PROBE, str(path)],
        capture_output=True,
        encoding="utf-8",
        cwd=elsewhere,
        timeout=60,
        check=True,
    )
    module, file, title = child.stdout.splitlines()
    return [Path(module), Path(file), title]


def test_in_a_wheel(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = (tmp_path / "dist").glob("confere-*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    module, file, title = probe(installed, tmp_path)
    assert module == installed / "confere" / "__init__.py"
    assert file == installed / "confere" / "resources" / "locale" / "es" / "LC_MESSAGES" / "confere.mo"
    assert file.read_bytes() == (ROOT / "resources/locale/es/LC_MESSAGES/confere.mo").read_bytes()
    assert title == "Aquí no hay ningún acervo"


def test_in_a_checkout(tmp_path: Path) -> None:
    module, file, title = probe(ROOT / "src", tmp_path)
    assert module == ROOT / "src" / "confere" / "__init__.py"
    assert file == ROOT / "resources" / "locale" / "es" / "LC_MESSAGES" / "confere.mo"
    assert title == "Aquí no hay ningún acervo"


def test_folders_are_resources_too() -> None:
    assert {path.name for path in resource("locale").iterdir()} == {"pt_BR", "en", "es", "codes.json"}


def test_what_is_not_there_is_our_fault() -> None:
    with pytest.raises(Bug, match=r"no/such\.svg"):
        resource("no", "such.svg")
