"""The door: what is read although it is odd, and what is refused, with a sentence and nothing leaked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from confere.errors import PaperError, PaperHostile
from confere.fiscal.reading import xml
from confere.fiscal.warnings import Trait
from tests.fiscal import made

PLAIN = made.nfe_proc()
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "hahahahaha">' for n in range(12))


def codes(data: bytes) -> list[str]:
    return [warning.code for warning in xml.open_paper(data)[1]]


def refusal(data: bytes) -> PaperError:
    with pytest.raises(PaperError) as caught:
        xml.parse(data)
    assert caught.value.remedy is not None
    return caught.value


# -- odd but read ----------------------------------------------------------------------------------------


def canonical(data: bytes) -> bytes:
    return etree.tostring(xml.parse(data), method="c14n")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PLAIN.encode(), []),
        (PLAIN.encode("utf-8-sig"), [Trait.BOM]),
        (b"\xef\xbb\xbf" + PLAIN.encode("utf-8-sig"), [Trait.BOM]),
        (PLAIN.replace("UTF-8", "ISO-8859-1").encode("latin-1"), [Trait.ENCODING]),
        (PLAIN.replace("UTF-8", "windows-1252").encode("cp1252"), [Trait.ENCODING]),
        (PLAIN.replace("UTF-8", "UTF-16").encode("utf-16"), [Trait.BOM, Trait.ENCODING]),
        (PLAIN.replace("UTF-8", "UTF-16").encode("utf-16-le"), [Trait.ENCODING]),
        (PLAIN.replace("UTF-8", "UTF-16").encode("utf-16-be"), [Trait.ENCODING]),
        (PLAIN.removeprefix(made.DECLARATION).encode(), [Trait.NO_DECLARATION]),
        (b"\r\n \t" + PLAIN.encode(), [Trait.PADDING]),
        (b"\xef\xbb\xbf\n" + PLAIN.encode(), [Trait.BOM, Trait.PADDING]),
        (PLAIN.encode() + b"\0\0\0", [Trait.PADDING]),
        (PLAIN.encode() + b"\n", []),
        # what programs write that turn a string into bytes without looking at its declaration
        (PLAIN.replace("UTF-8", "utf-16").encode(), [Trait.ENCODING_WRONG]),
        (PLAIN.encode("cp1252"), [Trait.ENCODING_WRONG]),
        (PLAIN.removeprefix(made.DECLARATION).encode("latin-1"), [Trait.ENCODING_WRONG, Trait.NO_DECLARATION]),
        (PLAIN.removeprefix(made.DECLARATION).encode("utf-16"), [Trait.BOM, Trait.ENCODING, Trait.NO_DECLARATION]),
        (PLAIN.replace("José da Conceição", "<![CDATA[José da Conceição]]>").encode(), [Trait.CDATA]),
        (PLAIN.replace("José da", "Jos&#233; d&#x61;").encode(), [Trait.CHARACTER_REFERENCES]),
        (
            PLAIN.replace("UTF-8", "UTF-16").replace("José", "<![CDATA[Jos]]>&#233;").encode("utf-16-be"),
            [Trait.ENCODING, Trait.CDATA, Trait.CHARACTER_REFERENCES],
        ),
    ],
)
def test_forms_seen_in_the_wild_give_the_same_tree(data: bytes, expected: list[str]) -> None:
    assert canonical(data) == canonical(PLAIN.encode())
    assert codes(data) == expected


def test_an_instruction_called_alike_is_no_declaration() -> None:
    assert codes(b"<?xml-model href='x'?><a/>") == [Trait.NO_DECLARATION]
    assert codes(b"<?xml\tversion='1.0'?><a b='[&lt;![CDATA[' c='&amp;#33;'/>") == []


@pytest.mark.parametrize("times", [1, 19, 20, 300])
def test_marks_are_told_from_what_begins_alike(times: int) -> None:
    alike = b"<?xml version='1.0'?><a>" + b"[ &amp;" * times
    assert codes(alike + b"</a>") == []
    assert codes(alike + b"<![CDATA[x]]>&#33;</a>") == [Trait.CDATA, Trait.CHARACTER_REFERENCES]


def test_comments_and_cdata_do_not_split_a_text() -> None:
    root = xml.parse("<a>São<!-- x --> <![CDATA[Jo<ão>]]>&#33;</a>".encode())
    assert root.text == "São Jo<ão>!"


def test_instructions_stay_because_a_signature_covers_them() -> None:
    assert etree.tostring(xml.parse(b"<a><?keep me?></a>")) == b"<a><?keep me?></a>"


def test_a_doctype_inside_a_comment_or_a_text_is_none() -> None:
    root = xml.parse(b"<?xml version='1.0'?><!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE b>]]></a>")
    assert root.text == "<!DOCTYPE b>"


# -- not XML ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        b"<!DOCTYPE html><html><body>Sess\xc3\xa3o expirada</body></html>",
        b"\xef\xbb\xbf \n<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'><html>",
        b"<html><head><meta charset=utf-8><title>502</title>",
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
        "<!DOCTYPE html><html></html>".encode("utf-16"),
    ],
)
def test_a_web_page_is_called_one(page: bytes) -> None:
    error = refusal(page)
    assert not isinstance(error, PaperHostile)
    assert "web page" in str(error)


@pytest.mark.parametrize("data", [b"", b" \r\n", b"\xef\xbb\xbf", b"\0\0\0\0"])
def test_an_empty_file_is_called_empty(data: bytes) -> None:
    assert "empty" in str(refusal(data))


@pytest.mark.parametrize("data", [b'{"error": 1}', b"%PDF-1.7", b"PK\x03\x04", b"\x00\x01\x02\x03", "não".encode()])
def test_other_kinds_are_not_xml(data: bytes) -> None:
    assert "not XML" in str(refusal(data)) or "cannot be read as XML" in str(refusal(data))


def test_every_truncation_is_a_refusal_that_says_so() -> None:
    data = PLAIN.encode()
    for end in range(len(made.DECLARATION) + 2, len(data), 7):
        error = refusal(data[:end])
        assert "cut short" in str(error), data[:end][-30:]
        assert error.what.params["line"] == data[:end].count(b"\n") + 1


def test_a_truncated_file_names_the_line() -> None:
    data = PLAIN.replace("><", ">\n<").encode()
    cut = data[: data.index(b"<NCM>")]
    assert refusal(cut).what.params["line"] == cut.count(b"\n") + 1


def test_malformed_is_told_from_truncated() -> None:
    error = refusal(b"<a>\n<b></c></a>")
    assert "line 2" in str(error)
    assert "cut short" not in str(error)
    assert "cut short" not in str(refusal(b"<a/> trailing"))
    assert "does not define" in str(refusal(b"<a>&undefined;</a>"))
    assert "a prefix that is not declared" in str(refusal(b"<ds:Signature/>"))
    assert "cannot be read" in str(refusal(b'<?xml version="1.0" encoding="klingon"?><a/>'))


# -- hostile ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        f"<!DOCTYPE a [{LAUGHS}]><a>&l11;</a>".encode(),
        f'<!DOCTYPE a [{LAUGHS}]><a b="&l11;"/>'.encode(),
        f"<?xml version='1.0'?><!-- x --><?y z?>\n<!DOCTYPE a [{LAUGHS}]><a/>".encode(),
        f"<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE a [{LAUGHS}]><a/>".encode("utf-16"),
        f"<!DOCTYPE a [{LAUGHS}]><a/>".encode("utf-16-be"),
        b'<!DOCTYPE a [<!ENTITY q "' + b"q" * 100_000 + b'">]><a>' + b"&q;" * 100_000 + b"</a>",
        b"<!DOCTYPE a><a/>",
        b'<!DOCTYPE a SYSTEM "file:///etc/hostname"><a/>',
        b"\n<!DOCTYPE nfeProc [<!ENTITY % x SYSTEM 'http://127.0.0.1:1/x'> %x;]><nfeProc/>",
    ],
)
def test_a_document_type_is_refused(data: bytes) -> None:
    error = refusal(data)
    assert isinstance(error, PaperHostile)
    assert "DTD" in str(error)


def test_a_document_type_hidden_by_an_encoding_is_refused() -> None:
    # In UTF-7 one comment ends, a DTD follows, another comment begins; byte by byte it is a single comment.
    hidden = b'<?xml version="1.0" encoding="UTF-7"?><!-- x --+AD4-+ADwAIQ-DOCTYPE a+AD4APAAhAC0ALQ- y --><a/>'
    assert etree.fromstring(hidden).tag == "a"  # the parser itself reads through the disguise
    assert isinstance(refusal(hidden), PaperHostile)


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A port of this machine, and whatever knocked on it."""
    calls: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)

        def listen() -> None:
            try:
                while True:
                    connection, _ = server.accept()
                    calls.append(connection.recv(100))
                    connection.close()
            except OSError:
                pass

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], calls
        thread.join()


