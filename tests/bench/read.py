"""How fast one document is read, for its rows and whole, beside lxml alone and generated bindings, in one run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import nfelib
from lxml import etree
from nfelib.nfe.bindings.v4_0.proc_nfe_v4_00 import NfeProc

from confere.fiscal.reading.document import read

ROUNDS = 7
BUDGET_OF_BARE = 0.60
BUDGET_OF_BINDING = 10.0

_NS = "{http://www.portalfiscal.inf.br/nfe}"
_TAXES = {f"{_NS}{name}" for name in ("ICMS", "IPI", "PIS", "COFINS")}


def samples() -> list[bytes]:
    """The authorized notes of about 10 KB (8 to 16) among nfelib's packaged samples."""
    folder = Path(nfelib.__file__).parent / "nfe/samples/v4_0"
    files = (path.read_bytes() for path in sorted(folder.rglob("*.xml")))
    return [data for data in files if 8_000 < len(data) < 16_000 and b"<protNFe" in data]


def parse_only(data: bytes) -> object:
    return etree.fromstring(data)


def bare(data: bytes) -> object:
    """Parse and look once at the direct children of every group that the reader takes: no checks, no values."""
    root = etree.fromstring(data)
    note = root.find(f"{_NS}NFe")
    body = note[0] if note is not None else root[0]
    groups: list[dict[str, str | None]] = []
    for section in body:
        if section.tag == f"{_NS}det":
            groups.append({field.tag: field.text for field in section[0]})
            for tax in section[1]:
                if tax.tag in _TAXES:  # its fields stand in its last group
                    groups.append({field.tag: field.text for field in tax[-1]})
            continue
        groups.append({field.tag: field.text for field in section})
        for part in section:
            if len(part):  # addresses, totals, carrier
                groups.append({field.tag: field.text for field in part})
    for answer in root.iterchildren(f"{_NS}protNFe"):
        groups.append({field.tag: field.text for field in answer[0]})
    return groups


def bare_whole(data: bytes) -> object:
    """Parse and look once at every element of the notes, each group's fields in a dictionary of its own."""
    root = etree.fromstring(data)
    groups: list[dict[str, str | None]] = []
    waiting = [root]
    while waiting:
        group = waiting.pop()
        groups.append({field.tag: field.text for field in group})
        waiting += [part for part in group if len(part)]
    return groups


def binding(data: bytes) -> object:
    return NfeProc.from_xml(data.decode("utf-8-sig"))


def rate(work: Callable[[bytes], object], documents: Sequence[bytes], passes: int) -> float:
    """Documents a second over `passes` passes of `documents`."""
    start = time.perf_counter()
    for _ in range(passes):
        for data in documents:
            work(data)
    return passes * len(documents) / (time.perf_counter() - start)


def run(documents: int = 9_000, rounds: int = ROUNDS) -> dict[str, float]:
    """Read `documents` documents each way, in alternating rounds; print and return documents a second and ratios.

    Each way keeps its best round, so that a busy neighbour on the machine spoils none of them alone.
    """
    data = samples()
    passes = max(1, documents // rounds // len(data))
    ways: list[tuple[str, Callable[[bytes], object], int]] = [
        ("parse", parse_only, passes),
        ("bare", bare, passes),
        ("read", read, passes),
        ("bare_whole", bare_whole, passes),
        ("read_whole", partial(read, whole=True), passes),
        ("binding", binding, max(1, passes // 50)),
    ]
    best = dict.fromkeys((name for name, _, _ in ways), 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # xsdata tells of values outside the schema
        for _, work, _ in ways:
            rate(work, data, 1)  # imports, caches
        for _ in range(rounds):
            for name, work, count in ways:
                best[name] = max(best[name], rate(work, data, count))
    result = {
        "documents": float(passes * len(data) * rounds),
        "mean_bytes": sum(map(len, data)) / len(data),
        **{f"{name}_per_second": speed for name, speed in best.items()},
        "of_bare": best["read"] / best["bare"],
        "of_binding": best["read"] / best["binding"],
        "whole_of_bare": best["read_whole"] / best["bare_whole"],
        "whole_of_binding": best["read_whole"] / best["binding"],
    }
    print(f"reading {result['documents']:,.0f} notes of {result['mean_bytes'] / 1000:.1f} KB, best of {rounds} rounds")
    print(f"  lxml parse alone            {best['parse']:>9,.0f}/s")
    print(f"  lxml parse + one pass       {best['bare']:>9,.0f}/s")
    print(f"  read for its rows           {best['read']:>9,.0f}/s")
    print(f"  lxml parse + whole pass     {best['bare_whole']:>9,.0f}/s")
    print(f"  read whole                  {best['read_whole']:>9,.0f}/s")
    print(f"  nfelib (xsdata) binding     {best['binding']:>9,.0f}/s")
    print(f"  rows: of lxml + one pass    {result['of_bare']:>9.0%}   (budget {BUDGET_OF_BARE:.0%})")
    print(f"  rows: times the binding     {result['of_binding']:>9.1f}   (budget {BUDGET_OF_BINDING:.0f})")
    print(f"  whole: of lxml + whole pass {result['whole_of_bare']:>9.0%}")
    print(f"  whole: times the binding    {result['whole_of_binding']:>9.1f}")
    return result


if __name__ == "__main__":
    run()
