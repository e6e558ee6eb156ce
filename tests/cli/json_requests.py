"""What every command is asked for its JSON snapshot, on one small sandbox world with a clock of its own.

Each request stands after those that make what it needs; what one answer names (a key, a finding's number) later
lines ask for by a name in braces. The same answers come on any day.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from unittest import mock

import httpx

from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.app import business
from tests.app.made import account
from tests.archive.papers import cancellation, key, note, store
from tests.cli.json_recorder import JsonRecorder, commands, neutral_environment
from tests.cli.json_shape import Shape, shape_of, shape_of_lines
from tests.cli.running import ENVIRONMENT
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub
from tests.loopback import LOOPBACK

CLOCK: Final = "2026-11-01T08:00:00-03:00"
WORLD: Final = SandboxOptions(documents=200, seed=7, clock=CLOCK, forget=True, anomalies="all")
TOKEN: Final = "token-of-a-test"
ODD: Final = {"documents": [{"type": "AUTHORIZATION", "shelf": {"row": 4.10}}], "history": [{"status": "AUTHORIZED"}]}
ORDERS: Final = (
    "Pedido;Data;Status;Total;Comprador;CPF;SKU;Quantidade;Preço unitário;NF;Série;Chave;Transportadora;Pagamento\n"
    f"1001;05/10/2026 14:05;Faturado;R$ 1.234,56;José;123.456.789-09;A-1;2;600,00;55;1;{key(1)};Rápida;Pix\n"
    "1002;06/10/2026;Esquisito;99,90;Ana;;C-3;1;99,90;;;;;\n"
    "1003;ontem;Cancelado;99,90;Ana;;C-3;1;99,90;;;;;\n"
)


def recorded(folder: Path) -> dict[str, dict[str, Shape]]:
    """The shapes of all answers by command and line; the folder is empty before."""
    folder.mkdir(parents=True, exist_ok=True)
    recorder = JsonRecorder(folder / "home", {"folder": str(folder), "now": CLOCK})
    with ExitStack() as stack:
        stack.enter_context(neutral_environment())
        sandbox = stack.enter_context(_started_sandbox())
        hub = stack.enter_context(running(WORLD))
        odd = stack.enter_context(serving(SmallHub()))
        _accounts(recorder, hub, odd)
        _syncs(recorder, odd)
        _feeds(recorder)
        _imports(recorder)
        _documents(recorder)
        _orders(recorder)
        _reconciliation(recorder)
        _findings(recorder)
        _links(recorder)
        _near_misses(recorder)
        _samples(recorder)
        _papers_out(recorder)
        _closings(recorder)
        _invoices(recorder)
        _hub_calls(recorder)
        _catalog(recorder)
        _checks(recorder)
        _unattended(recorder, folder)
        _people(recorder)
        _demo(recorder)
        _listens(recorder)
        _refusals(recorder)
        _last(recorder)
        recorder.shapes["sandbox"]["sandbox --documents 20"] = _line_of(sandbox)
    return recorder.shapes


def _accounts(recorder: JsonRecorder, hub: RunningHub, odd: SmallHub) -> None:
    folder = Path(recorder.facts["folder"])
    token, other = folder / "token.txt", folder / "other.txt"
    for file, text in ((token, hub.token), (other, TOKEN)):
        file.write_text(text, encoding="utf-8")
        file.chmod(0o600)
    company = hub.info["companies"][0]["cnpj"]
    recorder.facts |= {
        "hub": hub.address,
        "odd": odd.address,
        "token": str(token),
        "other": str(other),
        "cnpj": company,
    }
    recorder.facts["cnpjs"] = hub.info["companies"][1]["cnpj"]
    recorder.ask("account list", "none yet")
    recorder.ask(
        "account add loja --address {hub} --platform test --environment embedded "
        "--cnpj {cnpj} --cnpj {cnpjs} --token-file {token}"
    )
    recorder.ask("account add odd --address {odd} --platform test --environment sandbox --token-file {other}")
    recorder.ask("account token loja --token-file {token}")
    recorder.ask("account shape loja")
    recorder.ask("account test loja")
    recorder.ask("account shape odd --forget")
    recorder.ask("account change loja --tolerance 0,05 --relist-days 40 --visible-series {cnpj}/55/1")
    roots = httpx.get(f"{hub.panel}/roots", headers={"X-Sandbox-Control": "1"}, **LOOPBACK)
    roots.raise_for_status()
    (folder / "roots.pem").write_bytes(roots.content)
    recorder.ask("account trust loja {folder}/roots.pem")
    recorder.ask("account record loja {folder}/record.json")
    recorder.ask("account record loja {folder}/record.json --replace --progress-json")
    odd.add(1, 1)
    odd.details["fd-2"] = dict(odd.add(2, 1, **ODD))


def _syncs(recorder: JsonRecorder, odd: SmallHub) -> None:
    recorder.ask("sync --account loja --progress-json")
    recorder.ask("sync --account loja --month 2026-10 --full")
    recorder.ask("sync --account odd --no-orders")
    recorder.ask("sync --account loja --retry --progress-json")
    recorder.ask("account shape odd")
    recorder.ask("account list", "after a sync")
    del odd.documents[0]
    recorder.ask("sync --account odd --no-orders --full")
    recorder.ask("list --gone")


def _feeds(recorder: JsonRecorder) -> None:
    recorder.ask("feeds list --account odd", "never read")
    recorder.ask("feeds read --account loja --progress-json")
    recorder.ask("feeds read --account odd --feed products --feed reservations")
    recorder.ask("feeds list --account loja")
    recorder.ask("account change odd --mark-feeds products,reservations")


def _imports(recorder: JsonRecorder) -> None:
    """A note, events that nobody believes, a note of another content than the hub's, and what is no paper."""
    folder = Path(recorder.facts["folder"])
    papers = folder / "papers"
    papers.mkdir()
    (papers / "note.xml").write_bytes(note(7))
    (papers / "cancellation.xml").write_bytes(cancellation(7))
    (papers / "alone.xml").write_bytes(cancellation(8))
    (papers / "broken.xml").write_bytes(b"<nfeProc><NFe>")
    recorder.ask("import {folder}/papers")
    sale = recorder.ask("list state:authorized --type nfe --subtype sale --limit 1")["documents"][0]["access_key"]
    recorder.facts |= {"sale": sale, "alone": key(8), "imported": key(7)}
    recorder.ask("show {sale} --xml --output {folder}/sale.xml")
    written = (folder / "sale.xml").read_text(encoding="utf-8")
    altered = folder / "altered"
    altered.mkdir()
    (altered / "altered.xml").write_text(written.replace("<natOp>", "<natOp>X", 1), encoding="utf-8")
    (folder / "paths.json").write_text(json.dumps([str(altered)]), encoding="utf-8")
    recorder.ask("import --paths-from {folder}/paths.json --progress-json")
    (papers / "broken.xml").unlink()
    recorder.ask("import {folder}/papers --complete 2026-10 --account loja")