def test_no_file_and_no_address_is_ever_read(tmp_path: Path, listener: tuple[int, list[bytes]]) -> None:
    port, calls = listener
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET-7431", encoding="utf-8")
    for reference in (secret.as_uri(), f"http://127.0.0.1:{port}/x.dtd"):
        for data in (
            f'<!DOCTYPE a [<!ENTITY x SYSTEM "{reference}">]><a>&x;</a>',
            f'<!DOCTYPE a SYSTEM "{reference}"><a/>',
            f'<!DOCTYPE a [<!ENTITY % x SYSTEM "{reference}">%x;]><a/>',
        ):
            assert "SECRET" not in str(refusal(data.encode()))
            # Were the refusal ever to fail, the parser behind it must not reach out either.
            try:
                root = etree.fromstring(data.encode(), xml._PARSER)
            except etree.XMLSyntaxError:
                continue
            assert "SECRET" not in etree.tostring(root, encoding="unicode", method="text", with_tail=False)
        included = f'<a xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="{reference}" parse="text"/></a>'
        assert "SECRET" not in etree.tostring(xml.parse(included.encode()), encoding="unicode")
    assert calls == []


def test_endless_nesting_is_refused() -> None:
    assert isinstance(refusal(b"<a>" * 1_000_000), PaperHostile)
    assert isinstance(refusal(b"<a>" * 1_000_000 + b"</a>" * 1_000_000), PaperHostile)


