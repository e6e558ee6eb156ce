"""The words of the search language: what fields and their values are called in Portuguese, English and Spanish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto
from functools import cache
from typing import Final

from confere.errors import N_
from confere.fiscal.law import states
from confere.system.messages import language
from confere.system.plain_text import folded


class ValueKind(Enum):
    """What a field's value has to look like."""

    TEXT = auto()
    NUMBER = auto()
    SERIES = auto()
    CFOP = auto()
    NCM = auto()
    KEY = auto()
    TAX_ID = auto()
    AMOUNT = auto()
    DAY = auto()
    ONE_OF = auto()
    ANY_OF = auto()
    TEXTS = auto()
    YES_NO = auto()
    NO_YES = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """One meaning: what the archive writes for it, its word in each language, and others that people use."""

    code: str
    pt: str
    en: str
    es: str
    others: tuple[str, ...] = ()

    @property
    def here(self) -> str:
        """The word in the language in use."""
        return {"pt_BR": self.pt, "es": self.es}.get(language(), self.en)

    @property
    def every(self) -> tuple[str, ...]:
        """All of them, each once; the one of the language in use first."""
        return tuple(dict.fromkeys((self.here, self.pt, self.en, self.es, *self.others)))


ROW: Final = Word("row", "linha", "row", "fila")
"""What names a document by its row of the archive, before a colon and the number."""


def row_name(number: object) -> str:
    """How a person names the document of this row in the language in use: `row:1791`."""
    return f"{ROW.here}:{number}"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the language: one entry of `FIELDS` is all that a further one needs.

    `column` is the one of `DocumentQuery` that it narrows; of a range the beginning of two (`total_from`, `total_to`).
    `sample` is a value that it takes; with `values` it takes no others. `listed` are the values, or gives them when
    they are asked for: importing this module reads no table of the law.
    """

    word: Word
    kind: ValueKind
    column: str
    explanation: str
    sample: str = ""
    listed: tuple[Word, ...] | Callable[[], tuple[Word, ...]] = ()

    @property
    def values(self) -> tuple[Word, ...]:
        """The values that it takes; empty where it takes others."""
        return self.listed() if callable(self.listed) else self.listed

    @property
    def example(self) -> str:
        """A whole clause in the language in use."""
        value = self.values[0].here if self.values else self.sample
        return f"{self.word.here}:{value}"


def close_to(text: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `text` was probably meant to be."""
    by_plain = {folded(word): word for word in words}
    found = get_close_matches(folded(text)[:40], by_plain, 1, 0.7)
    return by_plain[found[0]] if found else None


