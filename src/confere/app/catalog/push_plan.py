"""What a file of products would create and change at the hub: held against the catalog as it was just synced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from confere.app.catalog.push_steps import CategoryPath, HubIds, PushKind, PushStep
from confere.archive.accounts.accounts import Account
from confere.archive.catalog import catalog_search, registered_names
from confere.archive.catalog.catalog_search import KnownProduct
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.hub.catalog import catalog_writes, product_reader
from confere.hub.catalog.catalog_writes import CatalogWrite
from confere.hub.contract.contract import Contract
from confere.hub.json.json_reader import of_text
from confere.hub.json.json_values import objects
from confere.intake.catalog_files.product_drafts import (
    CatalogFile,
    ProductDraft,
    RowFault,
    SkuDraft,
    column_of,
    lacking,
)
from confere.sales.catalog_product import CatalogName
from confere.system.plain_text import folded_words

_ABOVE: Final = " > "
_Json = dict[str, Any]


@dataclass(slots=True)
class PushPlan:
    """What is to be sent, in the order of registration. Nothing may be sent while there are `faults`.

    `ids` are the hub's of what is registered, `settled` lines need nothing: the hub has them as the file says.
    `last_push` is the number of the newest push to the account when this was planned, None where there was none.
    """

    account: str
    file: CatalogFile
    steps: list[PushStep] = field(default_factory=list)
    faults: list[RowFault] = field(default_factory=list)
    ids: HubIds = field(default_factory=HubIds)
    last_push: int | None = None

    def counts(self) -> dict[str, dict[str, int]]:
        """How many things of each kind are created and changed."""
        counts = {kind.value: {"created": 0, "changed": 0} for kind in PushKind}
        for step in self.steps:
            counts[step.kind.value]["created" if step.creates else "changed"] += 1
        return counts

    @property
    def digest(self) -> str:
        """A name for exactly these requests in this order: whoever looked at them can say that it means them."""
        told = hashlib.sha256()
        for step in self.steps:
            named = [step.kind, step.name, step.brand, step.category, step.makes_category, step.write.path]
            told.update(f"{step.write.method} {json.dumps(named)}\n".encode() + step.write.data + b"\n")
        return told.hexdigest()

    @property
    def settled(self) -> frozenset[int]:
        """The lines for which nothing is to be sent."""
        sent = {line for step in self.steps for line in step.lines}
        return frozenset(line for product in self.file.products for line in product.lines if line not in sent)


def plan(
    archive: Archive, transaction: Transaction, account: Account, file: CatalogFile, contract: Contract | None
) -> PushPlan:
    """Hold a file against what the archive has of the account's catalog, and each body against the contract."""
    made = PushPlan(account.name, file, faults=list(file.faults))
    planner = _Planner(archive, transaction, account, made)
    planner.run()
    if contract is not None:
        _check_contract(made, contract)
    made.faults.sort(key=lambda fault: (fault.line, fault.column))
    return made


