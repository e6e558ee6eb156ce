"""The hardened door: bytes of unknown origin become an XML tree, or one clear refusal."""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from confere.errors import Message, PaperError, PaperHostile, message
from confere.fiscal.document_parts import Warning
from confere.fiscal.warnings import Trait
from confere.system.files import xml_words

DEFAULT_LIMIT: Final = 32_000_000
"""Bytes from which a file is refused unread; a real note ends at a few megabytes, a lot at a few more."""

MOST_MARKS: Final = 500_000
"""Of "<" and "=" in one file. Each costs at most 250 bytes of memory in the tree, however short it is written, and
who judges a paper copies parts of the tree. A note of 990 items has some 150,000, a lot at most as many."""

# In these every "<" is written with the byte of that sign, so that counting bytes counts elements.
_COUNTABLE: Final = re.compile(
    r"UTF-?8|UTF-?16(BE|LE)?|(US-)?ASCII|ISO[-_]?8859-[0-9]{1,2}|(WINDOWS|CP)-?125[0-9]|LATIN-?[0-9]"
)
_SMALL: Final = 100_000

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_SPACES: Final = re.compile(rb"[ \t\r\n]+")
_LONGEST_PROLOG: Final = 1000
_DECLARED: Final = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_NAMED: Final = re.compile(rb"""encoding\s*=\s*["']([^"']*)""")
_USUAL_ENCODINGS: Final = frozenset({"UTF-8", "ASCII", "US-ASCII"})

_RESOURCE_LIMIT_CODES: Final = frozenset(
    {
        etree.ErrorTypes.ERR_NAME_TOO_LONG,
        etree.ErrorTypes.ERR_RESOURCE_LIMIT,
        etree.ErrorTypes.ERR_ENTITY_LOOP,
    }
)


def parse(data: bytes, *, limit: int = DEFAULT_LIMIT) -> etree._Element:
    """The root element of `data`. See `open_paper`."""
    return open_paper(data, limit=limit)[0]


def open_paper(data: bytes, *, limit: int = DEFAULT_LIMIT) -> tuple[etree._Element, tuple[Warning, ...]]:
    """The root element of `data` and what is odd about the file's form.

    Nothing outside `data` is ever read: no network, no file, no entity. Processing instructions stay in
    the tree (a signature covers them), comments do not (none covers them, and they would split a text).

    Raises PaperError for what is not well-formed XML, PaperHostile for what is built to harm; nothing else.
    """
    _refuse_too_large(data, limit)
    warnings: list[Warning] = []
    plain = _without_padding(data, warnings)
    _refuse_other_kinds(plain)
    root = _parse_with_fallbacks(plain, warnings)
    docinfo = root.getroottree().docinfo
    # The look at the prolog is blind to exotic encodings (UTF-7); the parser's own word is not.
    if _has_dtd(docinfo):
        raise _dtd_refused()
    if root.tag in ("html", "{http://www.w3.org/1999/xhtml}html"):
        raise _web_page()
    encoding = docinfo.encoding
    told = any(warning.code == Trait.ENCODING_WRONG for warning in warnings)
    if not encoding or encoding.upper() in _USUAL_ENCODINGS:
        # The parser names its own where UTF-16 is known by its mark alone, without a declaration.
        encoding = "UTF-16" if _is_wide(plain) else None
    if encoding and not told:
        warnings.append(Warning(Trait.ENCODING, encoding))
    _tell_form(plain, warnings)
    return root, tuple(warnings)


# -- before parsing --------------------------------------------------------------------------------------


def marks_of(data: bytes) -> int:
    """How many elements, texts and attributes `data` has at most, once parsed; by counting, so in no time."""
    return data.count(b"<") + data.count(b"=")