_TYPES: Final = (
    Word("nfe", "nf-e", "nf-e", "nf-e", ("nfe", "55")),
    Word("nfce", "nfc-e", "nfc-e", "nfc-e", ("nfce", "65")),
    Word("cte", "ct-e", "ct-e", "ct-e", ("cte", "57")),
    Word("cteos", "ct-e-os", "ct-e-os", "ct-e-os", ("cteos", "cte-os", "67")),
    Word("mdfe", "mdf-e", "mdf-e", "mdf-e", ("mdfe", "58")),
    Word("nfse", "nfs-e", "nfs-e", "nfs-e", ("nfse",)),
    Word("nfcom", "nfcom", "nfcom", "nfcom", ("62",)),
    Word("nf3e", "nf3e", "nf3e", "nf3e", ("nf3-e", "66")),
    Word("bpe", "bp-e", "bp-e", "bp-e", ("bpe", "63")),
    Word("gtve", "gtv-e", "gtv-e", "gtv-e", ("gtve", "64")),
    Word("dce", "dc-e", "dc-e", "dc-e", ("dce", "99")),
    Word("cfe", "cf-e", "cf-e", "cf-e", ("cfe", "cf-e-sat", "sat", "59")),
    Word("voiding", "inutilização", "voiding", "inutilización"),
    Word("other", "outro", "other", "otro", ("outros", "otros")),
)
_STATES: Final = (
    Word("authorized", "autorizada", "authorized", "autorizada", ("autorizado", "autorizadas", "authorised")),
    Word("complemented", "complementada", "complemented", "complementada", ("complementado", "complementadas")),
    Word("unregistered", "cancelamento-não-registrado", "cancellation-not-registered", "cancelación-no-registrada",
         ("unregistered", "cancelamento não registrado", "cancelación no registrada")),
    Word("cancelled", "cancelada", "cancelled", "cancelada", ("cancelado", "canceladas", "canceled")),
    Word("cancelled_late", "cancelada-fora-do-prazo", "cancelled-late", "cancelada-fuera-de-plazo",
         ("cancelled_late", "cancelada fora do prazo", "cancelada fuera de plazo", "cancelled out of term")),
    Word("replaced", "substituída", "replaced", "sustituida", ("substituído", "substituídas", "sustituido")),
    Word("annulled", "anulada", "annulled", "anulada", ("anulado", "anuladas")),
    Word("denied", "denegada", "denied", "denegada", ("denegado", "denegadas")),
    Word("rejected", "rejeitada", "rejected", "rechazada", ("rejeitado", "rejeitadas", "rechazado")),
    Word("no_protocol", "sem-protocolo", "no-protocol", "sin-protocolo",
         ("no_protocol", "sem protocolo", "sin protocolo")),
    Word("voided", "inutilizada", "voided", "inutilizada", ("inutilizado", "inutilizadas")),
    Word("unknown", "desconhecida", "unknown", "desconocida", ("desconhecido", "desconocido")),
)  # fmt: skip
_DIRECTIONS: Final = (
    Word("in", "entrada", "in", "entrada", ("entradas", "incoming")),
    Word("out", "saída", "out", "salida", ("saídas", "salidas", "outgoing")),
)
_OPERATIONS: Final = (
    Word("sale", "venda", "sale", "venta", ("vendas", "ventas", "sales")),
    Word("sale_return", "retorno-venda", "sale-return", "retorno-venta", ("sale_return", "retorno de venda")),
    Word("devolution", "devolução", "devolution", "devolución", ("devoluções", "return")),
    Word("inbound", "remessa", "inbound", "remesa", ("remessas",)),
    Word("inbound_return", "retorno", "inbound-return", "retorno", ("inbound_return", "retornos")),
    Word("symbolic_inbound", "remessa-simbólica", "symbolic-inbound", "remesa-simbólica",
         ("symbolic_inbound", "remessa simbólica")),
    Word("symbolic_inbound_return", "retorno-simbólico", "symbolic-inbound-return", "retorno-simbólico",
         ("symbolic_inbound_return", "retorno simbólico")),
    Word("freight", "frete", "freight", "flete", ("fretes", "fletes")),
    Word("transfer", "transferência", "transfer", "transferencia", ("transferências",)),
    Word("credit_note", "nota-de-crédito", "credit-note", "nota-de-crédito", ("credit_note", "nota de crédito")),
    Word("debit_note", "nota-de-débito", "debit-note", "nota-de-débito", ("debit_note", "nota de débito")),
    Word("prepayment", "pagamento-antecipado", "prepayment", "pago-anticipado", ("pagamento antecipado",)),
    Word("stock_loss", "perda-de-estoque", "stock-loss", "pérdida-de-inventario", ("stock_loss", "perda de estoque")),
    Word("voiding", "inutilização", "voiding", "inutilización"),
    Word("other", "outra", "other", "otra", ("outras", "outro", "otras")),
    Word("unknown", "desconhecida", "unknown", "desconocida"),
)  # fmt: skip
_PURPOSES: Final = (
    Word("1", "normal", "normal", "normal", ("1",)),
    Word("2", "complementar", "complementary", "complementaria", ("2", "complemento")),
    Word("3", "ajuste", "adjustment", "ajuste", ("3",)),
    Word("4", "devolução", "return", "devolución", ("4",)),
    Word("5", "crédito", "credit", "crédito", ("5", "nota de crédito")),
    Word("6", "débito", "debit", "débito", ("6", "nota de débito")),
)
_CREDITS: Final = (
    Word("01", "multa-e-juros", "fine-and-interest", "multa-e-intereses", ("01", "1")),
    Word("02", "crédito-presumido", "presumed-credit", "crédito-presunto", ("02", "2")),
    Word("03", "recusa", "refused", "rechazo", ("03", "3", "não entregue", "not delivered")),
    Word("04", "redução", "reduction", "reducción", ("04", "4")),
    Word("05", "sucessão", "succession", "sucesión", ("05", "5")),
    Word("06", "recusa-parcial", "refused-in-part", "rechazo-parcial", ("06", "6")),
)
_DEBITS: Final = (
    Word("01", "cooperativa", "cooperative", "cooperativa", ("01", "1")),
    Word("02", "anulação", "annulment", "anulación", ("02", "2")),
    Word("03", "não-processadas", "not-processed", "no-procesadas", ("03", "3")),
    Word("04", "multa-e-juros", "fine-and-interest", "multa-e-intereses", ("04", "4")),
    Word("05", "sucessão", "succession", "sucesión", ("05", "5")),
    Word("06", "antecipado", "prepayment", "anticipado", ("06", "6", "pagamento antecipado")),
    Word("07", "perda", "loss", "pérdida", ("07", "7", "perda de estoque")),
    Word("08", "desenquadramento", "simples-exit", "salida-del-simples", ("08", "8")),
)
_VERDICTS: Final = (
    Word("failed", "falhou", "failed", "falló", ("falha", "falhas", "não autêntica", "no auténtica")),
    Word("unchecked", "não-verificável", "unchecked", "no-verificable",
         ("não verificável", "no verificable", "não pôde ser verificada")),
    Word("altered", "alterado", "altered", "alterado", ("alterada", "alterados", "alteradas", "adulterada")),
    Word("test", "teste", "test", "prueba", ("homologação", "testes", "homologación", "tests")),
    Word("ok", "ok", "ok", "ok", ("autêntica", "auténtica", "authentic", "válida")),
    Word("none", "pendente", "pending", "pendiente", ("none", "não verificada", "no verificada", "not checked")),
)  # fmt: skip
_GROUNDS: Final = (
    Word("authentic_event", "evento-autêntico", "authentic-event", "evento-auténtico"),
    Word("unchecked_event", "evento-não-verificado", "unchecked-event", "evento-no-verificado"),
    Word("answer_alone", "só-resposta", "answer-alone", "solo-respuesta"),
    Word("other_document", "outro-documento", "other-document", "otro-documento"),
    Word("contradicted", "contestado", "contradicted", "contradicho", ("contestada",)),
    Word("nothing", "nada", "nothing", "nada"),
)
_YES_NO: Final = (
    Word("yes", "sim", "yes", "sí", ("s", "y", "1", "true", "com", "con", "with")),
    Word("no", "não", "no", "no", ("n", "0", "false", "sem", "sin", "without")),
)


