"""What is wrong with an XML, by the reader's error code: its own words are English."""

from __future__ import annotations

import logging
from typing import Final

from confere.errors import Message, message

_log = logging.getLogger(__name__)
_NO_XML: Final = message("it does not begin like an XML")
_NO_TEXT: Final = message("its characters are not in the encoding that it declares")
_TAG: Final = message("a tag is not written as XML asks")
_ATTRIBUTE: Final = message("an attribute is not written as XML asks")
_CUT: Final = message("it is cut short")
_LOOSE_SIGN: Final = message("a name is missing after “<” or “&”")

# Source: the error codes of libxml2, `xmlerror.h`.
_BY_CODE: Final = {
    3: _NO_XML,  # ERR_DOCUMENT_START
    4: _NO_XML,  # ERR_DOCUMENT_EMPTY
    5: message("something follows after its end"),  # ERR_DOCUMENT_END
    9: message("it holds a character that XML forbids"),  # ERR_INVALID_CHAR
    8: message("it holds a character that XML forbids"),  # ERR_INVALID_CHARREF
    26: message("it uses an abbreviation (“&…;”) that it does not define"),  # ERR_UNDECLARED_ENTITY
    23: message("an “&” stands alone where “&amp;” belongs"),  # ERR_ENTITYREF_SEMICOL_MISSING
    68: _LOOSE_SIGN,  # ERR_NAME_REQUIRED
    22: _LOOSE_SIGN,  # ERR_ENTITYREF_NO_NAME
    31: message("it declares an encoding that is not known"),  # ERR_UNKNOWN_ENCODING
    32: message("it declares an encoding that is not known"),  # ERR_UNSUPPORTED_ENCODING
    81: _NO_TEXT,  # ERR_INVALID_ENCODING
    38: _ATTRIBUTE,  # ERR_LT_IN_ATTRIBUTE
    39: _ATTRIBUTE,  # ERR_ATTRIBUTE_NOT_STARTED
    40: _ATTRIBUTE,  # ERR_ATTRIBUTE_NOT_FINISHED
    41: _ATTRIBUTE,  # ERR_ATTRIBUTE_WITHOUT_VALUE
    42: message("a tag has the same attribute twice"),  # ERR_ATTRIBUTE_REDEFINED
    72: _TAG,  # ERR_LT_REQUIRED
    73: _TAG,  # ERR_GT_REQUIRED
    74: _TAG,  # ERR_LTSLASH_REQUIRED
    75: _ATTRIBUTE,  # ERR_EQUAL_REQUIRED
    65: _TAG,  # ERR_SPACE_REQUIRED
    76: message("a tag is closed by another name than it was opened by"),  # ERR_TAG_NAME_MISMATCH
    77: _CUT,  # ERR_TAG_NOT_FINISHED
    63: _CUT,  # ERR_CDATA_NOT_FINISHED
    45: _CUT,  # ERR_COMMENT_NOT_FINISHED
    47: _CUT,  # ERR_PI_NOT_FINISHED
    62: message("it holds “]]>” outside of a CDATA section"),  # ERR_MISPLACED_CDATA_END
    80: message("a comment holds two hyphens"),  # ERR_HYPHEN_IN_COMMENT
    64: message("the XML declaration does not stand at its beginning"),  # ERR_RESERVED_XML_NAME
    2: message("there is not enough memory"),  # ERR_NO_MEMORY
    201: message("a tag has a prefix that is not declared"),  # NS_ERR_UNDEFINED_NAMESPACE
    200: message("a namespace is not declared as XML asks"),  # NS_ERR_XML_NAMESPACE
    202: message("a tag has a prefix that is not declared"),  # NS_ERR_QNAME
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