def _refuse_too_large(data: bytes, limit: int) -> None:
    """Raise for what would fill the memory, before anything of it is parsed."""
    if len(data) >= limit:
        raise PaperHostile(
            message(
                "The file has {size} bytes; files from {limit} bytes on are not read.", size=len(data), limit=limit
            ),
            message("Split it into single documents and import those."),
        )
    if len(data) > MOST_MARKS and marks_of(data) > MOST_MARKS:
        raise PaperHostile(
            message("The file has more elements than any fiscal document; reading it could exhaust the memory."),
            message("Split it into single documents and import those."),
        )
    if len(data) > _SMALL and not _is_wide(data):
        named = _NAMED.search(data, 0, max(data.find(b"?>"), 0))
        if named is not None and not _COUNTABLE.fullmatch(named[1].decode("latin-1").upper()):
            raise PaperHostile(
                message("The file is large and in an encoding that no fiscal document has; it was not read."),
                message("Ask its sender for it in UTF-8."),
            )


def _without_padding(data: bytes, warnings: list[Warning]) -> bytes:
    """`data` from its first `<` to its last byte that counts; UTF-16 and its kin are left as they are."""
    if data[:1] == b"<" and data[-1:] == b">":
        return data
    plain = data.removeprefix(_BOM)
    if len(plain) != len(data):
        warnings.append(Warning(Trait.BOM))
        plain = plain.removeprefix(_BOM)  # two programs in a row that each write one
    if _is_wide(plain):
        if plain[:2] in (b"\xff\xfe", b"\xfe\xff"):
            warnings.append(Warning(Trait.BOM))
        return plain
    start = plain.lstrip(_SPACE)
    end = start.rstrip(b"\0")
    if len(start) != len(plain) or len(end) != len(start):
        warnings.append(Warning(Trait.PADDING))
    return end


def _tell_form(data: bytes, warnings: list[Warning]) -> None:
    """Warn of what a well-formed file does otherwise than most; nothing of it changes what the file says."""
    if _is_wide(data):
        data = data.replace(b"\0", b"").lstrip(b"\xff\xfe")
    if data[:5] != b"<?xml" or data[5:6] not in _SPACE:
        warnings.append(Warning(Trait.NO_DECLARATION))
    if _has(data, b"<![CDATA[", b"["):
        warnings.append(Warning(Trait.CDATA))
    if _has(data, b"&#", b"&"):
        warnings.append(Warning(Trait.CHARACTER_REFERENCES))


def _has(data: bytes, mark: bytes, rare: bytes) -> bool:
    """Whether `mark` is in `data`, by way of a byte of it that few files have: one is found faster than several."""
    before = mark.index(rare)
    place = data.find(rare)
    for _ in range(20):
        if place < 0:
            return False
        if place >= before and data.startswith(mark, place - before):
            return True
        place = data.find(rare, place + 1)
    return mark in data


def _is_wide(data: bytes) -> bool:
    """Whether `data` begins as UTF-16 or UTF-32 does, with or without a byte order mark."""
    return data[:2] in (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<", b"\0\0")


def _refuse_other_kinds(data: bytes) -> None:
    """Raise for a web page, a DTD, or what does not even begin like XML."""
    if _is_wide(data):
        prolog = _after_prolog(data.replace(b"\0", b"").lstrip(b"\xff\xfe"))
    else:
        prolog = _after_prolog(data)
    head = prolog[:64].lower()
    if head.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        raise _web_page()
    if head.startswith(b"<!doctype"):
        raise _dtd_refused()
    if not data.strip(_SPACE + b"\0"):
        raise PaperError(message("The file is empty."), message("Fetch it again from where it came from."))
    if head and not head.startswith(b"<"):
        raise PaperError(
            message("The file is not XML: it does not begin with “<”."),
            message("Check what the source sent; the bytes are kept as they came."),
        )


def _after_prolog(data: bytes) -> bytes:
    """The beginning of what follows the declaration, instructions, comments and white space.

    Empty where nothing follows, or only after more of them than any honest file has: the parser then tells.
    """
    position = 0
    for _ in range(_LONGEST_PROLOG):
        found = _SPACES.match(data, position)
        position = found.end() if found else position
        if data.startswith(b"<?", position):
            end, length = data.find(b"?>", position), 2
        elif data.startswith(b"<!--", position):
            end, length = data.find(b"-->", position + 4), 3
        else:
            end, length = -1, 0
        if end < 0:
            return data[position : position + 64]
        position = end + length
    return b""


# -- parsing ---------------------------------------------------------------------------------------------


def _parser(encoding: str | None = None) -> etree.XMLParser:
    return etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        recover=False,
        remove_comments=True,
    )


