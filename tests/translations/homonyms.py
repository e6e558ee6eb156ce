"""English words of the program that Portuguese or Spanish says by two: each meaning with its context and translations.

Every use of such a word carries a context: `t(NC_("period", "From"))`, never `t("From")`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from confere.errors import NC_


class Meaning(NamedTuple):
    """One meaning of an English word; `meaning` says where it is read."""

    word: str
    context: str
    meaning: str
    pt_BR: str
    es: str

    @property
    def key(self) -> str:
        """Its id in the catalogues."""
        return NC_(self.context, self.word)


HOMONYMS: Final = (
    Meaning("By", "decision", "who decided on a finding", "Decidido por", "Decidido por"),
    Meaning("By", "declaration", "who declared a list of orders complete", "Declarado por", "Declarado por"),
    Meaning("By", "link", "who linked an order and a document", "Vinculado por", "Vinculado por"),
    Meaning("Change", "money", "what a buyer is given back in cash (vTroco)", "Troco", "Vuelto"),
    Meaning("Close", "window", "a button that shuts a window, not a month", "Fechar", "Cerrar"),
    Meaning("From", "period", "the first day of a period", "De", "Desde"),
    Meaning("From", "source", "where a version came from: the hub or a file", "Origem", "Origen"),
    Meaning("On", "declaration", "the day of a declaration", "Declarado em", "Declarado el"),
    Meaning("On", "event", "the day of an event", "Data", "Fecha"),
    Meaning("Open", "button", "the verb: show a document", "Abrir", "Abrir"),
    Meaning("Registered", "moment", "when the authority registered an event", "Registrado em", "Registrado el"),
    Meaning("Registered", "yes or no", "whether the authority registered an event", "Registrado", "Registrado"),
    Meaning("Return", "goods", "goods that came back, not a way back", "Devolução", "Devolución"),
    Meaning("Row", "archive", "the number of a document in the archive", "Linha no acervo", "Fila en el acervo"),
    Meaning("Row", "spreadsheet", "a row of a spreadsheet", "Linha", "Fila"),
    Meaning("Tag", "document", "a word that a person puts on documents", "Etiqueta", "Etiqueta"),
    Meaning("Tag", "hub operation", "the group of an operation in the hub's contract", "Grupo", "Grupo"),
    Meaning("Time", "duration", "how long a job took", "Duração", "Duración"),
    Meaning("Time", "time of day", "when a job starts", "Horário", "Horario"),
    Meaning("To", "period", "the last day of a period", "Até", "Hasta"),
    Meaning("all", "accounts", "all accounts", "todas", "todas"),
    Meaning("all", "marketplaces", "all marketplaces", "todos", "todos"),
    Meaning("ignored", "date filters", "the hub ignores filters of dates", "ignorados", "ignorados"),
    Meaning("ignored", "finding", "a person ignores a finding", "ignorado", "ignorado"),
    Meaning("lost", "files", "files that are not there any more", "perdidos", "perdidos"),
    Meaning("lost", "pieces", "pieces of stock that were lost", "perdidas", "perdidas"),
    Meaning("not checked", "copy", "a copy of the archive", "não verificada", "no verificada"),
    Meaning("not checked", "finding", "a finding that the last run did not check", "não verificado", "no verificado"),
    Meaning("not checked", "line", "a line of a month's checklist", "não verificado", "no verificado"),
    Meaning("not known", "choice", "a person's answer", "não sei", "no lo sé"),
    Meaning("not known", "outcome", "whether a product arrived at the hub", "não se sabe", "no se sabe"),
    Meaning("not known", "price", "a price without any kind", "desconhecido", "desconocido"),
    Meaning("open", "finding", "a finding that nobody treated yet", "em aberto", "abierto"),
    Meaning("open", "return", "a return of goods that is not closed yet", "em aberto", "abierto"),
    Meaning("other", "document", "another kind of document", "outro", "otro"),
    Meaning("other", "operation", "another kind of operation", "outra", "otra"),
    Meaning("refused", "parameters", "parameters that the hub refuses", "recusados", "rechazados"),
    Meaning("refused", "product", "a product that the hub refused", "recusado", "rechazado"),
    Meaning("returned", "order", "an order whose goods came back", "devolvido", "devuelto"),
    Meaning("returned", "stock", "stock that came back from a warehouse", "retornado", "retornado"),
    Meaning("unknown", "operation", "an operation that is not known", "desconhecida", "desconocida"),
    Meaning("unknown", "state", "a document whose state is not known", "desconhecido", "desconocido"),
)