class _Planner:
    def __init__(self, archive: Archive, transaction: Transaction, account: Account, made: PushPlan) -> None:
        self._archive = archive
        self._transaction = transaction
        self._made = made
        self._file = made.file
        codes = [sku.code for product in made.file.products for sku in product.skus]
        self._owners = catalog_search.owners(transaction, account.id, codes)
        self._brands: dict[str, str] = {}  # by the name without case and accents, the registered one
        for entry in registered_names.every(transaction, account.id, CatalogName.BRAND):
            made.ids.brands[entry.name] = entry.hub_id
            self._brands.setdefault(folded_words(entry.name), entry.name)
        self._categories: dict[CategoryPath, CategoryPath] = {}  # by the folded path, the registered one
        self._short: dict[str, list[CategoryPath]] = {}  # by the folded last name, or the caller's own id
        self._take_categories(account)
        self._values = {
            entry.name: set(entry.values)
            for entry in registered_names.every(transaction, account.id, CatalogName.VARIATION)
        }

    def _take_categories(self, account: Account) -> None:
        every = {
            entry.hub_id: entry for entry in registered_names.every(self._transaction, account.id, CatalogName.CATEGORY)
        }
        for entry in every.values():
            path: CategoryPath = (entry.name,)
            above, seen = entry.parent_id, {entry.hub_id}
            while above in every and above not in seen:
                seen.add(above)
                path, above = (every[above].name, *path), every[above].parent_id
            self._made.ids.categories[path] = entry.hub_id
            self._categories.setdefault(_folded(path), path)
            for name in {folded_words(entry.name), folded_words(entry.partner_id or entry.name)}:
                self._short.setdefault(name, []).append(path)

    def run(self) -> None:
        """Make the steps of every product, then those that must come before them."""
        of_products: dict[PushKind, list[PushStep]] = {kind: [] for kind in PushKind}
        for product in self._file.products:
            if not product.skus:
                continue
            for step in self._of_product(product):
                of_products[step.kind].append(step)
        for kind in PushKind:
            self._made.steps += of_products[kind]

    def _of_product(self, product: ProductDraft) -> Iterator[PushStep]:
        owners = {self._owners[sku.code] for sku in product.skus if sku.code in self._owners}
        if len(owners) > 1:
            line = product.skus[0].line
            self._fault(
                line,
                "Produto",
                message("The rows of {product} are SKUs of several products at the hub.", product=product.key),
                message("Give the rows of each of the hub's products a name of their own."),
            )
            return
        if owners:
            yield from self._of_known(product, owners.pop())
        else:
            yield from self._of_new(product)

    def _of_new(self, product: ProductDraft) -> Iterator[PushStep]:
        missing = lacking(product)
        for line, column in missing:
            self._fault(
                line,
                column,
                message("A new product must have it; the cell is empty."),
                message("Fill it in. A product that the hub has needs only what is to change."),
            )
        if missing:
            return
        brand, category = self._brand(product.brand), self._category(product.category)
        yield from self._names(product, brand, category)
        title = product.stated["title"]
        skus = [{"title": title, "partnerId": sku.code, **sku.stated} for sku in product.skus]
        body: _Json = {"priceFactor": Decimal(1), **product.stated, "skus": skus}
        images = list(_images(product))
        if images:
            body["images"] = images
        write = CatalogWrite(catalog_writes.NEW_PRODUCT, body)
        codes = tuple(sku.code for sku in product.skus)
        yield PushStep(
            PushKind.PRODUCT, product.key, True, product.lines, write, product.key, brand, category, codes=codes
        )
        for sku in product.skus:
            if sku.stock is not None or sku.cost is not None:
                yield self._stock(product, sku, is_shown=sku.stock is not None)

    def _of_known(self, product: ProductDraft, known: KnownProduct) -> Iterator[PushStep]:
        current = self._current(known)
        shown_product = product_reader.product(current)
        brand = self._brand(product.brand) if product.brand else ""
        category = self._category(product.category) if product.category else ()
        if brand and brand == shown_product.brand:
            brand = ""
        if category and self._made.ids.category(category) == shown_product.category_id:
            category = ()
        changed = {name: value for name, value in product.stated.items() if differs(value, current.get(name))}
        yield from self._names(product, brand, category)
        if changed or brand or category:
            write = CatalogWrite(catalog_writes.PRODUCT, changed, (known.hub_id,))
            yield PushStep(PushKind.PRODUCT, product.key, False, product.lines, write, product.key, brand, category)
        at_hub = _skus(current)
        shown = {url for image in objects(current.get("images")) if isinstance(url := image.get("url"), str)}
        for sku in product.skus:
            there = at_hub.get(sku.code)
            if there is None:
                title = product.stated.get("title") or shown_product.title
                body = {"title": title, "partnerId": sku.code, **sku.stated}
                write = CatalogWrite(catalog_writes.NEW_SKU, body, (known.hub_id,))
                yield PushStep(PushKind.SKU, sku.code, True, (sku.line,), write, product.key, codes=(sku.code,))
            else:
                of_sku = {name: value for name, value in sku.stated.items() if differs(value, there.get(name))}
                sku_id = product_reader.sku(there).hub_id
                if of_sku and sku_id is None:
                    self._fault(
                        sku.line,
                        "SKU",
                        message("The hub shows no id of the SKU {code}: it cannot be changed.", code=sku.code),
                        message("Do it in the hub's panel, then push the file again."),
                    )
                elif of_sku and sku_id is not None:
                    write = CatalogWrite(catalog_writes.SKU, of_sku, (known.hub_id, sku_id))
                    yield PushStep(PushKind.SKU, sku.code, False, (sku.line,), write, product.key)
            for address in sku.images:
                if address not in shown:
                    shown.add(address)
                    write = CatalogWrite(catalog_writes.NEW_IMAGE, {"url": address}, (known.hub_id,))
                    yield PushStep(
                        PushKind.IMAGE,
                        f"{sku.code} {address}",
                        True,
                        (sku.line,),
                        write,
                        product.key,
                        codes=(sku.code,),
                    )
            has_other = sku.stock is not None and differs(sku.stock, None if there is None else there.get("amount"))
            if has_other or sku.cost is not None:
                yield self._stock(product, sku, is_shown=has_other)

    def _stock(self, product: ProductDraft, sku: SkuDraft, *, is_shown: bool) -> PushStep:
        item: _Json = {"partnerId": sku.code}
        if sku.stock is not None:
            item["quantity"] = sku.stock
        if sku.cost is not None:
            item["cost"] = sku.cost
        write = CatalogWrite(catalog_writes.STOCKS, [item])
        return PushStep(PushKind.STOCK, sku.code, False, (sku.line,), write, product.key, is_shown=is_shown)

    def _names(self, product: ProductDraft, brand: str, category: CategoryPath) -> Iterator[PushStep]:
        """What has to be registered before the product, each once."""
        lines = product.lines
        if brand and brand not in self._made.ids.brands and folded_words(brand) not in self._brands:
            self._brands[folded_words(brand)] = brand
            write = CatalogWrite(catalog_writes.BRANDS, {"name": brand})
            yield PushStep(PushKind.BRAND, brand, True, lines, write)
        for length in range(1, len(category) + 1):
            path = category[:length]
            if path in self._made.ids.categories or _folded(path) in self._categories or _is_id(path):
                continue
            self._categories[_folded(path)] = path
            body = {"name": path[-1], "priceFactor": Decimal(1), "calculatePrice": False}
            write = CatalogWrite(catalog_writes.CATEGORIES, body)
            yield PushStep(
                PushKind.CATEGORY, _ABOVE.join(path), True, lines, write, category=path[:-1], makes_category=path
            )
        for sku in product.skus:
            for kind, value in sku.stated.get("variations", {}).items():
                if value in self._values.setdefault(kind, set()):
                    continue
                self._values[kind].add(value)
                write = CatalogWrite(catalog_writes.VARIATIONS, {"name": kind, "values": [value]})
                yield PushStep(PushKind.VARIATION, f"{kind}: {value}", True, (sku.line,), write)

    def _brand(self, name: str) -> str:
        """The brand as it is registered, whatever case and accents the file has."""
        return self._brands.get(folded_words(name), name)

    def _category(self, path: CategoryPath) -> CategoryPath:
        """The category as it is registered; a single name is looked for at any depth where only one is called so."""
        known = self._categories.get(_folded(path))
        if known is None and len(path) == 1:
            called = self._short.get(folded_words(path[0]), ())
            known = called[0] if len(called) == 1 else None
        if known is not None:
            return known
        above = next(
            (
                self._categories[_folded(path[:n])]
                for n in range(len(path) - 1, 0, -1)
                if _folded(path[:n]) in self._categories
            ),
            (),
        )
        return (*above, *path[len(above) :])

    def _current(self, known: KnownProduct) -> _Json:
        value = of_text(self._archive.vault.get(self._transaction, known.content_id)).value
        return value if isinstance(value, dict) else {}

    def _fault(self, line: int, column: str, reason: Any, remedy: Any) -> None:
        self._made.faults.append(RowFault(self._file.sheet, line, column, reason, remedy))


