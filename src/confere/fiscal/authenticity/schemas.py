"""The line on the official schema of a paper's layout; the schemas are handed in, nothing else is ever read."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from copy import deepcopy
from posixpath import basename, dirname, join, normpath
from typing import Any, Final

from lxml import etree
from lxml.etree import _Element

from confere.errors import Message, message
from confere.fiscal.authenticity import schema_words
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind
from confere.fiscal.reading.elements import LOCAL, child

# The file that declares each element which an author writes; `{}` is its layout.
_FILES: Final = {
    "NFe": "nfe_v{}.xsd",
    "CTe": "cte_v{}.xsd",
    "CTeOS": "cteOS_v{}.xsd",
    "CTeSimp": "cteSimp_v{}.xsd",
    "MDFe": "mdfe_v{}.xsd",
    "NFCom": "nfcom_v{}.xsd",
    "NF3e": "nf3e_v{}.xsd",
    "BPe": "bpe_v{}.xsd",
    "BPeTM": "bpeTM_v{}.xsd",
    "BPeTA": "bpeTA_v{}.xsd",
    "eventoCTe": "eventoCTe_v{}.xsd",
    "eventoMDFe": "eventoMDFe_v{}.xsd",
    "inutNFe": "inutNFe_v{}.xsd",
    "inutCTe": "inutCte_v{}.xsd",
    "cancNFe": "cancNFe_v{}.xsd",
    "cancCTe": "cancCte_v{}.xsd",
}
# An NF-e's event has a schema for its code, else one for all of them, whose element is declared here.
_EVENT_FILES: Final = {
    "110110": "CCe_v{}.xsd",
    "110111": "eventoCancNFe_v{}.xsd",
    **dict.fromkeys(("210200", "210210", "210220", "210240"), "confRecebto_v{}.xsd"),
}
_ANY_EVENT: Final = "leiauteEvento_v{}.xsd"
_ANY_EVENT_SCHEMA: Final = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="http://www.portalfiscal.inf.br/nfe"'
    ' targetNamespace="http://www.portalfiscal.inf.br/nfe" elementFormDefault="qualified">'
    '<xs:include schemaLocation="{}"/><xs:element name="evento" type="TEvento"/></xs:schema>'
)
# What the layouts of CT-e and its events leave open is described apart.
_MODES: Final = {
    "rodo": "cteModalRodoviario_v{}.xsd",
    "rodoOS": "cteModalRodoviarioOS_v{}.xsd",
    "aereo": "cteModalAereo_v{}.xsd",
    "aquav": "cteModalAquaviario_v{}.xsd",
    "ferrov": "cteModalFerroviario_v{}.xsd",
    "duto": "cteModalDutoviario_v{}.xsd",
    "multimodal": "cteMultiModal_v{}.xsd",
}
_LAYOUT: Final = re.compile(r"[0-9]{1,2}\.[0-9]{2}")
_NO_LAYOUT: Final = "?"
_ROOT: Final = "schemas:/"
_OK: Final = CheckLine(Check.SCHEMA, Result.OK)


class SchemaSet:
    """Schemas by path (`folder/nfe_v4.00.xsd`), compiled when first needed. Threads may share one."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {normpath(path): data for path, data in files.items()}
        # Of several with one name the last wins: who adds files puts his own behind.
        self._paths = {basename(path): path for path in self._files}
        self._compiled: dict[str, etree.XMLSchema | Message] = {}
        self._using = threading.Lock()

    def line(self, subject: Subject) -> CheckLine:
        """Whether what the author of `subject` wrote is as the schema of its layout asks.

        Source: the XSD of each layout; that it decides nothing is a rule of this program, as the schemas lag behind the
        law.
        """
        if subject.element is None or subject.body is None:
            why = message("The file holds the authority's answer alone, not what was asked.")
            return CheckLine(Check.SCHEMA, Result.NOT_APPLICABLE, why)
        if not self._files:
            return CheckLine(Check.SCHEMA, Result.UNCHECKED, message("No official schemas are installed."))
        outer = self._check(subject.element, _file_of(subject))
        if outer.result is not Result.OK:
            return outer
        inner = (self._check(part, name) for part, name in _left_open(subject) if name in self._paths)
        return next((line for line in inner if line.result is not Result.OK), _OK)

    def _check(self, element: _Element, name: str) -> CheckLine:
        if _NO_LAYOUT in name:
            return CheckLine(Check.SCHEMA, Result.UNCHECKED, message("It does not say which layout it follows."))
        if name not in self._paths:
            return CheckLine(Check.SCHEMA, Result.UNCHECKED, message("There is no schema {name} at hand.", name=name))
        with self._using:  # the log of errors is the schema's, not the call's
            schema = self._schema(name)
            if isinstance(schema, Message):
                return CheckLine(Check.SCHEMA, Result.UNCHECKED, schema)
            if schema.validate(deepcopy(element)):
                return _OK
            errors = [(error.type_name, error.message) for error in schema.error_log]  # type: ignore[attr-defined]
        words = schema_words.why(*errors[0]) if errors else message("it does not keep the rule {code}", code="?")
        if len(errors) > 1:
            why = message("The official schema objects {count} times, first: {words}", count=len(errors), words=words)
        else:
            why = message("The official schema objects: {words}", words=words)
        return CheckLine(Check.SCHEMA, Result.FAILED, why)

    def _schema(self, name: str) -> etree.XMLSchema | Message:
        if name not in self._compiled:
            self._compiled[name] = self._compile(name)
        return self._compiled[name]

    def _compile(self, name: str) -> etree.XMLSchema | Message:
        path = self._paths[name]
        data = self._files[path]
        if name.startswith("leiaute"):
            data = _ANY_EVENT_SCHEMA.format(name).encode()
            path = join(dirname(path), "evento.xsd")
        parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
        parser.resolvers.add(_Within(self._files, self._paths))
        try:
            return etree.XMLSchema(etree.fromstring(data, parser, base_url=_ROOT + path))
        except etree.LxmlError as error:
            return message("The schema {name} cannot be used: {words}", name=name, words=schema_words.unusable(error))


