"""Looks into a PDF as a reader of it would: its pages and the words on them."""

from __future__ import annotations

import pypdfium2


def pages(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    found = len(document)
    document.close()
    return found


def words(data: bytes) -> str:
    """Everything that can be read on it."""
    document = pypdfium2.PdfDocument(data)
    found = []
    for place in range(len(document)):
        page = document[place]
        text = page.get_textpage()
        found.append(text.get_text_bounded())
        text.close()
        page.close()
    document.close()
    return "\n".join(found)


def bare(text: str) -> str:
    """Letters and figures alone: lines are broken, and a rendering may write a figure in another way."""
    return "".join(letter for letter in text if letter.isalnum())
