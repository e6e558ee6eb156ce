"""What the columns of an order file mean: by name, in three languages, by a person's word, and as remembered.

A field is named as `FIELDS` names it. Column names are compared without accents, case, punctuation and filler words,
so that `Nº do Pedido`, `numero pedido` and `PEDIDO` are one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from confere.errors import N_, UsageFault, message
from confere.system.messages import in_every_language
from confere.system.plain_text import folded

NOTHING = "-"
"""What a person writes for a column that means nothing here."""

_KNOWN: dict[str, str] = {
    "id": "pedido|pedido id|id pedido|codigo pedido|cod pedido|order|order id|id order|orden|id orden|orden id|id",
    "marketplace_id": "venda|id venda|venda id|codigo venda|pedido marketplace|marketplace id|id marketplace"
    "|marketplace order|marketplace order id|pedido canal|pedido loja|pedido externo|external id|external order id"
    "|venta|id venta",
    "marketplace_number": "marketplacenumber",
    "partner_id": "partner id|partnerid|id parceiro|pedido erp|codigo erp|id erp|erp|seller order id",
    "created_at": "data|data pedido|data venda|data compra|data criacao|data criacao pedido|data hora|data hora pedido"
    "|date|order date|order creation date|purchase date|created at|fecha|fecha venta|fecha pedido|fecha compra",
    "status": "status|status pedido|situacao|situacao pedido|situacao venda|order status|estado pedido|estado venta",
    "marketplace": "marketplace|canal|canal venda|canal vendas|plataforma|channel|sales channel|loja|tienda",
    "total": "total|valor total|total pedido|valor total pedido|total venda|valor pedido|valor venda|order total"
    "|total amount|grand total|total brl|valor total brl|importe total|monto total",
    "payout": "repasse|valor repasse|valor a receber|total a receber|payout",
    "gross": "subtotal|valor bruto|valor produtos|total produtos|subtotal produtos|receita produtos"
    "|receita produtos brl|product subtotal|gross|importe bruto",
    "discount": "desconto|descontos|valor desconto|total descontos|desconto pedido|discount|descuento|descuentos",
    "freight": "frete|valor frete|custo frete|frete cobrado|taxa entrega|freight|shipping|shipping cost|shipping fee"
    "|envio|valor envio|costo envio",
    "interest": "juros|valor juros|interest|interest value|interestvalue|intereses",
    "buyer_name": "comprador|cliente|nome|nome cliente|nome comprador|destinatario|nome destinatario|razao social"
    "|buyer|buyer name|customer|customer name|recipient name|nombre|nombre comprador",
    "buyer_tax_id": "cpf|cnpj|cpf cnpj|cnpj cpf|documento|cpf comprador|cpf cliente|cpf cnpj comprador"
    "|cpf cnpj cliente|cnpj cpf comprador|documento comprador|documento cliente|tax id|buyer tax id|buyer document"
    "|buyer cpf|identificacion fiscal",
    "buyer_email": "email|e mail|email comprador|email cliente|buyer email",
    "city": "cidade|municipio|cidade entrega|city|ciudad",
    "uf": "uf|uf entrega|uf destino|estado entrega|estado uf|estado comprador|state|shipping state|provincia",
    "postal_code": "cep|cep entrega|zip|zip code|postal code|codigo postal",
    "code": "sku|codigo|codigo produto|cod produto|codigo item|codigo sku|sku produto|referencia|referencia sku"
    "|seller sku|product sku|item code|codigo producto",
    "ean": "ean|gtin|ean gtin|codigo barras|barcode",
    "description": "produto|nome produto|titulo|titulo anuncio|nome anuncio|descricao|descricao produto|item|product"
    "|product name|item name|title|producto|titulo publicacion",
    "quantity": "quantidade|qtd|qtde|quant|unidades|quantity|qty|units|cantidad",
    "unit": "preco unitario|valor unitario|preco|preco acordado|unit price|price|precio|precio unitario",
    "item_discount": "desconto item|desconto produto|item discount|descuento item",
    "item_total": "total item|valor item|valor total item|subtotal item|total produto|item total|item subtotal",
    "invoice_number": "nf|nfe|nf e|nota|nota fiscal|invoice|factura",
    "invoice_series": "serie|serie nf|serie nfe|serie nf e|serie nota|serie nota fiscal|series|invoice series",
    "invoice_key": "chave|chave acesso|chave nf|chave nfe|chave nf e|chave acesso nfe|chave acesso nf e"
    "|chave nota fiscal|access key|invoice key|clave acceso",
    "invoice_date": "data nf|data nfe|data nota|data nota fiscal|data emissao|data emissao nf|emissao"
    "|data faturamento|invoice date|fecha factura",
    "shipped_at": "data envio|data despacho|data postagem|ship date|shipping date|shipped at|fecha envio",
    "delivered_at": "data entrega|data entrega efetiva|delivery date|delivered at|fecha entrega",
    "carrier": "transportadora|carrier|transportista",
    "tracking": "rastreio|rastreamento|codigo rastreio|codigo rastreamento|tracking|tracking code|codigo seguimiento",
    "payment": "forma pagamento|metodo pagamento|pagamento|payment method|medio pago|forma pago",
}
FIELDS: tuple[str, ...] = tuple(_KNOWN)
FIELD_WORDS: Mapping[str, str] = {
    "id": N_("number of the order"),
    "marketplace_id": N_("number at the marketplace"),
    "marketplace_number": N_("number that the marketplace shows"),
    "partner_id": N_("number in the seller's system"),
    "created_at": N_("date of the order"),
    "status": N_("status"),
    "marketplace": N_("marketplace"),
    "total": N_("total of the order"),
    "payout": N_("paid out by the marketplace, after fees"),
    "gross": N_("total of the products"),
    "discount": N_("discount of the order"),
    "freight": N_("freight"),
    "interest": N_("interest of the order"),
    "buyer_name": N_("name of the buyer"),
    "buyer_tax_id": N_("CPF or CNPJ of the buyer"),
    "buyer_email": N_("e-mail of the buyer"),
    "city": N_("city"),
    "uf": N_("state (UF)"),
    "postal_code": N_("postal code (CEP)"),
    "code": N_("code of the item (SKU)"),
    "ean": N_("EAN of the item"),
    "description": N_("description of the item"),
    "quantity": N_("quantity of the item"),
    "unit": N_("unit price of the item"),
    "item_discount": N_("discount of the item"),
    "item_total": N_("total of the item"),
    "invoice_number": N_("number of the invoice"),
    "invoice_series": N_("series of the invoice"),
    "invoice_key": N_("access key of the invoice"),
    "invoice_date": N_("date of the invoice"),
    "carrier": N_("carrier"),
    "tracking": N_("tracking code"),
    "shipped_at": N_("date of shipment"),
    "delivered_at": N_("date of delivery"),
    "payment": N_("payment"),
}
"""What each field is called: ids of the catalogue."""
_MEANINGS = {name: field for field, names in _KNOWN.items() for name in names.split("|")}
_RANKS = {name: rank for rank, name in enumerate(_MEANINGS)}
_FILLERS = frozenset(
    {"n", "o", "no", "nr", "num", "numero", "number", "do", "da", "de", "del", "dos", "das", "la", "of"}
)
MOST_REMEMBERED = 300


def plain(name: str) -> str:
    """A column's name as it is compared."""
    words = re.sub(r"[^a-z0-9]+", " ", folded(name)).split()
    return " ".join([word for word in words if word not in _FILLERS] or words)


