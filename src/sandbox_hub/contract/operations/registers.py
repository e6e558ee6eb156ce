"""Brands, categories and variations: what is registered before a product."""

from __future__ import annotations

from sandbox_hub.contract.operations.catalog_parts import PARTNER_ID, changed, example_id, listed, registered
from sandbox_hub.contract.words import Words

LIST_BRANDS = listed(
    "listBrands", "/brands", "brands", "Brand", Words("Listar marcas", "List brands", "Listar marcas"), (PARTNER_ID,)
)
CREATE_BRAND = registered(
    "createBrand",
    "/brands",
    "brands",
    "Brand",
    Words("Cadastrar uma marca", "Register a brand", "Registrar una marca"),
    {"brand": {"name": "Marca Nova", "partnerId": "MARCA-NOVA"}},
)
CHANGE_BRAND = changed(
    "updateBrand",
    "/brands/{id}",
    "brands",
    "Brand",
    Words("Alterar uma marca", "Change a brand", "Modificar una marca"),
    {"name": {"name": "Aurora Brasil"}},
    (example_id("id", 1),),
)
LIST_CATEGORIES = listed(
    "listCategories",
    "/categories",
    "categories",
    "Category",
    Words("Listar categorias", "List categories", "Listar categorías"),
    (PARTNER_ID,),
)
CREATE_CATEGORY = registered(
    "createCategory",
    "/categories",
    "categories",
    "Category",
    Words("Cadastrar uma categoria", "Register a category", "Registrar una categoría"),
    {
        "category": {"name": "Jardim", "partnerId": "JARDIM", "priceFactor": 1.0, "calculatePrice": False},
        "with-children": {"name": "Pesca", "partnerId": "PESCA", "children": [{"name": "Varas", "partnerId": "VARAS"}]},
    },
)
CHANGE_CATEGORY = changed(
    "updateCategory",
    "/categories/{id}",
    "categories",
    "Category",
    Words("Alterar uma categoria", "Change a category", "Modificar una categoría"),
    {"factor": {"priceFactor": 1.1}},
    (example_id("id", 101),),
)
LIST_VARIATIONS = listed(
    "listVariations",
    "/variations",
    "variations",
    "Variation",
    Words("Listar variações", "List variations", "Listar variaciones"),
)
CREATE_VARIATION = registered(
    "createVariation",
    "/variations",
    "variations",
    "Variation",
    Words(
        "Cadastrar uma variação, ou valores novos dela",
        "Register a variation, or new values of it",
        "Registrar una variación, o valores nuevos de ella",
    ),
    {"voltage": {"name": "Voltagem", "values": ["110V", "220V"]}},
    own_choice=True,
)