# Safe to share: lxml locks it for the time of a parse, and the trees keep nothing of it.
_PARSER: Final = _parser()


def _parse_with_fallbacks(data: bytes, warnings: list[Warning]) -> etree._Element:
    """Parse as declared; where the bytes are plainly in another encoding than declared, as that one."""
    try:
        return etree.fromstring(data, _PARSER)
    except etree.XMLSyntaxError as error:
        encoding = _likely_encoding(data, error)
        if encoding is not None:
            try:
                root = etree.fromstring(data, _parser(encoding))
            except (etree.XMLSyntaxError, ValueError, LookupError):
                pass  # the first error is the one to tell
            else:
                warnings.append(Warning(Trait.ENCODING_WRONG, encoding))
                return root
        raise _refusal(data, error) from None
    except (ValueError, LookupError, AssertionError) as error:  # lxml's own refusals of odd input
        raise PaperError(
            message("The file cannot be read as XML: {words}", words=xml_words.why(error)), _keep_remedy()
        ) from None


def _likely_encoding(data: bytes, error: etree.XMLSyntaxError) -> str | None:
    """The encoding to try where `error` says that the declared one is wrong."""
    declared = _DECLARED.match(data)
    name = declared[1].decode("ascii").upper() if declared else "UTF-8"
    if name.startswith("UTF-16") and not _is_wide(data):
        return "UTF-8"  # a UTF-16 string written out as UTF-8, its declaration forgotten
    if _code(error) == etree.ErrorTypes.ERR_INVALID_ENCODING and name == "UTF-8":
        return "windows-1252"
    return None


def _refusal(data: bytes, error: etree.XMLSyntaxError) -> PaperError:
    words = (error.msg or "").strip().split(", line ")[0]
    line = error.lineno or 0
    if _code(error) in _RESOURCE_LIMIT_CODES or "XML_PARSE_HUGE" in words:
        return PaperHostile(
            message(
                "The file goes beyond what an XML reader may safely take, at line {line}: {words}",
                line=line,
                words=xml_words.why(error),
            ),
            message("A real fiscal document does not look like this: ask its sender for it again."),
        )
    if _ends_early(data, error):
        return PaperError(
            message("The file ends before its XML is complete, at line {line}: it was cut short.", line=line),
            message("Fetch it again from where it came from."),
        )
    return PaperError(
        message("The file cannot be read as XML, at line {line}: {words}", line=line, words=xml_words.why(error)),
        _keep_remedy(),
    )


def _has_dtd(docinfo: etree.DocInfo) -> bool:
    return docinfo.internalDTD is not None


def _code(error: etree.XMLSyntaxError) -> int | None:
    code: int | None = getattr(error, "code", None)
    return code


def _ends_early(data: bytes, error: etree.XMLSyntaxError) -> bool:
    if _code(error) == etree.ErrorTypes.ERR_TAG_NOT_FINISHED:
        return True
    on_last_line = error.lineno is not None and error.lineno > data.count(b"\n")
    return on_last_line and _code(error) != etree.ErrorTypes.ERR_DOCUMENT_END and not _closed(data)


def _closed(data: bytes) -> bool:
    return data.rstrip(_SPACE + b"\0")[-1:] == b">"


# -- the refusals ----------------------------------------------------------------------------------------


def _keep_remedy() -> Message:
    return message("Ask its sender for it again; the bytes are kept as they came.")


def _dtd_refused() -> PaperHostile:
    return PaperHostile(
        message("The file declares a document type (DTD), which no fiscal document has; it was not expanded."),
        message("Ask its sender for the document itself, without a DTD."),
    )


def _web_page() -> PaperError:
    return PaperError(
        message("The file is a web page (HTML), not XML: its source answered with a page instead."),
        message("Fetch the document again; a login or an error page was probably saved in its place."),
    )