def _documents(recorder: JsonRecorder) -> None:
    every = recorder.ask("list --all")["documents"]
    recorder.ask("list nothing-has-this-name")
    recorder.ask("list --unreadable")
    recorder.ask("list --not-believed")
    odd = recorder.ask("list --not-understood")["not_understood"][0]
    kinds: dict[tuple[str, ...], str] = {}
    for entry in every:
        kind = (entry["type"], entry["operation"] or "", entry["state"])
        kinds.setdefault(kind, entry["access_key"] or entry["sha256"])
    recorder.ask("show {paper}", paper=[*kinds.values(), recorder.facts["sale"]])
    recorder.ask("show {alone}")
    recorder.facts["record"] = odd["name"]
    recorder.ask("show {record}")
    _arranged(recorder)
    recorder.ask("relations {paper}", paper=[name for kind, name in kinds.items() if kind[0] != "voiding"])
    recorder.ask("reindex --progress-json")
    recorder.ask("reindex --all")


def _arranged(recorder: JsonRecorder) -> None:
    """Tags and saved searches, of which one of each is left."""
    recorder.ask("tag list", "before any")
    recorder.ask("tag add Pagar {sale}")
    recorder.ask("tag add Outra {sale}")
    recorder.ask("tag list")
    recorder.ask("list --tag pagar")
    recorder.ask("tag remove pagar {sale}")
    recorder.ask("tag rename outra Terceira")
    recorder.ask("tag delete terceira")
    recorder.ask("saved list", "before any")
    recorder.ask("saved add Fretes valor>1 --type cte")
    recorder.ask("saved add Outra --month 2026-10")
    recorder.ask("saved list")
    recorder.ask("list --saved fretes")
    recorder.ask("saved rename outra Terceira")
    recorder.ask("saved remove terceira")