def typed(word: str) -> str:
    """What a person types for the meaning of this id of the catalogue, in the language in use."""
    return _hyphened(in_every_language(word)[0])


def listed(words: Mapping[str, str]) -> str:
    """The meanings as a person types them; `words` are ids of the catalogue by their codes."""
    return ", ".join(map(typed, words.values()))


def meant(text: str, words: Mapping[str, str]) -> str | None:
    """The code that a person typed, as it is or as it is called in any language; None for none of `words`."""
    wanted = _compared(text)
    by_code = {_compared(code): code for code in words}
    known = (code for code, word in words.items() if wanted in map(_compared, in_every_language(word)))
    return by_code.get(wanted) or next(known, None)


def _hyphened(text: str) -> str:
    return re.sub(r"[\s,'_-]+", "-", text)


def _compared(text: str) -> str:
    return _hyphened(folded(text.strip()))


def guess(columns: Sequence[str]) -> dict[str, str]:
    """Which columns mean what, by their names alone; each field once, the commonest name of it first."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    known = [(column, plain(column)) for column in dict.fromkeys(columns)]
    for column, name in sorted(known, key=lambda entry: _RANKS.get(entry[1], len(_RANKS))):
        field = _MEANINGS.get(name)
        if field is not None and field not in taken:
            taken.add(field)
            found[column] = field
    return {column: found[column] for column in columns if column in found}


def settle(columns: Sequence[str], remembered: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Which columns mean what: as a person says now, else as remembered, else by name.

    Raises `UsageFault` for a column that is not there, and where nothing names the order.
    """
    by_name = {plain(column): column for column in reversed(columns)}
    said: dict[str, str] = {}
    for name, field in given.items():
        column = name if name in columns else by_name.get(plain(name))
        if column is None:
            raise UsageFault(
                message("There is no column {column} in the file.", column=name),
                message("Its columns are: {columns}.", columns=", ".join(columns)),
            )
        said[column] = field
    kept = {column: remembered[plain(column)] for column in columns if plain(column) in remembered}
    found: dict[str, str] = {}
    for source in (said, kept, guess([column for column in columns if column not in said and column not in kept])):
        for column, field in source.items():
            if column not in found and (field == NOTHING or field not in found.values()):
                found[column] = field
    mapping = {column: found[column] for column in columns if found.get(column, NOTHING) != NOTHING}
    if not {"id", "marketplace_id"} & set(mapping.values()):
        raise UsageFault(
            message(
                "No column of the file is known to hold the order's number: {columns}.", columns=", ".join(columns)
            ),
            message('Say which one does: --map "COLUMN={number}".', number=typed(FIELD_WORDS["id"])),
        )
    return mapping


