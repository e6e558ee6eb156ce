"""A template is checked before anything is written, and what it gives never leaves the package."""

from __future__ import annotations

import string
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import UsageFault
from confere.export.package.name_templates import (
    DOCUMENT_FIELDS,
    FOLDER_FIELDS,
    FileNameTemplate,
    FolderName,
    Templates,
)
from confere.system.files.safe_names import LONGEST

VALUES = {name: f"<{name}>" for name in DOCUMENT_FIELDS}


def test_names_are_filled_in() -> None:
    values = {**VALUES, "key": "K", "ending": "procNFe", "number": "42", "series": "1"}
    assert FileNameTemplate("{key}-{ending}.xml", DOCUMENT_FIELDS).of(values) == "K-procNFe.xml"
    assert FileNameTemplate("{series:3}_{number:09}.xml", DOCUMENT_FIELDS).of(values) == "001_000000042.xml"
    assert FileNameTemplate("{{{number}}}.xml", DOCUMENT_FIELDS).of(values) == "{42}.xml"
    assert FileNameTemplate("{series:03}-{series:03}{series:03}.xml", DOCUMENT_FIELDS).of(values) == "001-001001.xml"


def test_folders_are_filled_in_one_by_one() -> None:
    values = {**VALUES, "company": "../..", "month": "2026-10", "kind": "nfe", "direction": "a/b"}
    assert FolderName(Templates().folder).of(values) == "_._._/2026-10/nfe/a_b/"
    assert FolderName("").of(values) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{key}",
        "{key}.zip",
        "{key.__class__}.xml",
        "{key[0]}.xml",
        "{key!r}.xml",
        "{0}.xml",
        "{}.xml",
        "{code}.xml",
        "{key:>99}.xml",
        "{key:99}.xml",
        "{key:{number}}.xml",
        "{key.xml",
        "key}.xml",
        "a/{key}.xml",
        "..\\{key}.xml",
    ],
)
def test_what_makes_no_sense_as_a_file_is_refused(text: str) -> None:
    with pytest.raises(UsageFault) as caught:
        FileNameTemplate(text, DOCUMENT_FIELDS)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "text", ["..", "../{company}", "/{company}", "{company}/", "a//b", ". /x", "a\\b", "{key}", "/".join("a" * 9)]
)
def test_what_makes_no_sense_as_folders_is_refused(text: str) -> None:
    with pytest.raises(UsageFault):
        FolderName(text)


def test_eight_folders_are_enough() -> None:
    assert FolderName("/".join("abcdefgh")).of({}) == "a/b/c/d/e/f/g/h/"
    with pytest.raises(UsageFault):
        FolderName("/".join("abcdefghi"))


def test_the_refusal_names_what_is_known() -> None:
    with pytest.raises(UsageFault, match="company, direction, kind, model, month, state, type"):
        FolderName("{cnpj}")


@given(
    st.lists(st.sampled_from(sorted(FOLDER_FIELDS)), min_size=1, max_size=4),
    st.fixed_dictionaries({name: st.text(max_size=60) for name in sorted(DOCUMENT_FIELDS)}),
)
def test_no_value_leads_out_of_the_package(folders: list[str], values: dict[str, str]) -> None:
    folder = FolderName("/".join(f"{{{name}}}" for name in folders)).of(values)
    name = FileNameTemplate("{key}-{number:09}-{ending}.xml", DOCUMENT_FIELDS).of(values)
    path = PurePosixPath(folder + name)
    assert len(path.parts) == len(folders) + 1
    assert not path.is_absolute() and ".." not in path.parts
    assert name.endswith(".xml") and all(len(part.encode()) <= LONGEST for part in path.parts)


@given(st.text(alphabet=string.printable, max_size=30))
def test_any_template_is_refused_or_safe(text: str) -> None:
    try:
        template = FileNameTemplate(text + ".xml", DOCUMENT_FIELDS)
    except UsageFault:
        return
    assert len(PurePosixPath(template.of(VALUES)).parts) == 1
