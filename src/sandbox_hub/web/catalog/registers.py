"""Brands, categories and variations: what must be registered before a product."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.catalog.register import Record, Register
from sandbox_hub.web.body_check import check_body
from sandbox_hub.web.catalog.lists import check_same_id, path_number, records_answer
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_value, created, not_found

_NO_BRAND = "Marca não encontrada."
_NO_CATEGORY = "Categoria não encontrada."


async def list_brands(call: Call) -> Response:
    """GET /brands."""
    return _list(call, "/brands", call.environment.catalog.brands)


async def create_brand(call: Call) -> Response:
    """POST /brands: its name and its partnerId are its own."""
    call.query()
    body = check_body(await call.json_body(), "NewBrand")
    brands = call.environment.catalog.brands
    _check_own(brands, body, ("name", "partnerId"))
    record = brands.add({"name": body["name"], "partnerId": body.get("partnerId")})
    call.environment.save()
    return created(record)


async def change_brand(call: Call) -> Response:
    """PUT /brands/{id}."""
    call.query()
    brands = call.environment.catalog.brands
    record = _in_path(call, brands, _NO_BRAND)
    body = check_body(await call.json_body(), "BrandChange")
    check_same_id(body, record["id"])
    _check_own(brands, body, ("name", "partnerId"), record["id"])
    brands.change({**record, **body, "id": record["id"]})
    call.environment.save()
    return answer(brands.get(record["id"]))


async def list_categories(call: Call) -> Response:
    """GET /categories."""
    query = call.query(("partnerId",), paged=True)
    categories = call.environment.catalog.categories
    everything = list(categories.values())
    children = _children(everything)
    records = [_category(record, children) for record in _of_partner(everything, query.values.get("partnerId"))]
    return records_answer(call, "/categories", query, records)


async def create_category(call: Call) -> Response:
    """POST /categories: with the children that it is sent with, which are registered too."""
    call.query()
    body = check_body(await call.json_body(), "NewCategory")
    categories = call.environment.catalog.categories
    _check_category(categories, body, None)
    record = categories.add(
        {
            "name": body["name"],
            "partnerId": body.get("partnerId"),
            "priceFactor": _or(body.get("priceFactor"), 1.0),
            "calculatePrice": _or(body.get("calculatePrice"), False),
            "parentId": body.get("parentId"),
        }
    )
    _take_children(categories, record, body)
    call.environment.save()
    return created(_category(record, _children(categories.values())))


async def change_category(call: Call) -> Response:
    """PUT /categories/{id}: children that are sent are added, none is taken away."""
    call.query()
    categories = call.environment.catalog.categories
    record = _in_path(call, categories, _NO_CATEGORY)
    body = check_body(await call.json_body(), "CategoryChange")
    check_same_id(body, record["id"])
    _check_category(categories, body, record["id"])
    for name, otherwise in (("name", None), ("partnerId", None), ("priceFactor", 1.0), ("calculatePrice", False)):
        if name in body:
            record[name] = _or(body[name], otherwise)
    if "parentId" in body:
        record["parentId"] = body["parentId"]
    categories.change(record)
    _take_children(categories, record, body)
    call.environment.save()
    return answer(_category(record, _children(categories.values())))


async def list_variations(call: Call) -> Response:
    """GET /variations."""
    query = call.query(paged=True)
    return records_answer(call, "/variations", query, list(call.environment.catalog.variations.values()))


async def create_variation(call: Call) -> Response:
    """POST /variations: a new type, or new values of one that there is already."""
    call.query()
    body = check_body(await call.json_body(), "NewVariation")
    variations = call.environment.catalog.variations
    record = variations.first("name", body["name"])
    if record is None:
        record = variations.add({"name": body["name"], "values": list(dict.fromkeys(body["values"]))})
    else:
        record["values"] = list(dict.fromkeys([*record["values"], *body["values"]]))
        variations.change(record)
    call.environment.save()
    return created(record)


def _list(call: Call, path: str, register: Register) -> Response:
    query = call.query(("partnerId",), paged=True)
    records = _of_partner(list(register.values()), query.values.get("partnerId"))
    return records_answer(call, path, query, records)


def _of_partner(records: list[Record], partner_id: str | None) -> list[Record]:
    return records if partner_id is None else [record for record in records if record["partnerId"] == partner_id]


def _in_path(call: Call, register: Register, message: str) -> Record:
    record = register.get(path_number(call, "id", message))
    if record is None:
        raise not_found(message)
    return record


def _check_own(register: Register, body: dict[str, Any], names: tuple[str, ...], own_id: int | None = None) -> None:
    """Refuse a value that another record has."""
    for name in names:
        if body.get(name) is not None and any(
            record[name] == body[name] and record["id"] != own_id for record in register.values()
        ):
            raise bad_value(f"Já existe um cadastro com {name} {body[name][:60]}.")


def _check_category(categories: Register, body: dict[str, Any], own_id: int | None) -> None:
    _check_own(categories, body, ("partnerId",), own_id)
    above: set[int] = set()
    parent = body.get("parentId")
    if parent is None and own_id is not None and "parentId" not in body:
        parent = (categories.get(own_id) or {}).get("parentId")
    while parent is not None:
        record = categories.get(int(parent))
        if record is None:
            raise bad_value(f"A categoria {parent} não está cadastrada.")
        above.add(int(parent))
        parent = record["parentId"]
        if parent in above:
            raise bad_value("Uma categoria não pode estar abaixo dela mesma.")
    new = [child["partnerId"] for child in _children_sent(body) if child.get("id") is None and child.get("partnerId")]
    for n, child in enumerate(_children_sent(body)):
        if child.get("id") is None:
            if "name" not in child:
                raise bad_value(f"O campo children[{n}] deve conter name ou o id de uma categoria.")
            _check_own(categories, {"partnerId": child.get("partnerId")}, ("partnerId",))
        elif categories.get(int(child["id"])) is None:
            raise bad_value(f"A categoria {child['id']} não está cadastrada.")
    below = {int(child["id"]) for child in _children_sent(body) if child.get("id") is not None}
    if own_id in above | below or above & below:
        raise bad_value("Uma categoria não pode estar abaixo dela mesma.")
    if len({*new, body.get("partnerId")}) < len(new) + 1:
        raise bad_value("Há um partnerId repetido em children.")


def _take_children(categories: Register, record: Record, body: dict[str, Any]) -> None:
    for child in _children_sent(body):
        if child.get("id") is not None:
            known = categories.get(int(child["id"]))
            assert known is not None
            categories.change({**known, "parentId": record["id"]})
        else:
            usual = {name: record[name] for name in ("priceFactor", "calculatePrice")}
            given = {"name": child["name"], "partnerId": child.get("partnerId")}
            categories.add({**given, **usual, "parentId": record["id"]})


def _children_sent(body: dict[str, Any]) -> list[dict[str, Any]]:
    return body.get("children") or []


def _children(records: Any) -> dict[int | None, list[Record]]:
    """Categories by that above them."""
    children: dict[int | None, list[Record]] = {}
    for record in records:
        children.setdefault(record["parentId"], []).append(record)
    return children


def _category(record: Record, children: dict[int | None, list[Record]]) -> Record:
    below = children.get(record["id"], [])
    return {**record, "children": [{name: child[name] for name in ("id", "name", "partnerId")} for child in below]}


def _or(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value