def _orders(recorder: JsonRecorder) -> None:
    (Path(recorder.facts["folder"]) / "orders.csv").write_text(ORDERS, encoding="utf-8")
    recorder.ask("orders import {folder}/orders.csv --account odd --preview")
    recorder.ask("orders import {folder}/orders.csv --account odd --progress-json")
    recorder.ask("orders import {folder}/orders.csv --account odd --status Esquisito=INVOICED --forget-map")
    text = ORDERS.replace("ontem", "09/10/2026")
    (Path(recorder.facts["folder"]) / "whole.csv").write_text(text, encoding="utf-8")
    recorder.ask("orders import {folder}/whole.csv --account odd --status Esquisito=INVOICED --complete 2026-10")
    recorder.ask("orders import {folder}/whole.csv --account odd --complete 2026-10 --marketplace LOJA_VERDE")
    (declared, *_) = recorder.ask("declarations list", "standing")["declarations"]
    recorder.facts["declared"] = str(declared["id"])
    recorder.ask("declarations revoke {declared}")
    recorder.ask("declarations list", "one revoked")
    every = recorder.ask("orders list --all")["orders"]
    statuses = {(entry["source"], entry["status"]): entry["order_id"] for entry in every}
    recorder.ask("orders show {order}", "before a reconciliation", order=statuses.values())
    recorder.facts["order"] = every[0]["order_id"]
    recorder.ask("orders show {order} --versions")
    recorder.ask("orders show {order} --raw")


def _reconciliation(recorder: JsonRecorder) -> None:
    recorder.ask("account change odd --no-visible-series")
    recorder.ask("reconcile --account loja --all --as-of {now}")
    recorder.ask("reconcile --account loja --all --as-of {now}", "again")
    recorder.ask("reconcile --account loja --period 2026-10 --as-of {now} --report {folder}/first.xlsx")
    recorder.ask("reconcile --account loja --summary --all --as-of {now}")
    recorder.ask("reconcile --account loja --summary --all --as-of {now} --progress-json")
    recorder.ask("reconcile --account odd --account loja --period 2026-10 --as-of {now} --fail-on high")
    every = recorder.ask("orders list --without-invoice --all")["orders"]
    linked = [entry["order_id"] for entry in recorder.ask("orders list --all", "reconciled")["orders"]]
    assert every
    recorder.ask("orders show {order}", "reconciled", order=linked[:40])
    subjects = [entry["subject"] for entry in recorder.ask("stock --account loja")["items"]]
    recorder.ask("stock {subject} --account loja", subject=subjects)
    recorder.ask("taxes --account loja")
    recorder.ask("taxes --account loja --period 2026-10")
    recorder.ask("bridge --account loja --period 2026-09")
    recorder.ask("bridge --account loja --period 2026-09 --company {cnpj} --line invoiced_in_month")
    recorder.ask("bridge --account loja --period 2026-10 --preparer Ana --reviewer Rui --pdf {folder}/bridge.pdf")