@cache
def ufs() -> tuple[str, ...]:
    """The letters of the states, and EX for abroad."""
    return (*states.letters(), "EX")


def _uf_words() -> tuple[Word, ...]:
    return tuple(Word(code, code, code, code) for code in ufs())


FIELDS: Final = (
    Field(Word("number", "número", "number", "número", ("numeros", "numbers", "nnf")), ValueKind.NUMBER, "number",
          N_("The number of the document; with its series as on paper: 1/4711."), "4711"),
    Field(Word("series", "série", "series", "serie"), ValueKind.SERIES, "series",
          N_("The series of the document."), "1"),
    Field(Word("total", "valor", "value", "valor", ("total", "importe", "amount", "vnf")), ValueKind.AMOUNT, "total",
          N_("What the document is worth: an amount, a range, or with >, >=, <, <=."), "100..1.500,50"),
    Field(Word("issued", "emissão", "issued", "emisión", ("data", "date", "fecha", "mês", "mes", "month", "emitida")),
          ValueKind.DAY, "day", N_("The day or month of issue, a range of them, or with >, >=, <, <=."), "10/2026"),
    Field(Word("type", "tipo", "type", "tipo", ("modelo", "model")), ValueKind.ANY_OF, "types",
          N_("The kind of document."), listed=_TYPES),
    Field(Word("state", "situação", "state", "estado", ("status", "situación")), ValueKind.ANY_OF, "states",
          N_("Whether it is authorized, cancelled, denied…"), listed=_STATES),
    Field(Word("direction", "sentido", "direction", "sentido", ("direção", "dirección")), ValueKind.ONE_OF, "direction",
          N_("Goods coming in or going out."), listed=_DIRECTIONS),
    Field(Word("operation", "operação", "operation", "operación"), ValueKind.ANY_OF, "operations",
          N_("What kind of operation it is: a sale, a devolution, a freight…"), listed=_OPERATIONS),
    Field(Word("purpose", "finalidade", "purpose", "finalidad", ("finnfe",)), ValueKind.ANY_OF, "purposes",
          N_("What a note was issued for: normal, a complement, a return, a credit or a debit."), listed=_PURPOSES),
    Field(Word("credit", "crédito", "credit", "crédito", ("tpnfcredito",)), ValueKind.ANY_OF, "credit_types",
          N_("The type of a credit note: refused, refused in part, reduction…"), listed=_CREDITS),
    Field(Word("debit", "débito", "debit", "débito", ("tpnfdebito",)), ValueKind.ANY_OF, "debit_types",
          N_("The type of a debit note: prepayment, loss…"), listed=_DEBITS),
    Field(Word("emitter", "emitente", "emitter", "emisor", ("issuer", "fornecedor", "supplier", "proveedor")),
          ValueKind.TEXT, "emitter", N_("Who issued it: words of the name, or the CNPJ or CPF."), "padaria"),
    Field(Word("recipient", "destinatário", "recipient", "destinatario", ("cliente", "customer", "comprador", "buyer")),
          ValueKind.TEXT, "recipient", N_("To whom it was issued: words of the name, or the CNPJ or CPF."), "maria"),
    Field(Word("company", "cnpj", "cnpj", "cnpj", ("cpf",)), ValueKind.TAX_ID, "company",
          N_("A CNPJ or CPF that issued it, received it or took the freight."), "12.345.678/0001-95"),
    Field(Word("uf", "uf", "uf", "uf"), ValueKind.ONE_OF, "uf",
          N_("The Brazilian state of a party, in two letters."), "SP", _uf_words),
    Field(Word("marketplace", "marketplace", "marketplace", "marketplace", ("canal", "channel", "loja")),
          ValueKind.TEXTS, "marketplaces",
          N_("The marketplace, as the hub writes it."), "marketplace"),
    Field(Word("order", "pedido", "order", "pedido", ("ordem", "orden")), ValueKind.TEXT, "order_id",
          N_("The number of the order at the marketplace."), "2000012345"),
    Field(Word("key", "chave", "key", "clave", ("access_key", "chnfe")), ValueKind.KEY, "access_key",
          N_("The access key with its 44 characters."), "35261012345678000195550010000047111000047118"),
    Field(Word("cfop", "cfop", "cfop", "cfop"), ValueKind.CFOP, "cfop", N_("A CFOP of any of its items."), "5102"),
    Field(Word("ncm", "ncm", "ncm", "ncm"),
          ValueKind.NCM, "ncm", N_("The NCM of any of its items, or its first digits."), "8517"),
    Field(Word("item", "item", "item", "artículo", ("itens", "items", "produto", "product", "producto")),
          ValueKind.TEXT, "item_words",
          N_("Words in the description or the code of an item."), "camiseta"),
    Field(Word("warning", "aviso", "warning", "aviso", ("avisos", "warnings", "advertencia")), ValueKind.YES_NO,
          "with_warnings",
          N_("Whether Confere noticed something unusual in it."), listed=_YES_NO),
    Field(Word("listed", "listado", "listed", "listado", ("listada", "listados", "listadas")), ValueKind.NO_YES, "gone",
          N_("Whether the hub still lists it."), listed=_YES_NO),
    Field(Word("finding", "apontamento", "finding", "hallazgo", ("apontamentos", "findings", "hallazgos")),
          ValueKind.YES_NO, "with_findings",
          N_("Whether an open finding of reconciliation names it."), listed=_YES_NO),
    Field(Word("verdict", "autenticidade", "authenticity", "autenticidad",
               ("verdict", "veredito", "veredicto", "assinatura", "signature", "firma")), ValueKind.ANY_OF, "verdict",
          N_("Whether it was found authentic."), listed=_VERDICTS),
    Field(Word("ground", "fundamento", "ground", "fundamento", ("state_ground",)), ValueKind.ANY_OF, "grounds",
          N_("What its state stands on."), listed=_GROUNDS),
    Field(Word("tag", "etiqueta", "tag", "etiqueta", ("marca", "marcas", "tags", "etiquetas")), ValueKind.TEXTS, "tags",
          N_("A tag that was put on it; any of several."), "pagar"),
    Field(Word("subtype", "subtipo", "subtype", "subtipo"), ValueKind.TEXT, "subtype",
          N_("The hub's word for it, such as sale or freight."), "sale"),
    Field(Word("account", "conta", "account", "cuenta"),
          ValueKind.TEXT, "account", N_("Listed by the hub of this account."), "loja"),
)  # fmt: skip


