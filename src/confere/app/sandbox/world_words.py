"""What a person asks of the sandbox's world: the words of the language in use, and why one of them is none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from confere.app.documents.search import typed_days
from confere.app.documents.search.search_fields import Word
from confere.errors import UsageFault, message
from confere.system.plain_text import folded

FAULTS: Final = (
    Word("all", "todas", "all", "todas", ("todos",)),
    Word("rate429", "limite429", "rate429", "límite429"),
    Word("error5xx", "erro5xx", "error5xx", "error5xx"),
    Word("slow", "lento", "slow", "lento"),
    Word("reset", "queda", "reset", "corte"),
    Word("truncated", "truncado", "truncated", "truncado"),
    Word("html", "html", "html", "html"),
    Word("shift", "deslocado", "shift", "desplazado"),
    Word("ignore-dates", "ignora-datas", "ignore-dates", "ignora-fechas"),
    Word("no-id", "sem-id", "no-id", "sin-id"),
    Word("no-dates", "sem-datas", "no-dates", "sin-fechas"),
    Word("redirect", "outro-endereço", "redirect", "otra-dirección"),
)
ALL_OR_NONE: Final = (
    Word("none", "nenhuma", "none", "ninguna"),
    Word("all", "todas", "all", "todas"),
)
SHAPES: Final = (
    Word("full-list", "lista-completa", "full-list", "lista-completa"),
    Word("path-array", "caminhos-em-lista", "path-array", "rutas-en-lista"),
    Word("path-value", "caminho-em-valor", "path-value", "ruta-en-valor"),
    Word("item-id", "outro-id-do-arquivo", "item-id", "otro-id-del-archivo"),
    Word("history-files", "arquivos-no-histórico", "history-files", "archivos-en-el-historial"),
    Word("storage-address", "endereço-do-arquivo", "storage-address", "dirección-del-archivo"),
    Word("wrapped-detail", "detalhe-embrulhado", "wrapped-detail", "detalle-envuelto"),
    Word("no-ids", "lista-sem-ids", "no-ids", "lista-sin-ids"),
    Word("last-file", "último-arquivo", "last-file", "último-archivo"),
    Word("fewer-files", "menos-arquivos", "fewer-files", "menos-archivos"),
    Word("whole-pages", "páginas-inteiras", "whole-pages", "páginas-enteras"),
    Word("rounded-pages", "páginas-arredondadas", "rounded-pages", "páginas-redondeadas"),
    Word("page-base-1", "página-desde-1", "page-base-1", "página-desde-1"),
    Word("page-base-0", "página-desde-0", "page-base-0", "página-desde-0"),
    Word("page-renamed", "página-com-outro-nome", "page-renamed", "página-con-otro-nombre"),
    Word("strict", "rigoroso", "strict", "estricto"),
    Word("pages-only", "só-páginas", "pages-only", "solo-páginas"),
    Word("no-totals", "sem-totais", "no-totals", "sin-totales"),
    Word("bare-list", "lista-pura", "bare-list", "lista-simple"),
    Word("empty-204", "vazia-204", "empty-204", "vacía-204"),
    Word("empty-404", "vazia-404", "empty-404", "vacía-404"),
    Word("dates-date-only", "datas-só-dia", "dates-date-only", "fechas-solo-día"),
    Word("dates-no-zone", "datas-sem-fuso", "dates-no-zone", "fechas-sin-zona"),
    Word("dates-milliseconds", "datas-com-milissegundos", "dates-milliseconds", "fechas-con-milisegundos"),
    Word("dates-refused", "datas-recusadas", "dates-refused", "fechas-rechazadas"),
    Word("silent-events", "eventos-sem-aviso", "silent-events", "eventos-sin-aviso"),
    Word("gone", "sumiços", "gone", "desaparecidos"),
    Word("gzip-file", "arquivo-gzip", "gzip-file", "archivo-gzip"),
    Word("zip-file", "arquivo-zip", "zip-file", "archivo-zip"),
    Word("base64-file", "arquivo-base64", "base64-file", "archivo-base64"),
    Word("json-file", "arquivo-json", "json-file", "archivo-json"),
    Word("html-type", "tipo-html", "html-type", "tipo-html"),
)


def named(words: Iterable[Word]) -> str:
    """The words in the language in use, as help and refusals name them."""
    return ", ".join(word.here for word in words)


def here(words: Iterable[Word], code: str) -> str:
    """The word for `code` in the language in use."""
    return next(word.here for word in words if word.code == code)


def faults(text: str | None) -> str | None:
    """`lento,erro5xx=0.1` as the sandbox reads it: `slow,error5xx=0.1`. `UsageFault` for what is no fault or rate."""
    if text is None:
        return None
    parts = []
    for entry in filter(None, map(str.strip, text.split(","))):
        name, sign, rate = (part.strip() for part in entry.partition("="))
        code = _code(name, FAULTS)
        if code is None:
            raise UsageFault(
                message("There is no fault {name}.", name=name),
                message("Choose one of: {known}.", known=named(FAULTS)),
            )
        _check_rate(entry, rate, at_least_nothing=True, given=bool(sign))
        parts.append(f"{code}{sign}{rate}")
    return ",".join(parts)


def anomalies(text: str) -> str:
    """`nenhuma`, `todas` or `R1=0.02,R12` as the sandbox reads it. `UsageFault` for what is no rule or rate."""
    alone = _code(text.strip(), ALL_OR_NONE)
    if alone is not None or not text.strip():
        return alone or ALL_OR_NONE[0].code
    from sandbox_hub.world.anomalies.variants import BY_NAME, RULES

    for entry in text.split(","):
        name, sign, rate = (part.strip() for part in entry.partition("="))
        if name not in RULES and name not in BY_NAME:
            raise UsageFault(
                message("There is no anomaly {name}.", name=name),
                message("Choose one of: {known}.", known=f"{named(ALL_OR_NONE)}, {', '.join(RULES)}"),
            )
        _check_rate(entry, rate, at_least_nothing=False, given=bool(sign))
    return text


def shapes(texts: Iterable[str] | None) -> str:
    """The shapes as the sandbox reads them, in one list. `UsageFault` for a name that is none, or two that exclude
    each other.
    """
    codes = []
    for name in filter(None, (part.strip() for text in texts or () for part in text.split(","))):
        code = _code(name, SHAPES)
        if code is None:
            raise UsageFault(
                message("There is no shape {name}.", name=name),
                message("Choose one of: {known}.", known=named(SHAPES)),
            )
        codes.append(code)
    if len(codes) > 1:
        from sandbox_hub.shapes.names import EXCLUSIVE

        for group in EXCLUSIVE:
            both = [here(SHAPES, code) for code in dict.fromkeys(codes) if code in group]
            if len(both) > 1:
                raise UsageFault(
                    message("The shapes {one} and {other} exclude each other.", one=both[0], other=both[1]),
                    message("Choose one of them."),
                )
    return ",".join(codes)


def clean_months(text: str) -> str:
    """The months of a comma list as the sandbox reads them. `UsageFault` for what is no month."""
    months = []
    for part in filter(None, map(str.strip, text.split(","))):
        month = typed_days.month(part)
        if month is None:
            raise UsageFault(
                message("{text} is not a month.", text=part), message("Write it as 2026-10, 10/2026 or out/2026.")
            )
        months.append(month)
    return ",".join(months)


def clock(text: str | None) -> str | None:
    """The world's time as it was typed. `UsageFault` where it is no moment with its offset."""
    if text is None:
        return None
    try:
        has_offset = datetime.fromisoformat(text.strip()).utcoffset() is not None
    except ValueError:
        has_offset = False
    if not has_offset:
        raise UsageFault(
            message("{option} cannot be {value}.", option="--clock", value=text),
            message("Write it with its offset, as in 2026-11-01T08:00:00-03:00."),
        )
    return text


def _check_rate(entry: str, rate: str, *, at_least_nothing: bool, given: bool) -> None:
    if not given:
        return
    try:
        share = float(rate)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1 or (share == 0 and not at_least_nothing):
        raise UsageFault(
            message("{entry} has no share from 0 to 1.", entry=entry), message("Write it with a point, as in 0.05.")
        )


def _code(name: str, words: Iterable[Word]) -> str | None:
    wanted = folded(name)
    by_code = {word.code: word.code for word in words}
    return by_code.get(wanted) or next((word.code for word in words if wanted in map(folded, word.every)), None)