def _home(recorder: JsonRecorder) -> None:
    """The choice is taken back at the end."""
    recorder.ask("home")
    recorder.ask("home {folder}/elsewhere --copy --progress-json")
    recorder.ask("home {folder}/elsewhere", "there is an archive")
    recorder.ask("home --copy")
    recorder.ask("home --forget")


def _findings(recorder: JsonRecorder) -> None:
    found = recorder.ask("findings list --account loja")["findings"]
    numbers = {entry["rule"]: entry["id"] for entry in found}
    recorder.ask("findings show {number}", number=numbers.values())
    recorder.facts |= {"one": str(found[0]["id"]), "two": str(found[1]["id"]), "three": str(found[2]["id"])}
    recorder.ask("findings explain {one} --note seen")
    recorder.ask("findings ignore {two} --note small")
    recorder.ask("findings note {three} --note look")
    recorder.ask("findings reopen {one}")
    recorder.ask("findings undo --account loja")
    recorder.ask("findings redo --account loja")
    recorder.ask("findings show {one}", "decided on")
    recorder.ask("findings history --account loja")
    recorder.ask("findings candidates {sided}", sided=[_sided(found)])
    recorder.ask("findings assign {three} --to Ana --due 2026-11-20")
    recorder.ask("findings list --account loja --assignee ana --due-before 2026-12-01 --overdue", "assigned")
    recorder.ask("findings assign {three}", "nobody's again")
    recorder.ask("findings signoff --company {cnpj} --period 2026-10 --reviewer Ana")
    recorder.ask("findings signoffs --company {cnpj}")
    recorder.ask("findings explained --account loja")
    recorder.ask("findings list --account loja --state ignored --state resolved")
    recorder.ask("findings report {folder}/report.xlsx --account loja")
    recorder.ask("findings report {folder}/second.xlsx --account loja --progress-json")


def _sided(found: Sequence[Mapping[str, Any]]) -> str:
    """The number of a finding about an order: candidates are looked for it."""
    return str(next(entry["id"] for entry in found if entry["orders"]))


def _links(recorder: JsonRecorder) -> None:
    """What a person says of links, taken back at the end."""
    recorder.ask("links ties --account loja")
    recorder.ask("links suggestions --account loja")
    first, second, third = recorder.ask("links list --account loja")["links"][:3]
    for name, entry in (("a", first), ("b", second), ("c", third)):
        recorder.facts |= {f"order_{name}": entry["order"], f"key_{name}": entry["key"]}
    recorder.ask("links unlink --account loja --order {order_a} --key {key_a} --note wrong")
    recorder.ask("links link --account loja --order {order_a} --key {key_b}")
    recorder.ask("links confirm --account loja --order {order_c} --key {key_c}")
    recorder.ask("links merge --account loja --order {order_a} --order {order_b} --key {key_b}")
    recorder.ask("links split --account loja --order {order_b} --key {key_b}")
    recorder.ask("links undo --account loja")
    recorder.ask("links redo --account loja")
    recorder.ask("links undo --account loja", "once more")
    recorder.ask("links history --account loja")
    recorder.ask("links history --account loja --order {order_a}")
    recorder.ask("links list --account loja --order {order_c}")
    recorder.ask("findings list --account loja", "some are stale")
    recorder.ask("reconcile --account loja --all --as-of {now}", "after decisions")
    ties = recorder.ask("links ties --account loja", "after decisions")["ties"]
    even = [str(tie["number"]) for tie in ties if len(tie["orders"]) == len(tie["keys"])]
    recorder.ask("links in-order {tie} --account loja", tie=even[:1])
    recorder.ask("links undo --account loja", "the tie")