def test_a_huge_attribute_text_or_name_is_refused() -> None:
    assert isinstance(refusal(b'<a b="' + b"x" * 11_000_000 + b'"/>'), PaperHostile)
    assert isinstance(refusal(b"<a>" + b"x" * 11_000_000 + b"</a>"), PaperHostile)
    assert isinstance(refusal(b"<" + b"x" * 60_000 + b"/>"), PaperHostile)


def test_a_file_of_absurd_size_is_refused_before_it_is_parsed() -> None:
    absurd = refusal(b"x" * xml.DEFAULT_LIMIT)
    assert isinstance(absurd, PaperHostile)
    assert absurd.what.params["size"] == 32_000_000
    with pytest.raises(PaperHostile):
        xml.parse(b"<a/>", limit=4)
    assert xml.parse(b"<a/>", limit=5).tag == "a"


def test_a_file_of_endless_small_elements_is_refused_before_it_fills_the_memory() -> None:
    assert isinstance(refusal(b"<r>" + b"<a/>" * 500_001 + b"</r>"), PaperHostile)


@pytest.mark.parametrize("encoding", ["UTF-7", "IBM037", "CP500", "x-unknown"])
@pytest.mark.parametrize("before", ["", " " * 2000])
def test_a_large_file_whose_elements_cannot_be_counted_is_refused(encoding: str, before: str) -> None:
    data = f"<?xml version='1.0'{before} encoding='{encoding}'?>".encode() + b"+ADw-a/+AD4-" * 100_000
    assert isinstance(refusal(data), PaperHostile)


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-16", "ISO-8859-1", "Windows-1252", "us-ascii"])
def test_a_large_file_in_a_usual_encoding_is_read(encoding: str) -> None:
    text = f"<?xml version='1.0' encoding='{encoding}'?><a>{'<b>x</b>' * 100_000}</a>"
    assert len(xml.parse(text.encode(encoding))) == 100_000


def test_a_note_of_990_items_is_far_from_the_bound() -> None:
    taxes = "".join(f"<v{number}>1.00</v{number}>" for number in range(50))
    note = f"<infNFe>{''.join(f'<det nItem={chr(34)}{n}{chr(34)}>{taxes}</det>' for n in range(1, 991))}</infNFe>"
    assert xml.marks_of(note.encode()) < xml.MOST_MARKS / 4
    assert len(xml.parse(note.encode())) == 990


@pytest.mark.parametrize("start", [b"<?xml ", b"<!--", b"<?x ?>", b"<!-- --> "])
def test_a_prolog_without_end_is_no_trap(start: bytes) -> None:
    assert "cut short" in str(refusal(start * 50_000)) or "cannot be read" in str(refusal(start * 50_000))


# -- nothing else escapes --------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_tree_or_a_paper_error(data: bytes) -> None:
    try:
        xml.parse(data)
    except PaperError as error:
        assert str(error)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<a>",
                "</a>",
                "<!DOCTYPE",
                "<![CDATA[",
                "]]>",
                "<!--",
                "-->",
                "<?xml ",
                "?>",
                "&#x41;",
                "é",
                "\0",
                "\ufeff",
                ' x="',
                '"',
            ]
        ),
        max_size=30,
    ),
    st.sampled_from(["utf-8", "utf-16", "utf-16-be", "utf-32", "latin-1"]),
)
def test_any_pieces_of_xml_are_a_tree_or_a_paper_error(pieces: list[str], encoding: str) -> None:
    data = "".join(pieces).encode(encoding, "replace")
    try:
        xml.parse(data)
    except PaperError as error:
        assert str(error)


def test_the_shared_parser_serves_many_threads() -> None:
    wrong: list[int] = []

    def work(start: int) -> None:
        for number in range(start, start + 500):
            try:
                root = xml.parse(b"<a><b>%d</b></a>" % number if number % 5 else b"<a><b>%d</a>" % number)
            except PaperError:
                wrong.extend([number] if number % 5 else [])
            else:
                wrong.extend([number] if root[0].text != str(number) else [])

    threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 4000, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
