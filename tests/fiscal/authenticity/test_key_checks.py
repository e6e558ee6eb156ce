"""What the access key of a national NFS-e repeats, field by field."""

from __future__ import annotations

import pytest
from lxml import etree

from confere.fiscal.authenticity.key_checks import key_fields
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Result, SignedKind

KEY = "3550308" + "1" + "2" + "11222333000181" + "0000000000042" + "2603" + "1234567890"
MARCH, APRIL, OTHER_YEAR = "2026-03-31T23:59:59-03:00", "2026-04-01T00:00:00-03:00", "2025-03-31T12:00:00-03:00"


def differing(author: str | None = "11222333000181", key: str = KEY, **fields: str) -> str:
    """The fields that disagree with the key, "" for none."""
    body = etree.fromstring("<infNFSe/>")
    subject = Subject(
        kind=SignedKind.DOCUMENT,
        element=body,
        body=body,
        bodies=1,
        signatures=[],
        access_key=key,
        identity=f"NFS{key}",
        fields={"mod": "nfse", **fields},
        author=author,
        answer=None,
    )
    line = key_fields(subject)
    assert (line.why is None) == (line.result is Result.OK)
    return str(line.why).partition(": ")[2].rstrip(".") if line.why is not None else ""


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ({}, ""),
        ({"dhEmi": MARCH}, ""),
        ({"dhProc": MARCH}, ""),
        ({"dhEmi": MARCH, "dhProc": APRIL}, ""),
        ({"dhEmi": APRIL, "dhProc": MARCH}, ""),
        ({"dhEmi": APRIL}, "dhEmi"),
        ({"dhProc": APRIL}, "dhEmi"),
        ({"dhEmi": APRIL, "dhProc": APRIL}, "dhEmi"),
        ({"dhEmi": OTHER_YEAR}, "dhEmi"),
    ],
)
def test_the_month_of_the_key_is_that_of_one_of_two_moments(moments: dict[str, str], expected: str) -> None:
    assert differing(**moments) == expected


@pytest.mark.parametrize(
    ("author", "expected"),
    [("11222333000181", ""), (None, ""), ("11222333000182", "CNPJ"), ("12345678909", "CNPJ")],
)
def test_the_emitter_of_the_key_is_the_author(author: str | None, expected: str) -> None:
    assert differing(author) == expected


def test_a_person_stands_in_the_key_with_zeros_before() -> None:
    key = KEY[:9] + "00012345678909" + KEY[23:]
    assert differing("12345678909", key) == ""
    assert differing("12345678908", key) == "CNPJ"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"cLocEmi": "3550308"}, ""),
        ({"cLocEmi": "3550309"}, "cLocEmi"),
        ({"ambGer": "2"}, "ambGer"),
        ({"nNFSe": "42"}, ""),
        ({"nNFSe": "43"}, "nNFSe"),
        ({"cLocEmi": "1", "nNFSe": "43", "dhEmi": APRIL}, "cLocEmi, nNFSe, dhEmi"),
    ],
)
def test_fields_of_the_key(fields: dict[str, str], expected: str) -> None:
    assert differing(**fields) == expected


def test_a_key_of_another_length_is_told_by_its_form_alone() -> None:
    assert differing("11222333000182", KEY[:-1], dhEmi=APRIL) == ""