def _near_misses(recorder: JsonRecorder) -> None:
    """A small business of its own: a near miss, a difference that its rule explains, and one that was explained away.

    No world of the sandbox plants these.
    """
    folder = Path(recorder.facts["folder"]) / "near"
    workspace = Workspace.at(folder)
    with workspace.writing("test") as archive:
        store(archive, note(1), note(2), note(3))
        _record_near_orders(archive, account(archive, business.ACCOUNT), 9.98)
    reconcile = "reconcile --all --as-of 2026-11-10T00:00:00-03:00 --home {folder}/near"
    run = recorder.ask(reconcile)
    (recorder.facts["small"],) = (str(entry["id"]) for entry in run["findings"] if entry["rule"] == "R3")
    recorder.ask("links suggestions --home {folder}/near")
    recorder.ask("findings explained --home {folder}/near")
    recorder.ask("findings explain {small} --note rounding --home {folder}/near")
    with workspace.writing("test") as archive, archive.reading() as transaction:
        owner = accounts.named(transaction, business.ACCOUNT)
    with workspace.writing("test") as archive:
        _record_near_orders(archive, owner, 0.5)
    recorder.ask(reconcile, "the difference has grown")
    recorder.ask("links accept --order o1 --home {folder}/near")
    recorder.ask("orders show o1 --home {folder}/near")


def _record_near_orders(archive: Archive, owner: Account, total: float) -> None:
    orders = {
        "o1": {"total": 9.0, "gross": 9.0},  # its note is of ten reais
        "o2": {"total": 10.5, "interestValue": 0.5, "invoice": {"accessKey": key(2)}},
        "o3": {"total": total, "gross": total, "invoice": {"accessKey": key(3)}},
    }
    business.record_orders(archive, owner, *(business.order_json(name, **how) for name, how in orders.items()))


def _samples(recorder: JsonRecorder) -> None:
    """Papers as other programs write them, which have more fields than the sandbox's."""
    spec = find_spec("nfelib")
    assert spec is not None
    assert spec.submodule_search_locations
    (Path(recorder.facts["folder"]) / "pdf").mkdir()
    (folder,) = spec.submodule_search_locations
    recorder.facts["samples"] = folder
    recorder.ask(
        "import {samples}/nfe/samples {samples}/nfe_evento_cce/samples {samples}/cte/samples {samples}/mdfe/samples "
        "{samples}/bpe/samples {samples}/nfcom/samples {samples}/nf3e/samples {samples}/nfse/samples "
        "--home {folder}/samples"
    )
    every = recorder.ask("list --all --home {folder}/samples")["documents"]
    papers = [entry["access_key"] or entry["sha256"] for entry in every]
    recorder.ask("show {paper} --home {folder}/samples", paper=papers)
    recorder.ask("pdf {paper} --output {folder}/pdf --home {folder}/samples", paper=papers[:3])


def _papers_out(recorder: JsonRecorder) -> None:
    recorder.ask("pdf {sale} {alone} --output {folder}/pdf")
    recorder.ask("pdf {imported} --output {folder}/imported.pdf --progress-json")
    recorder.ask("list --type cte --save-xml {folder}/some.zip --progress-json")
    recorder.ask("list --type cte --csv {folder}/some.csv --hide-people")
    recorder.ask("orders list --account loja --csv {folder}/orders-saved.csv --progress-json")
    recorder.ask("findings list --account loja --csv {folder}/findings.csv --progress-json")
    recorder.ask("export --month 2026-10")
    recorder.ask("export --month 2026-10 --replace --progress-json")
    recorder.ask("export --month 2026-10 --company {cnpj} --split-models --to {folder}")


