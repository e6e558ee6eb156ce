"""What an official schema objects to, as sentences of our own: the words of the library that compares are English."""

from __future__ import annotations

import logging
import re
from typing import Final

from confere.errors import Message, message

_log = logging.getLogger(__name__)
_LONGEST: Final = 300
_NAMESPACE: Final = re.compile(r"\{http[^}]*\}")
_TAG: Final = re.compile(r"^Element '([^']*)'")
_ATTRIBUTE: Final = re.compile(r"attribute '([^']*)'")
_VALUE: Final = re.compile(r"(?:value |: )'([^']{1,80})' is not")
_EXPECTED: Final = re.compile(r"Expected is (?:one of )?\( ([^)]*) \)")
# Source: the error codes of libxml2, `xmlerror.h`.
_WRONG_VALUES: Final = {
    "SCHEMAV_CVC_DATATYPE_VALID_1_2_1",
    "SCHEMAV_CVC_DATATYPE_VALID_1_2_2",
    "SCHEMAV_CVC_DATATYPE_VALID_1_2_3",
    "SCHEMAV_CVC_TYPE_3_1_3",
    "SCHEMAV_CVC_PATTERN_VALID",
    "SCHEMAV_CVC_ENUMERATION_VALID",
    "SCHEMAV_CVC_FACET_VALID",
}
_LENGTHS: Final = {"SCHEMAV_CVC_LENGTH_VALID", "SCHEMAV_CVC_MINLENGTH_VALID", "SCHEMAV_CVC_MAXLENGTH_VALID"}


def why(kind: str, words: str) -> Message:
    """The objection of the type `kind` (`SCHEMAV_…`), whose `words` name the tag. The original words go to the log."""
    text = " ".join(_NAMESPACE.sub("", words).split())[:_LONGEST]
    _log.info("the schema's words: %s", text)
    tag = _of(_TAG, text)
    if not tag:
        return message("it does not keep the rule {code}", code=kind.removeprefix("SCHEMAV_"))
    if kind == "SCHEMAV_ELEMENT_CONTENT":
        expected = _of(_EXPECTED, text)
        if "Missing child" in text:
            return message("in {tag} this is missing: {expected}", tag=tag, expected=expected or "?")
        if expected:
            return message("{tag} stands where {expected} belongs", tag=tag, expected=expected)
        return message("{tag} does not belong where it stands", tag=tag)
    if kind in _WRONG_VALUES:
        value = _of(_VALUE, text)
        if value:
            return message(
                "the value {value} of {tag} is not of the form that is asked for", value=value, tag=_whole(tag, text)
            )
        return message("the value of {tag} is not of the form that is asked for", tag=_whole(tag, text))
    if kind in _LENGTHS:
        return message("the value of {tag} has not the length that is asked for", tag=_whole(tag, text))
    if kind.startswith("SCHEMAV_CVC_COMPLEX_TYPE"):
        return message("{tag} has an attribute too many, or lacks one", tag=_whole(tag, text))
    return message("{tag} is not as the rule {code} asks", tag=tag, code=kind.removeprefix("SCHEMAV_"))


def unusable(error: Exception) -> Message:
    """Why a schema itself cannot be used, as the end of a sentence. The original words go to the log."""
    _log.info("the schema reader's words: %s", str(error)[:_LONGEST])
    return message("it is damaged, or a file that it needs is missing")


def _whole(tag: str, text: str) -> str:
    attribute = _of(_ATTRIBUTE, text)
    return f"{tag}@{attribute}" if attribute else tag


def _of(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""