def recalled(
    columns: Sequence[str], remembered: Mapping[str, str], given: Mapping[str, str], mapping: Mapping[str, str]
) -> tuple[str, ...]:
    """Of the columns that nobody spoke of now, those that mean what they do, or nothing, because it is remembered."""
    spoken = {plain(name) for name in given}
    return tuple(
        column
        for column in columns
        if plain(column) not in spoken and remembered.get(plain(column)) == mapping.get(column, NOTHING)
    )


def to_remember(remembered: Mapping[str, str], mapping: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """What the account knows about columns after a file was read by `mapping`: names as they are compared."""
    left_out = {plain(column): NOTHING for column, field in given.items() if field == NOTHING}
    used = {plain(column): field for column, field in mapping.items()}
    known = {**remembered, **used, **left_out}
    return dict(list(known.items())[-MOST_REMEMBERED:])


def parse(texts: Sequence[str]) -> dict[str, str]:
    """`COLUMN=field,COLUMN=field` as people type it; a name with a comma stands in double quotes.

    A field is one of `FIELDS`, what it is called in any language, or `NOTHING`. Raises `UsageFault`.
    """
    found: dict[str, str] = {}
    for row in csv.reader(texts, skipinitialspace=True):
        for part in row:
            column, sign, field = part.rpartition("=")
            if not sign or not column.strip():
                raise UsageFault(
                    message("{text} does not say what a column means.", text=part),
                    message(
                        'Write it as --map "Nº do pedido={number},Valor={total}".',
                        number=typed(FIELD_WORDS["id"]),
                        total=typed(FIELD_WORDS["total"]),
                    ),
                )
            code = field.strip() if field.strip() == NOTHING else meant(field, FIELD_WORDS)
            if code is None:
                raise UsageFault(
                    message("{field} is not a field of an order.", field=field.strip()),
                    message("Choose one of: {known}; or - for a column to leave out.", known=listed(FIELD_WORDS)),
                )
            found[column.strip()] = code
    return found
