"""The reading benchmark runs and compares like with like; what it measures is no test."""

from __future__ import annotations

import pytest
from lxml import etree

from confere.fiscal.detail import NoteDetail
from confere.fiscal.reading.document import read
from tests.bench import read as bench


@pytest.mark.exhaustive
def test_the_benchmark_runs_and_prints_its_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    result = bench.run(documents=1, rounds=1)
    assert result["of_bare"] == result["read_per_second"] / result["bare_per_second"]
    assert result["of_binding"] == result["read_per_second"] / result["binding_per_second"]
    assert result["whole_of_bare"] == result["read_whole_per_second"] / result["bare_whole_per_second"]
    assert result["whole_of_binding"] == result["read_whole_per_second"] / result["binding_per_second"]
    assert "one pass" in capsys.readouterr().out


def test_the_ceiling_looks_at_what_the_reader_takes() -> None:
    for data in bench.samples():
        document = read(data).documents[0]
        groups = bench.bare(data)
        assert isinstance(groups, list)
        seen = {text.strip() for group in groups for text in group.values() if text}
        for party in document.parties:
            assert {party.tax_id, party.name, party.uf, party.city} - {None} <= seen
        for item in document.items:
            assert {item.code, item.description, item.cfop, format(item.quantity or 0, "f")} <= seen
        assert document.protocol is not None
        assert {document.operation, document.protocol.number} <= seen
        assert etree.fromstring(data).tag.endswith("}nfeProc")


def test_the_whole_ceiling_looks_at_the_taxes_of_every_item() -> None:
    for data in bench.samples():
        detail = read(data, whole=True).documents[0].detail
        assert isinstance(detail, NoteDetail)
        groups = bench.bare_whole(data)
        assert isinstance(groups, list)
        seen = {text.strip() for group in groups for text in group.values() if text}
        told = {text for item in detail.items for tax in item.taxes for _, text in tax.fields}
        assert told
        assert told <= seen