class _Within(etree.Resolver):
    """Answers what a schema includes from the set alone; whatever else it names is empty."""

    def __init__(self, files: Mapping[str, bytes], paths: Mapping[str, str]) -> None:
        self._files = files
        self._paths = paths

    def resolve(self, system_url: str, public_id: str, context: Any) -> Any:  # type: ignore[override]  # noqa: ARG002
        path = normpath((system_url or "").removeprefix(_ROOT))
        if path not in self._files:
            path = self._paths.get(basename(path), "")
        data = self._files.get(path)
        if data is None:
            return self.resolve_string("", context, base_url=None)
        return self.resolve_string(data, context, base_url=_ROOT + path)


def _file_of(subject: Subject) -> str:
    assert subject.element is not None and subject.body is not None
    name = LOCAL[subject.element.tag]
    layout = _layout(subject.element.get("versao") or subject.body.get("versao"))
    if name == "evento" and "chNFSe" not in subject.fields:
        code = subject.fields.get("tpEvento", "")
        return _EVENT_FILES.get(code, _ANY_EVENT).format(layout)
    return _FILES.get(name, name + "_v{}.xsd").format(layout)


def _left_open(subject: Subject) -> Iterator[tuple[_Element, str]]:
    """The parts that the schema of the whole does not describe, with the files that do."""
    assert subject.body is not None
    if subject.kind is SignedKind.EVENT:
        detail = child(subject.body, "detEvento")
        if detail is None:
            return
        layout = _layout(detail.get("versaoEvento") or detail.get("versao"))
        if "chNFe" in subject.fields:
            yield detail, f"e{subject.fields.get('tpEvento', '')}_v{layout}.xsd"
        elif len(detail):
            yield detail[0], f"{LOCAL[detail[0].tag]}_v{layout}.xsd"
    else:
        for mode in subject.body.iter("{*}infModal"):
            layout = _layout(mode.get("versaoModal"))
            for part in mode:
                if LOCAL[part.tag] in _MODES:
                    yield part, _MODES[LOCAL[part.tag]].format(layout)


def _layout(written: str | None) -> str:
    """The layout as file names have it."""
    return written if written is not None and _LAYOUT.fullmatch(written) else _NO_LAYOUT