def _by_name() -> Mapping[str, Field]:
    found: dict[str, Field] = {}
    for field in FIELDS:
        for word in (field.word.pt, field.word.en, field.word.es, *field.word.others):
            found.setdefault(folded(word), field)
    return found


BY_NAME: Final = _by_name()
TOTAL: Final = BY_NAME["total"]
ISSUED: Final = BY_NAME["data"]
_NOT_TYPED: Final = frozenset({"other", "unknown", "no_protocol", "unregistered", "sat"})


@cache
def kind_words() -> Mapping[str, tuple[Field, tuple[str, ...]]]:
    """Words that name a kind of document by themselves, such as `nota`, `cte` and `cancelada`: field and codes."""
    notes = (BY_NAME["type"], ("nfe", "nfce"))
    spellings = ("nota", "notas", "nf", "invoice", "invoices", "factura", "facturas")
    found: dict[str, tuple[Field, tuple[str, ...]]] = dict.fromkeys(spellings, notes)
    for field in (BY_NAME["type"], BY_NAME["state"]):
        for word in field.values:
            for spelling in (word.code, *word.every, *(f"{one}s" for one in (word.pt, word.es))):
                if word.code not in _NOT_TYPED and not spelling.isdigit() and spelling not in _NOT_TYPED:
                    found.setdefault(folded(spelling), (field, (word.code,)))
    return found