def _closings(recorder: JsonRecorder) -> None:
    """A small archive whose month is closed, changed by a late note and a cancellation, opened again and closed."""
    folder = Path(recorder.facts["folder"]) / "months"
    folder.mkdir()
    for name, paper in (("one", note(1)), ("two", note(2)), ("late", note(3)), ("undone", cancellation(2))):
        (folder / f"{name}.xml").write_bytes(paper)
    month = "--period 2026-10 --home {folder}/closed"
    recorder.ask("import {folder}/months/one.xml {folder}/months/two.xml --home {folder}/closed")
    recorder.ask(f"ledger {month}")
    recorder.ask(f"ledger {month} --format csv --to {{folder}} --progress-json")
    recorder.ask(f"close {month}", "incomplete")
    recorder.ask(f"close {month} --preparer Ana --reviewer Bia --incomplete")
    recorder.ask(f"close {month}", "again")
    recorder.ask(f"changes {month}")
    recorder.ask("import {folder}/months/late.xml {folder}/months/undone.xml --home {folder}/closed", "late")
    recorder.ask(f"close {month}", "changed")
    recorder.ask(f"changes {month}", "changed")
    recorder.ask(f"close {month} --reopen --reason atrasada")
    recorder.ask(f"changes {month}", "open")
    recorder.ask("changes --period 2026-09 --home {folder}/closed")
    recorder.ask("close --period 2026-10 --check --company {cnpj}")
    recorder.ask("close --period 2026-10 --check --company {cnpj} --progress-json")


def _invoices(recorder: JsonRecorder) -> None:
    """Two orders that wait for their invoice are given one by a person; one of them is then sent alone."""
    waiting = recorder.ask("orders list --account loja --status PAID_WAITING_SHIP --without-invoice")["orders"]
    sales = recorder.ask("list state:authorized --type nfe --subtype sale --limit 3")["documents"]
    for name, order, sale in zip(("first", "second"), waiting, sales[1:], strict=False):
        recorder.facts |= {f"waiting_{name}": order["order_id"], f"sale_{name}": sale["access_key"]}
        recorder.ask(f"links link --account loja --order {{waiting_{name}}} --key {{sale_{name}}}")
    recorder.ask("orders invoice --account loja --month 2026-08 --preview")
    plan = recorder.ask("orders invoice --account loja --preview")
    recorder.facts["digest"] = plan["digest"]
    (Path(recorder.facts["folder"]) / "ids.txt").write_text(plan["requests"][0]["order"] + "\n", encoding="utf-8")
    recorder.ask("orders invoice --account loja --preview --summary")
    recorder.ask("orders invoice --account loja --ids-from {folder}/ids.txt --yes --progress-json")
    recorder.ask("orders invoice --account loja --yes")
    recorder.ask("links history --account loja", "invoices were sent")
    _moves(recorder)


def _moves(recorder: JsonRecorder) -> None:
    """The order that was given its invoice is shipped; what has no product made on demand cannot leave early."""
    shipped = "orders move {waiting_first} --account loja --to shipped --shipped-date 2026-10-31 --carrier Rápida"
    recorder.ask(f"{shipped} --preview")
    recorder.ask(f"{shipped} --preview --summary")
    recorder.ask(f"{shipped} --yes --progress-json")
    recorder.ask("orders move {waiting_first} --account loja --to paid --yes")
    recorder.ask("orders move {waiting_first} --account loja --to cancelled --yes")


def _hub_calls(recorder: JsonRecorder) -> None:
    """What the contract declares, a call that reads, and one that writes: shown, sent, and refused by the hub."""
    recorder.ask("hub operations --account loja")
    recorder.ask("hub operations --account loja --tag returns")
    recorder.ask("hub operations updateOrder --account loja")
    listed = recorder.ask("hub call listOrders --account loja --param status=INVOICED --param limit=5")
    order = listed["result"]["answer"]["content"][0]["id"]
    recorder.facts["pending"] = str(order)
    body = Path(recorder.facts["folder"]) / "move.json"
    body.write_text(json.dumps({"order_id": str(order), "status": "CANCELED"}), encoding="utf-8")
    call = "hub call updateOrder --account loja --param id={pending} --body {folder}/move.json"
    recorder.ask(f"{call} --preview")
    recorder.ask(f"{call} --yes")
    body.write_text(json.dumps({"order_id": str(order), "status": "CONCLUDED"}), encoding="utf-8")
    recorder.ask(f"{call} --yes", "refused by the hub")
    recorder.ask("hub call updateOrder --account loja --param id={pending}", "without its body")
    recorder.ask("account shape loja --refresh")


