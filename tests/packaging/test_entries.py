"""What tells a system about the application: it is valid, of this version, and names what the build makes."""

from __future__ import annotations

import configparser
import re
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT

IDENTIFIER = "io.github.confere.Confere"
LINUX = ROOT / "packaging" / "linux"
ENTRY = LINUX / f"{IDENTIFIER}.desktop"
METAINFO = LINUX / f"{IDENTIFIER}.metainfo.xml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def succeeds(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ENTRY, encoding="utf-8")
    return parser["Desktop Entry"]


@pytest.mark.system_program("desktop-file-validate")
def test_the_desktop_entry_is_valid() -> None:
    succeeds("desktop-file-validate", "--no-hints", ENTRY)


@pytest.mark.system_program("appstreamcli")
def test_the_metainfo_is_valid() -> None:
    succeeds("appstreamcli", "validate", "--no-net", METAINFO)


def test_the_entry_starts_what_an_installation_has() -> None:
    assert entry()["Exec"] in PROJECT["gui-scripts"]
    assert entry()["TryExec"] == entry()["Exec"]
    assert entry()["Icon"] == IDENTIFIER


@pytest.mark.parametrize("key", ["GenericName", "Comment", "Keywords"])
def test_the_entry_speaks_every_language(key: str) -> None:
    said = {entry()[name] for name in (key, f"{key}[pt_BR]", f"{key}[es]")}
    assert len(said) == 3


def test_the_metainfo_is_of_this_application() -> None:
    root = ElementTree.parse(METAINFO).getroot()
    assert root.findtext("id") == IDENTIFIER
    assert root.findtext("launchable") == ENTRY.name
    assert root.findtext("project_license") == PROJECT["license"]
    assert {found.text for found in root.iter("binary")} == {*PROJECT["scripts"], *PROJECT["gui-scripts"]}


def test_the_metainfo_speaks_every_language() -> None:
    root = ElementTree.parse(METAINFO).getroot()
    for path in ("summary", "developer/name", "description/p", "description/ul/li", "releases/release/description/p"):
        spoken = [found.get(LANGUAGE, "en") for found in root.findall(path)]
        assert spoken, path
        assert spoken == ["en", "pt-BR", "es"] * (len(spoken) // 3), path


def test_the_releases_are_those_of_the_changelog() -> None:
    """The newest is this version; the changelog's dated versions stand below or beside it with the same dates."""
    releases = ElementTree.parse(METAINFO).getroot().findall("releases/release")
    told = {release.get("version"): release.get("date") for release in releases}
    assert next(iter(told)) == PROJECT["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = dict(re.findall(r"^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE))
    assert told.items() >= dated.items()


def test_the_installer_of_windows_is_of_the_same_application() -> None:
    script = (ROOT / "packaging" / "windows" / "confere.iss").read_text(encoding="utf-8")
    assert f"AppId={IDENTIFIER}\n" in script
    for name in PROJECT["gui-scripts"]:
        assert f'Filename: "{{app}}\\{name}.exe"' in script
