"""XML for the screen: decoded as it declares, indented where that is possible, never failing and never expanding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some
from lxml import etree

from confere.fiscal.reading.xml_indent import indented, text_of

NOTE = '<?xml version="1.0" encoding="UTF-8"?><a xmlns="u"><b x="1">São</b><!-- c --><c/></a>'


def test_one_element_a_line_under_the_declaration_as_it_was_written() -> None:
    assert indented(NOTE.encode()).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<a xmlns="u">',
        '  <b x="1">São</b>',
        "  <!-- c -->",
        "  <c/>",
        "</a>",
    ]


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("UTF-8", "utf-8"), ("ISO-8859-1", "iso-8859-1"), ("windows-1252", "cp1252"), ("UTF-16", "utf-16")],
)
def test_it_is_decoded_as_it_declares(declared: str, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><a>Ação nº 1</a>'
    assert text_of(text.encode(encoding)) == text
    assert "<a>Ação nº 1</a>" in indented(text.encode(encoding))


def test_a_wrong_declaration_and_a_mark_are_no_obstacle() -> None:
    assert "Ação" in text_of('<?xml version="1.0" encoding="UTF-8"?><a>Ação</a>'.encode("cp1252"))
    assert text_of(b"\xef\xbb\xbf<a/>") == "<a/>"
    assert text_of(b'<?xml version="1.0" encoding="nonsense"?><a/>').endswith("<a/>")


@pytest.mark.parametrize("data", [b"", b"not xml", b"<a><b></a>", b"<a>&x;</a>", b"\xff\xfe\x00", b"<a" * 2000])
def test_what_is_not_well_formed_comes_back_as_it_is(data: bytes) -> None:
    assert indented(data) == text_of(data)


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY f SYSTEM "file:///etc/hostname">]><a>&b;&f;</a>'
    found = indented(bomb)
    assert found.count("boom") == 1
    assert found.partition("<a>")[2].split() == ["&b;", "&f;", "</a>"]


def test_mixed_text_and_cdata_keep_their_words() -> None:
    found = indented(b"<a>one <b>two</b> three<c><![CDATA[<x>]]></c></a>")
    assert "one <b>two</b> three" in found
    assert "<![CDATA[<x>]]>" in found


@given(some.binary(max_size=200))
def test_it_never_fails(data: bytes) -> None:
    assert isinstance(indented(data), str)
    assert isinstance(indented(b"<a>" + data + b"</a>"), str)


def test_what_is_indented_still_says_the_same() -> None:
    def words(text: str) -> list[tuple[str, str]]:
        root = etree.fromstring(text.encode())
        return [(str(entry.tag), (entry.text or "").strip()) for entry in root.iter()]

    assert words(indented(NOTE.encode())) == words(NOTE)