def _catalog(recorder: JsonRecorder) -> None:
    """The hub's products, one of them after a change, and files that are pushed: planned, sent, refused and wrong."""
    folder = Path(recorder.facts["folder"])
    recorder.ask("catalog sync --account loja")
    recorder.ask("catalog sync --account loja --full --progress-json")
    recorder.ask("catalog sync --account odd", "without a contract")
    recorder.ask("catalog list --limit 2")
    recorder.ask("catalog list --csv {folder}/products.csv --progress-json")
    recorder.ask("catalog list --gone")
    recorder.ask("catalog push --template {folder}/template.xlsx")
    head = "SKU;Produto;Título;Preço;Estoque;Marca;Categoria;Variação 1;Valor 1;Outra\n"
    new = "N-1;;Caneca;19,90;3;Ipê;Casa;;;x\n"
    mixed = "N-2;M;Mista;5;;Ipê;Casa;Cor;azul;x\nN-3;M;Mista;5;;Ipê;Casa;Tamanho;M;x\n"
    texts = {"new": new, "changed": new.replace("19,90", "29,90"), "refused": mixed, "wrong": "N-9;;;;;;;;;\n"}
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(head + text, encoding="utf-8")
    recorder.ask("catalog push {folder}/new.csv --account loja --preview")
    recorder.ask("catalog push {folder}/new.csv --account loja --yes --report {folder}/rows.csv")
    recorder.ask("catalog push {folder}/changed.csv --account loja --yes --progress-json")
    recorder.ask("catalog push {folder}/refused.csv --account loja --yes", "refused by the hub")
    recorder.ask("catalog push {folder}/wrong.csv --account loja --yes", "wrong rows")
    recorder.ask("catalog show N-1 --account loja")
    recorder.ask("catalog show none --account loja", "no such product")


def _checks(recorder: JsonRecorder) -> None:
    recorder.ask("verify --progress-json")
    recorder.ask("verify")
    recorder.ask("verify --again --month 2026-10 --progress-json")
    recorder.ask("verify {paper}", paper=[recorder.facts["sale"], recorder.facts["imported"]])
    recorder.ask("verify {alone}")
    recorder.ask("list --verdict failed")
    recorder.ask("list --with-findings")
    recorder.ask("show {sale}", "of two contents, verified")
    recorder.ask("doctor")
    recorder.ask("doctor --verify --trust")
    recorder.ask("doctor --verify --part 1/3 --progress-json")
    recorder.ask("doctor --audit-head 0123456789abcdef")
    recorder.ask("doctor --backup --progress-json")
    recorder.ask("doctor --backup")
    recorder.ask("doctor --migrate --progress-json")
    recorder.ask("doctor --repair --from {folder}/papers")
    recorder.ask("trust import {folder}/roots.pem")
    recorder.ask("keeping")
    recorder.ask("clients --month 2026-10")
    recorder.ask("clients --only problems --sort missing")
    recorder.ask("backup --progress-json")
    recorder.facts["backup"] = recorder.ask("backup")["written"][0]
    recorder.ask("backup --if-due")
    recorder.ask("backup --status --check")
    recorder.ask("backup --drill")
    recorder.ask("backup --drill --if-due")
    recorder.ask("backup --acknowledge")
    recorder.ask("restore {backup} --preview")
    recorder.ask("restore {backup} --yes --progress-json")
    _home(recorder)
    recorder.ask("orders list --account loja --hide-people")


def _unattended(recorder: JsonRecorder, folder: Path) -> None:
    """Where there is no scheduler to be told: the units are written into a folder of the recorder's own."""
    (folder / "programs").mkdir()
    own = {"XDG_CONFIG_HOME": str(folder / "config"), "PATH": str(folder / "programs")}
    recorder.ask("run --account odd --report {folder}/reports --backup")
    recorder.ask("run --account odd --no-report --fail-on never --progress-json")
    recorder.ask("run")
    with mock.patch.dict(os.environ, own):
        recorder.ask("schedule status", "none")
        recorder.ask("schedule install --every weekday --backup")
        recorder.ask("schedule status")
        recorder.ask("schedule remove")


