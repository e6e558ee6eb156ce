"""What options take for values that no list of the program names: their words in Portuguese, English and Spanish.

The English word is the code, which programs write; help and refusals name the words of the language in use.
"""

from __future__ import annotations

from typing import Final

from confere.app.documents.search.search_fields import Word
from confere.cli.options import option_words

FAIL_ON_CODES: Final = ("high", "any", "never")
FAIL_ON: Final = option_words.of_words(
    Word("high", "alta", "high", "alta"),
    Word("any", "qualquer", "any", "cualquiera", ("quaisquer",)),
    Word("never", "nunca", "never", "nunca"),
)
DOCUMENT_SORTS: Final = option_words.of_words(
    Word("issued", "emissão", "issued", "emisión", ("data", "fecha", "date")),
    Word("number", "número", "number", "número"),
    Word("type", "tipo", "type", "tipo"),
    Word("counterparty", "cliente-fornecedor", "counterparty", "cliente-proveedor", ("contraparte", "participante")),
    Word("operation", "operação", "operation", "operación"),
    Word("marketplace", "marketplace", "marketplace", "marketplace"),
    Word("order", "pedido", "order", "pedido"),
    Word("total", "valor", "total", "valor", ("value",)),
    Word("state", "situação", "state", "estado", ("situación",)),
    Word("warnings", "avisos", "warnings", "avisos"),
    Word("verdict", "autenticidade", "verdict", "autenticidad", ("authenticity",)),
    Word("ground", "fundamento", "ground", "fundamento"),
    Word("emitter", "emitente", "emitter", "emisor", ("issuer",)),
    Word("recipient", "destinatário", "recipient", "destinatario"),
)
CLIENT_FLAGS: Final = option_words.of_words(
    Word("problems", "com-problemas", "problems", "con-problemas", ("problemas", "with problems")),
    Word("not_closed", "não-fechadas", "not-closed", "no-cerradas", ("não fechado", "no cerrado")),
    Word("stale", "desatualizadas", "stale", "desactualizadas", ("not synced lately",)),
)
CLIENT_SORTS: Final = option_words.of_words(
    Word("worst", "situação", "worst", "situación", ("situation",)),
    Word("name", "empresa", "name", "empresa", ("company", "nome", "nombre")),
    Word("listed", "última-sincronização", "listed", "última-sincronización", ("last sync",)),
    Word("documents", "documentos", "documents", "documentos"),
    Word("missing", "xml-faltantes", "missing", "xml-faltantes", ("xml faltando", "faltantes", "missing xml")),
    Word("high", "alta", "high", "alta"),
    Word("medium", "média", "medium", "media"),
    Word("low", "baixa", "low", "baja"),
    Word("exported", "pacote", "exported", "paquete", ("package",)),
    Word("closed", "fechada", "closed", "cerrada", ("fechado", "cerrado")),
    Word("tax_id", "cnpj", "tax-id", "cnpj"),
    Word("accounts", "conta", "accounts", "cuenta", ("account", "contas", "cuentas")),
)
PACKAGE_PROFILES: Final = option_words.of_words(
    Word("authorizations", "sem-canceladas", "authorizations", "sin-canceladas", ("autorizações", "autorizaciones")),
    Word("with-cancellations", "com-canceladas", "with-cancellations", "con-canceladas"),
    Word("cancellations", "só-canceladas", "cancellations", "solo-canceladas", ("canceladas", "cancelamentos")),
    Word("both", "separadas", "both", "separadas", ("ambas", "canceladas-separadas")),
)
PACKAGE_FORMS: Final = option_words.of_words(
    Word("zip", "zip", "zip", "zip"), Word("folder", "pasta", "folder", "carpeta")
)
EVENT_FOLDERS: Final = option_words.of_words(
    Word("own", "à-parte", "own", "aparte", ("própria", "propia")),
    Word("beside", "ao-lado", "beside", "al-lado"),
    Word("inside", "dentro", "inside", "dentro"),
)
ORDER_MOVES: Final = option_words.of_words(
    Word("paid", "pago", "paid", "pagado"),
    Word("shipped", "enviado", "shipped", "enviado", ("despachado",)),
    Word("delivered", "entregue", "delivered", "entregado"),
    Word("concluded", "concluído", "concluded", "concluido"),
    Word("cancelled", "cancelado", "cancelled", "cancelado", ("canceled",)),
    Word("early-shipment", "envio-antecipado", "early-shipment", "envío-anticipado"),
)
RHYTHMS: Final = option_words.of_words(
    Word("day", "dia", "day", "día"),
    Word("hour", "hora", "hour", "hora"),
    Word("weekday", "dia-útil", "weekday", "día-hábil"),
)
ENVIRONMENTS: Final = option_words.of_words(
    Word("production", "produção", "production", "producción"),
    Word("sandbox", "sandbox", "sandbox", "sandbox"),
    Word("embedded", "embutido", "embedded", "incorporado"),
    Word("both", "ambos", "both", "ambos"),
)
RETRY_AFTER: Final = option_words.of_words(
    Word("none", "nenhum", "none", "ninguno"),
    Word("seconds", "segundos", "seconds", "segundos"),
    Word("date", "data", "date", "fecha"),
)
FEEDS: Final = option_words.of_words(
    Word("orders", "pedidos", "orders", "pedidos"),
    Word("products", "produtos", "products", "productos"),
    Word("transmissions", "anúncios", "transmissions", "publicaciones", ("publications",)),
    Word("transmissions-price", "preços", "transmissions-price", "precios", ("prices",)),
    Word("reservations", "reservas", "reservations", "reservas"),
    Word("none", "nenhum", "none", "ninguno"),
)
HUB_APIS: Final = option_words.of_words(
    Word("backoffice", "retaguarda", "backoffice", "gestión"),
    Word("marketplace", "marketplace", "marketplace", "marketplace"),
    Word("remote", "remota", "remote", "remota"),
)
EVERY_ITEM: Final = option_words.of_words(Word("all", "todos", "all", "todos", ("todo",)))
BRIDGE_LINES: Final = option_words.of_words(
    Word("orders_taken", "pedidos-do-mês", "orders-taken", "pedidos-del-mes"),
    Word("not_due", "ainda-não-exigíveis", "not-due", "aún-no-exigibles"),
    Word("cancelled", "cancelados", "cancelled", "cancelados"),
    Word("no_invoice", "sem-nota", "no-invoice", "sin-factura"),
    Word("invoice_cancelled", "nota-cancelada", "invoice-cancelled", "factura-cancelada"),
    Word("invoiced_in_other_month", "faturados-em-outro-mês", "invoiced-in-other-month", "facturados-en-otro-mes"),
    Word("undecided_orders", "pedidos-a-decidir", "undecided-orders", "pedidos-por-decidir"),
    Word("unchecked_orders", "pedidos-não-verificados", "unchecked-orders", "pedidos-no-verificados"),
    Word("orders_of_no_company", "pedidos-sem-empresa", "orders-of-no-company", "pedidos-sin-empresa"),
    Word("orders_of_other_page", "pedidos-de-outra-página", "orders-of-other-page", "pedidos-de-otra-página"),
    Word("invoiced_in_month", "faturados-no-mês", "invoiced-in-month", "facturados-en-el-mes"),
    Word("ordered_in_other_month", "pedidos-de-outros-meses", "ordered-in-other-month", "pedidos-de-otros-meses"),
    Word("freight", "frete", "freight", "flete"),
    Word("discount", "desconto", "discount", "descuento"),
    Word("interest", "juros", "interest", "intereses"),
    Word("ipi_icms_st", "ipi-icms-st", "ipi-icms-st", "ipi-icms-st"),
    Word("rounding", "arredondamento", "rounding", "redondeo"),
    Word("unexplained", "sem-explicação", "unexplained", "sin-explicación"),
    Word("no_order", "sem-pedido", "no-order", "sin-pedido"),
    Word("billed_twice", "faturado-em-duplicidade", "billed-twice", "facturado-dos-veces"),
    Word("billed_again", "faturado-de-novo", "billed-again", "facturado-de-nuevo"),
    Word("order_cancelled", "pedido-cancelado", "order-cancelled", "pedido-cancelado"),
    Word("order_returned", "pedido-devolvido", "order-returned", "pedido-devuelto"),
    Word("other_account", "outra-conta", "other-account", "otra-cuenta"),
    Word("undecided_invoices", "notas-a-decidir", "undecided-invoices", "facturas-por-decidir"),
    Word("unchecked_invoices", "notas-não-verificadas", "unchecked-invoices", "facturas-no-verificadas"),
    Word("invoices_of_other_page", "notas-de-outra-página", "invoices-of-other-page", "facturas-de-otra-página"),
    Word("invoices_authorized", "notas-autorizadas", "invoices-authorized", "facturas-autorizadas"),
    Word("cancelled_invoices", "vendas-canceladas", "cancelled-invoices", "ventas-canceladas"),
    Word("void_invoices", "vendas-sem-efeito", "void-invoices", "ventas-sin-efecto"),
    Word("returns", "devoluções", "returns", "devoluciones"),
    Word("no_sales", "não-vendas", "no-sales", "no-ventas"),
)