def _skus(current: _Json) -> dict[str, _Json]:
    """The SKUs of a product by their codes, whatever the hub calls what is compared here."""
    skus: dict[str, _Json] = {}
    for each in objects(current.get("skus")):
        sku = product_reader.sku(each)
        usual = {"title": sku.title, "ean": sku.ean, "amount": sku.stock}
        skus.setdefault(sku.code, {**usual, **each})
    return skus


def differs(stated: Any, current: Any) -> bool:
    """Whether the hub has another value than the file states: numbers by their worth, ids without their dots."""
    if isinstance(stated, Mapping):
        if list(stated) == ["id"] and isinstance(current, str | int):
            return differs(stated["id"], current)
        if not isinstance(current, Mapping):
            return True
        return any(differs(value, current.get(name)) for name, value in stated.items()) or (
            "id" not in stated and len(stated) != len(current)
        )
    if isinstance(stated, Decimal | int):
        try:
            return current is None or Decimal(str(current)) != Decimal(stated)
        except InvalidOperation:
            return True
    text = "" if current is None else str(current).strip()
    return stated not in (text, text.replace(".", ""))


def _images(product: ProductDraft) -> Iterator[_Json]:
    seen: set[str] = set()
    for sku in product.skus:
        for address in sku.images:
            if address not in seen:
                seen.add(address)
                image: _Json = {"main": len(seen) == 1, "url": address}
                value = next(iter(sku.stated.get("variations", {}).values()), None)
                yield image if value is None or len(product.skus) == 1 else {**image, "variation": value}


def _check_contract(made: PushPlan, contract: Contract) -> None:
    """Name each row of which a body is not what the hub's contract asks for."""
    absent: set[tuple[str, str]] = set()
    for step in made.steps:
        resolved = made.ids.resolved(step)
        write = resolved.write
        if catalog_writes.operation_of(contract, write) is None:
            if write.operation not in absent:
                absent.add(write.operation)
                reason = message("The hub's contract has no {operation}.", operation=" ".join(write.operation))
                remedy = message("Do it in the hub's panel, then push the file again.")
                made.faults.append(RowFault(made.file.sheet, step.lines[0], "", reason, remedy))
            continue
        for place, what in catalog_writes.schema_faults(contract, write):
            if step.category and place == "category.id":
                continue  # of a category that is still to be registered
            line = _line_of(step, place)
            reason = message("The hub's contract does not take it ({field}): {what}.", field=place or "-", what=what)
            remedy = message("Correct the cell.")
            column = column_of(place) if step.kind not in (PushKind.SKU, PushKind.STOCK) else column_of(f"sku.{place}")
            made.faults.append(RowFault(made.file.sheet, line, column, reason, remedy))


def _line_of(step: PushStep, place: str) -> int:
    """The row that a field of the body comes from."""
    if place.startswith("skus["):
        number = place[5:].partition("]")[0]
        if number.isdecimal() and int(number) < len(step.lines):
            return step.lines[int(number)]
    return step.lines[0]


def _folded(path: Sequence[str]) -> CategoryPath:
    return tuple(map(folded_words, path))


def _is_id(path: CategoryPath) -> bool:
    """Whether a file names a category by the hub's id of it."""
    return len(path) == 1 and path[0].isdecimal()
