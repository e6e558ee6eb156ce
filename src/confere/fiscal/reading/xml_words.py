"""What is wrong with an XML, by the reader's error code: its own words are English."""

from __future__ import annotations

import logging
from typing import Final

from lxml import etree

from confere.errors import Message, message

_log = logging.getLogger(__name__)
_CODES: Final = etree.ErrorTypes
_NO_XML: Final = message("it does not begin like an XML")
_NO_TEXT: Final = message("its characters are not in the encoding that it declares")
_TAG: Final = message("a tag is not written as XML asks")
_ATTRIBUTE: Final = message("an attribute is not written as XML asks")
_CUT: Final = message("it is cut short")
_LOOSE_SIGN: Final = message("a name is missing after “<” or “&”")

# Source: the error codes of libxml2, `xmlerror.h`.
_BY_CODE: Final = {
    _CODES.ERR_DOCUMENT_START: _NO_XML,
    _CODES.ERR_DOCUMENT_EMPTY: _NO_XML,
    _CODES.ERR_DOCUMENT_END: message("something follows after its end"),
    _CODES.ERR_INVALID_CHAR: message("it holds a character that XML forbids"),
    _CODES.ERR_INVALID_CHARREF: message("it holds a character that XML forbids"),
    _CODES.ERR_UNDECLARED_ENTITY: message("it uses an abbreviation (“&…;”) that it does not define"),
    _CODES.ERR_ENTITYREF_SEMICOL_MISSING: message("an “&” stands alone where “&amp;” belongs"),
    _CODES.ERR_NAME_REQUIRED: _LOOSE_SIGN,
    _CODES.ERR_ENTITYREF_NO_NAME: _LOOSE_SIGN,
    _CODES.ERR_UNKNOWN_ENCODING: message("it declares an encoding that is not known"),
    _CODES.ERR_UNSUPPORTED_ENCODING: message("it declares an encoding that is not known"),
    _CODES.ERR_INVALID_ENCODING: _NO_TEXT,
    _CODES.ERR_LT_IN_ATTRIBUTE: _ATTRIBUTE,
    _CODES.ERR_ATTRIBUTE_NOT_STARTED: _ATTRIBUTE,
    _CODES.ERR_ATTRIBUTE_NOT_FINISHED: _ATTRIBUTE,
    _CODES.ERR_ATTRIBUTE_WITHOUT_VALUE: _ATTRIBUTE,
    _CODES.ERR_ATTRIBUTE_REDEFINED: message("a tag has the same attribute twice"),
    _CODES.ERR_LT_REQUIRED: _TAG,
    _CODES.ERR_GT_REQUIRED: _TAG,
    _CODES.ERR_LTSLASH_REQUIRED: _TAG,
    _CODES.ERR_EQUAL_REQUIRED: _ATTRIBUTE,
    _CODES.ERR_SPACE_REQUIRED: _TAG,
    _CODES.ERR_TAG_NAME_MISMATCH: message("a tag is closed by another name than it was opened by"),
    _CODES.ERR_TAG_NOT_FINISHED: _CUT,
    _CODES.ERR_CDATA_NOT_FINISHED: _CUT,
    _CODES.ERR_COMMENT_NOT_FINISHED: _CUT,
    _CODES.ERR_PI_NOT_FINISHED: _CUT,
    _CODES.ERR_MISPLACED_CDATA_END: message("it holds “]]>” outside of a CDATA section"),
    _CODES.ERR_HYPHEN_IN_COMMENT: message("a comment holds two hyphens"),
    _CODES.ERR_RESERVED_XML_NAME: message("the XML declaration does not stand at its beginning"),
    _CODES.ERR_NO_MEMORY: message("there is not enough memory"),
    _CODES.NS_ERR_UNDEFINED_NAMESPACE: message("a tag has a prefix that is not declared"),
    _CODES.NS_ERR_XML_NAMESPACE: message("a namespace is not declared as XML asks"),
    _CODES.NS_ERR_QNAME: message("a tag has a prefix that is not declared"),
}


def why(error: Exception) -> Message:
    """What `error` of the XML reader says, as the end of a sentence. The original words go to the log."""
    _log.info("the XML reader's words: %s: %s", type(error).__name__, error)
    code = getattr(error, "code", None)
    words = _BY_CODE.get(code) if code is not None else None
    if words is not None:
        return words
    if code is None:
        return _NO_XML
    return message("the XML reader reports error {code}", code=code)
