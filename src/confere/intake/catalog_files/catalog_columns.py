"""The columns of a file of products: what each is called, what it holds, and whether a row must have it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from confere.errors import N_
from confere.system.plain_text import folded

PRODUCT: Final = "product"
SKU: Final = "sku"


class CatalogColumn(NamedTuple):
    """One column. `field` is its name here, `header` what the template calls it, `aliases` other names, folded.

    `of` says whether it is of the product, which rows of the same product share, or of the SKU, one a row; `required`
    for a product that is new. `meaning` is a sentence for people, `example` a value.
    """

    field: str
    header: str
    aliases: tuple[str, ...]
    of: str
    required: bool
    meaning: str
    example: str


COLUMNS: Final = (
    CatalogColumn("product", "Produto", ("product", "producto", "codigo produto", "product code"), PRODUCT, False,
                  N_("What rows of one product have in common; empty: the row is a product of its own."), "CAM-01"),
    CatalogColumn("title", "Título", ("titulo", "nome", "nome produto", "title", "name", "nombre"), PRODUCT, True,
                  N_("The product's name."), "Camiseta básica"),
    CatalogColumn("code", "SKU", ("codigo", "codigo sku", "code", "partnerid", "partner id", "codigo item"), SKU, True,
                  N_("The seller's own code, by which orders and invoices call it; one row a code."), "CAM-01-AZ"),
    CatalogColumn("sku_title", "Título do SKU", ("titulo sku", "sku title", "nome sku"), SKU, False,
                  N_("The name of this SKU; empty: the product's."), "Camiseta básica azul"),
    CatalogColumn("ean", "EAN", ("gtin", "ean gtin", "codigo barras", "barcode"), SKU, False,
                  N_("EAN or other GTIN, with its check digit."), "7891000315507"),
    CatalogColumn("price", "Preço", ("preco", "preco venda", "price", "precio"), SKU, True,
                  N_("The price in reais."), "49,90"),
    CatalogColumn("stock", "Estoque", ("quantidade", "saldo", "stock", "quantity", "existencias"), SKU, False,
                  N_("How many there are; decimals are allowed."), "12"),
    CatalogColumn("cost", "Custo", ("cost", "costo", "preco custo"), SKU, False,
                  N_("What one costs, in reais."), "21,00"),
    CatalogColumn("extra_days", "Prazo adicional", ("dias adicionais", "additional time", "additional days"), SKU,
                  False,
                  N_("Additional days until it can be sent, 0 to 365."), "2"),
    CatalogColumn("unit", "Unidade", ("un", "unit", "unidad"), SKU, False,
                  N_("The commercial unit, as on the invoice (uCom)."), "UN"),
    CatalogColumn("ncm", "NCM", ("nbm", "codigo ncm"), PRODUCT, False,
                  N_("Eight digits, with dots or without."), "61091000"),
    CatalogColumn("origin", "Origem", ("origem mercadoria", "origin", "origen"), PRODUCT, False,
                  N_("Origin of the goods, 0 to 8, as on the invoice."), "0"),
    CatalogColumn("brand", "Marca", ("brand", "fabricante"), PRODUCT, True,
                  N_("The brand's name; one that is not registered is registered first."), "Aurora"),
    CatalogColumn("category", "Categoria", ("category", "departamento"), PRODUCT, True,
                  N_("The category with those above it, parted by >; what is not registered is registered first."),
                  "Moda > Camisetas"),
    CatalogColumn("model", "Modelo", ("model",), PRODUCT, False, N_("The model."), "850"),
    CatalogColumn("description", "Descrição", ("descricao", "description", "descripcion"), PRODUCT, False,
                  N_("The description for buyers."), "Camiseta de algodão."),
    CatalogColumn("warranty_text", "Garantia", ("warranty", "garantia texto"), PRODUCT, False,
                  N_("What the warranty says."), "Contra defeitos de fabricação"),
    CatalogColumn("warranty_time", "Tempo de garantia", ("warranty time", "meses garantia"), PRODUCT, False,
                  N_("How long the warranty lasts, a whole number."), "3"),
    CatalogColumn("weight", "Peso", ("weight", "peso kg"), PRODUCT, False, N_("Weight of the packed product."), "0,3"),
    CatalogColumn("height", "Altura", ("height", "alto"), PRODUCT, False, N_("Height of the packed product."), "4"),
    CatalogColumn("width", "Largura", ("width", "ancho"), PRODUCT, False, N_("Width of the packed product."), "25"),
    CatalogColumn("length", "Comprimento", ("length", "largo", "profundidade"), PRODUCT, False,
                  N_("Length of the packed product."), "30"),
    CatalogColumn("price_factor", "Fator de preço", ("price factor", "fator"), PRODUCT, False,
                  N_("More than 0; empty: 1 for a new product."), "1"),
    CatalogColumn("variation_1", "Variação 1", ("variacao", "variation 1", "variation"), SKU, False,
                  N_("A type of variation, for products with several SKUs."), "Cor"),
    CatalogColumn("value_1", "Valor 1", ("valor variacao", "value 1", "value"), SKU, False,
                  N_("Its value for this SKU."), "azul"),
    CatalogColumn("variation_2", "Variação 2", ("variation 2",), SKU, False,
                  N_("A second type of variation."), "Tamanho"),
    CatalogColumn("value_2", "Valor 2", ("value 2",), SKU, False, N_("Its value for this SKU."), "M"),
    CatalogColumn("images", "Imagens", ("imagem", "images", "image", "fotos", "imagenes"), SKU, False,
                  N_("Addresses of pictures (https://…), parted by blanks."), "https://imagens.example/azul.jpg"),
)  # fmt: skip
"""In the order of the template."""
BY_FIELD: Final = {column.field: column for column in COLUMNS}
_SEPARATORS: Final = re.compile(r"[^0-9a-z]+")
_FILLERS: Final = frozenset(("de", "do", "da", "del", "of"))


def named(header: str) -> CatalogColumn | None:
    """The column that a file calls so, in any of our languages; None for one that means nothing here."""
    return _NAMES.get(_plain(header))


def fields_of(headers: Sequence[str]) -> dict[str, int]:
    """The place of each field among the columns; the first one where a field is named twice."""
    places: dict[str, int] = {}
    for place, header in enumerate(headers):
        column = named(header)
        if column is not None:
            places.setdefault(column.field, place)
    return places


def _plain(header: str) -> str:
    words = _SEPARATORS.sub(" ", folded(header)).split()
    return " ".join(word for word in words if word not in _FILLERS)


_NAMES: Final = {
    name: column for column in COLUMNS for name in (_plain(column.header), *column.aliases, _plain(column.field))
}
