"""Products, SKUs and images: reading, registering and changing."""

from __future__ import annotations

from typing import Any

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations.catalog_parts import PARTNER_ID, changed, example_id, listed, registered
from sandbox_hub.contract.operations.parameters import first_moment
from sandbox_hub.contract.schema_parts import refer
from sandbox_hub.contract.words import Words

_PRODUCT_ID = 1001  # a variable product of every sandbox, with a SKU of the same id
_IN_PRODUCT = example_id("productId", _PRODUCT_ID)
_SKU = {
    "title": "Rede de descanso",
    "partnerId": "REDE-01",
    "ean": "7891000315507",
    "price": 189.9,
    "amount": "12",
    "additionalTime": 2,
    "internalIdProduct": "REDE",
}
_SIMPLE: dict[str, Any] = {
    "id": None,
    "title": "Rede de descanso",
    "description": "Rede de algodão.",
    "nbm": {"id": "63079090"},
    "brand": {"id": "1", "name": "Aurora"},
    "origin": {"id": "0"},
    "category": {"id": "106"},
    "model": "Casal",
    "warrantyText": "Contra defeitos de fabricação",
    "warrantyTime": "3",
    "weight": 1.8,
    "height": 10,
    "width": 30,
    "length": 40,
    "images": [{"main": True, "url": "https://imagens.example/rede.jpg"}],
    "priceFactor": 1,
    "calculatedPrice": False,
    "characteristics": [{"index": 0, "name": "Material", "value": "Algodão"}],
    "skus": [_SKU],
}
_VARIABLE = {
    **_SIMPLE,
    "title": "Camiseta básica",
    "nbm": {"id": "61091000"},
    "category": {"id": "101"},
    "images": [
        {"main": True, "url": "https://imagens.example/azul.jpg", "variation": "azul"},
        {"main": False, "url": "https://imagens.example/preta.jpg", "variation": "preto"},
    ],
    "skus": [
        {**_SKU, "title": "Camiseta azul M", "partnerId": "CAM-AZ-M", "variations": {"Cor": "azul", "Tamanho": "M"}},
        {**_SKU, "title": "Camiseta preta M", "partnerId": "CAM-PR-M", "variations": {"Cor": "preto", "Tamanho": "M"}},
    ],
}

LIST = listed(
    "listProducts",
    "/products",
    "products",
    "Product",
    Words("Listar produtos", "List products", "Listar productos"),
    (PARTNER_ID, first_moment("changedAfter", Words("Alterado a partir de.", "Changed from.", "Modificado desde."))),
)
GET = Operation(
    id="getProduct",
    method="GET",
    path="/products/{id}",
    tag="products",
    summary=Words("Consultar um produto", "Read a product", "Consultar un producto"),
    path_parameters=(example_id("id", _PRODUCT_ID),),
    answer=refer("Product"),
    refusals=(400, 404),
    own_choice=True,
)
CREATE = registered(
    "createProduct",
    "/products",
    "products",
    "Product",
    Words("Cadastrar um produto com SKUs", "Register a product with its SKUs", "Registrar un producto con sus SKU"),
    {"simple": _SIMPLE, "variable": _VARIABLE},
)
CHANGE = changed(
    "updateProduct",
    "/products/{id}",
    "products",
    "Product",
    Words("Alterar um produto", "Change a product", "Modificar un producto"),
    {
        "description": {"description": "Descrição nova."},
        "price-of-a-sku": {"skus": [{"partnerId": "SKU-0001", "price": "49.90"}]},
    },
    (example_id("id", _PRODUCT_ID),),
)
LIST_SKUS = listed(
    "listSkus",
    "/products/{productId}/skus",
    "skus",
    "Sku",
    Words("Listar os SKUs de um produto", "List the SKUs of a product", "Listar los SKU de un producto"),
    path_parameters=(_IN_PRODUCT,),
)
CREATE_SKU = registered(
    "createSku",
    "/products/{productId}/skus",
    "skus",
    "Sku",
    Words("Cadastrar um SKU", "Register a SKU", "Registrar un SKU"),
    {"sku": {**_SKU, "title": "Camiseta rara", "partnerId": "CAM-RARA", "variations": {"Cor": "grafite"}}},
    path_parameters=(_IN_PRODUCT,),
)
CHANGE_SKU = changed(
    "updateSku",
    "/products/{productId}/skus/{id}",
    "skus",
    "Sku",
    Words("Alterar um SKU em parte", "Change part of a SKU", "Modificar parte de un SKU"),
    {"price": {"price": 59.9}},
    (_IN_PRODUCT, example_id("id", _PRODUCT_ID)),
)
LIST_IMAGES = listed(
    "listImages",
    "/products/{productId}/images",
    "images",
    "Image",
    Words("Listar as imagens de um produto", "List the images of a product", "Listar las imágenes de un producto"),
    path_parameters=(_IN_PRODUCT,),
)
CREATE_IMAGE = registered(
    "createImage",
    "/products/{productId}/images",
    "images",
    "Image",
    Words("Acrescentar uma imagem", "Add an image", "Agregar una imagen"),
    {"url": {"url": "https://imagens.example/detalhe.jpg"}},
    path_parameters=(_IN_PRODUCT,),
)