def _people(recorder: JsonRecorder) -> None:
    buyers = [entry["buyer_tax_id"] for entry in recorder.ask("orders list --account loja --all")["orders"]]
    recorder.facts["person"] = next(buyer for buyer in buyers if buyer and len(buyer) == len("52998224725"))
    recorder.ask("person {person}")
    recorder.ask("person 11144477735")
    recorder.ask("person {person} --erase --preview")
    recorder.ask("person {person} --erase --yes")
    recorder.ask("person {person}", "erased")


def _demo(recorder: JsonRecorder) -> None:
    options = "--documents 40 --seed 5 --no-window --home {folder}/demo"
    recorder.ask(f"demo {options}")
    recorder.ask(f"demo {options} --progress-json")


def _listens(recorder: JsonRecorder) -> None:
    """A listener that is stopped before it does anything, since its stdin is at its end."""
    cases = recorder.shapes.setdefault("listen", {})
    for mode in ("--json", "--progress-json"):
        line = ("listen", "--account", "loja", "--port", "0", mode, "--exit-with-stdin", "--home", str(recorder.home))
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "confere", *line],
            input="",
            capture_output=True,
            env=ENVIRONMENT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.stderr == ""
        is_object = mode == "--json"
        shape = {"answer": shape_of(json.loads(done.stdout))} if is_object else {"lines": shape_of_lines(done.stdout)}
        cases[f"listen --account loja {mode}"] = {"exit code": str(done.returncode), **shape}
    recorder.ask("listen --account nobody")


def _refusals(recorder: JsonRecorder) -> None:
    """What cannot be done: wrong use, what is not there, and a hub that does not answer."""
    recorder.ask("--version")
    recorder.ask("nonsense")
    recorder.ask("show 35260411222333000181550010000000011000000010")
    recorder.ask("list --type nonsense")
    recorder.ask("export --month 2005-01 --company {cnpj}")
    recorder.ask("export --month 2005-01 --company {cnpj} --progress-json")
    recorder.ask("ledger --period 2005-01 --company {cnpj}")
    recorder.ask("findings show 999999")
    recorder.ask("findings ignore {three}")
    recorder.ask("orders show nonsense")
    recorder.ask("orders invoice --account loja {order}")
    recorder.ask("orders move {waiting_second} --account loja --to early-shipment --yes")
    recorder.ask("orders move {waiting_second} --account loja --to nowhere")
    recorder.ask("pdf --month 2026-10 {sale}")
    recorder.ask("reconcile --account nobody --progress-json")
    recorder.ask("declarations revoke 999999")
    recorder.ask("trust import {folder}/absent.pem")
    recorder.ask("account token loja --token-file {other}", "a wrong one")
    recorder.ask("account test loja", "the token is refused")
    recorder.ask("sync --account loja --progress-json", "the token is refused")
    recorder.ask("verify --home {token} --progress-json", "no folder")
    for command in commands():
        recorder.ask(f"{command} --no-such-option")


def _last(recorder: JsonRecorder) -> None:
    recorder.ask("account remove odd --yes")
    recorder.ask("account remove odd --yes", "again")


def _started_sandbox() -> subprocess.Popen[str]:
    """A sandbox of its own: it answers with one line, and ends when its stdin closes."""
    line = ("sandbox", "--documents", "20", "--json", "--exit-with-stdin")
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "confere", *line],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    )


def _line_of(sandbox: subprocess.Popen[str]) -> Shape:
    assert sandbox.stdout is not None
    line = sandbox.stdout.readline()
    rest, err = sandbox.communicate(timeout=120)
    assert (rest, err) == ("", "")
    return {"exit code": str(sandbox.returncode), "answer": shape_of(json.loads(line))}
