"""What is said of the fields of an account, and of a test of its connection."""

from __future__ import annotations

from confere.app.accounts import address_check
from confere.app.accounts.accounts import Tested
from confere.errors import HubAddressRefused
from confere.system.messages import ngettext, render, t


def tested_words(found: Tested) -> str:
    """What a test of the connection showed, in plain words."""
    if found.documents is None:
        said = t("The hub answers and takes the token.")
    else:
        said = ngettext(
            "The hub answers, takes the token and lists {count} document.",
            "The hub answers, takes the token and lists {count} documents.",
            found.documents,
        )
    return f"{said} {render(found.warning)}" if found.warning else said


def address_problem(text: str) -> str:
    """What is wrong with an address, or empty."""
    if not text:
        return t("Give the address as the hub shows it.")
    try:
        address_check.normalise(text)
    except HubAddressRefused as refused:
        return f"{render(refused.what)} {render(refused.remedy) if refused.remedy else ''}".strip()
    return ""


def platform_problem(text: str) -> str:
    """What is wrong with the name of a platform, or empty."""
    if not text:
        return t("Give the name of the platform.")
    if not (text.isascii() and text.isprintable()):
        return t("Use plain letters, digits and spaces: a request cannot carry others.")
    return ""
