"""What a push sends, as values: one step a request (or one item of PUT /stocks), in the order of registration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from confere.archive.catalog.push_journal import StepName, StepState

if TYPE_CHECKING:
    from confere.hub.catalog.catalog_writes import CatalogWrite

CategoryPath = tuple[str, ...]


class PushKind(StrEnum):
    """In the order in which things are registered.

    Source: interfaces.md, "Recommended catalog registration order": without its prerequisites a product is refused.
    """

    BRAND = "brand"
    CATEGORY = "category"
    VARIATION = "variation"
    PRODUCT = "product"
    SKU = "sku"
    IMAGE = "image"
    STOCK = "stock"


@dataclass(frozen=True, slots=True)
class PushStep:
    """One thing to write. `creates` tells something new from a change; `lines` are the rows of the file it is for.

    `brand` and `category` are what the body has to name by the hub's ids, known only when those are registered;
    `makes_category` is the path of the category that this step registers, below that of `category`. `codes` are those
    by which the hub can be asked whether it arrived.
    """

    kind: PushKind
    name: str
    creates: bool
    lines: tuple[int, ...]
    write: CatalogWrite
    product: str = ""
    brand: str = ""
    category: CategoryPath = ()
    makes_category: CategoryPath = ()
    codes: tuple[str, ...] = ()
    is_shown: bool = True  # whether products show what it writes; they do not show what a SKU costs

    @property
    def key(self) -> StepName:
        """By which the journal knows it."""
        return StepName(self.kind.value, self.name)

    @property
    def being_sent(self) -> StepState:
        """What it is in the journal until its outcome is known."""
        return StepState.CREATING if self.creates else StepState.CHANGING


@dataclass(slots=True)
class HubIds:
    """The hub's ids of brands by their names, and of categories by their paths."""

    brands: dict[str, str] = field(default_factory=dict)
    categories: dict[CategoryPath, str] = field(default_factory=dict)

    def resolved(self, step: PushStep) -> PushStep:
        """The step with the ids that are known now in its body."""
        body: Any = step.write.body
        if step.kind is PushKind.PRODUCT:
            if step.brand:
                body = {**body, "brand": self.brand(step.brand)}
            if step.category:
                body = {**body, "category": {"id": self.category(step.category)}}
        elif step.kind is PushKind.CATEGORY and step.category:
            parent = self.categories.get(step.category)
            if parent is not None:
                body = {**body, "parentId": int(parent) if parent.isdecimal() else parent}
        else:
            return step
        return replace(step, write=replace(step.write, body=body))

    def brand(self, name: str) -> Mapping[str, str]:
        """A brand as a product's body names it."""
        known = self.brands.get(name)
        return {"name": name} if known is None else {"id": known, "name": name}

    def category(self, path: CategoryPath) -> str:
        """The hub's id of a category, which a file may name by that id; empty for one that is not registered."""
        return self.categories.get(path, path[0] if len(path) == 1 else "")
