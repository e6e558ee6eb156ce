"""The row above the list of products: a text to look for, chips for what is missing, origin, brand and category."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import starmap
from typing import Final

from confere.app.catalog.browse_catalog import LACKS, CatalogChoices, ProductQuery, ProductsScope
from confere.app.catalog.product_sections import origin_text
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton, Offer
from confere.desktop.widgets.long_list.filter_row import ListFilterRow
from confere.errors import message
from confere.system.messages import render, t

_GONE: Final = "gone"
_LISTED: Final = "listed"
_TEXT_WIDTH: Final = 236  # so that the chips keep to one line of the smallest usual screen
_LACKS: Final = {
    "ncm": message("NCM of eight digits"),
    "origin": message("origin"),
    "ean": message("EAN"),
    "code": message("SKU code"),
    "price": message("price"),
    "stock": message("stock"),
}


@dataclass(frozen=True, slots=True)
class ProductFilters:
    """Which products are to be seen; `listings` is `gone`, `listed` or nothing, `lacks` what they lack."""

    text: str = ""
    lacks: tuple[str, ...] = ()
    listings: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()

    def within(self, base: ProductsScope) -> ProductsScope:
        """What is asked for, of the company of `base`, sorted as `base` is."""
        query = ProductQuery(
            text=self.text,
            gone=_GONE in self.listings if self.listings else None,
            lacks=self.lacks,
            origins=self.origins,
            brands=self.brands,
            categories=self.categories,
        )
        return replace(base, account=self.accounts[0] if self.accounts else None, query=query)


class ProductFilterRow(ListFilterRow[ProductFilters]):
    """Narrows the list of products."""

    def __init__(self, look: Look) -> None:
        chips = (
            ChipButton("lacks", t("Without"), _lack_word, fixed=LACKS),
            ChipButton("listings", t("Listing"), _listing_word, several=False, fixed=(_LISTED, _GONE)),
            ChipButton("origins", t("Origin"), origin_text),
            ChipButton("brands", t("Brand"), str),
            ChipButton("categories", t("Category"), str),
            ChipButton("accounts", t("Account"), str, several=False),
        )
        super().__init__(
            look,
            ProductFilters(),
            {chip.key: chip for chip in chips},
            hint=t("Title, SKU, EAN, NCM, brand or model…"),
            name=t("Look for a product"),
            width=_TEXT_WIDTH,
        )

    def offer_choices(self, choices: CatalogChoices) -> None:
        """Say in the menus what there is, and how many of each."""
        self.offer(
            {
                "lacks": starmap(Offer, choices.lacks),
                "listings": (Offer(_LISTED, choices.listed), Offer(_GONE, choices.gone)),
                "origins": starmap(Offer, choices.origins),
                "brands": starmap(Offer, choices.brands),
                "categories": starmap(Offer, choices.categories),
            }
        )


def _lack_word(code: str) -> str:
    return render(_LACKS[code])


def _listing_word(code: str) -> str:
    return t("no longer listed") if code == _GONE else t("listed")
