"""How fast the filing package is written, beside `zipfile` and the `zip` program over the same files, as ratios."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from isal import isal_zlib

from confere.archive.documents import recorder
from confere.archive.store import Archive
from confere.archive.vault import vault
from confere.archive.vault.reader import VaultReader
from confere.export.package import package
from confere.export.package.compressor import GROUP
from confere.export.package.request import PackageOptions, PackageRequest
from confere.export.package.zip import deflate
from confere.fiscal.document_parts import Party, Protocol, Totals
from confere.fiscal.model import Document, DocumentType, Paper
from confere.system.processes import worker_pool
from tests.bench import isal_alone

COMPANY = "12345678000195"
MONTH = "2026-10"
EMITTERS = 20


def run(documents: int = 20_000) -> None:
    """Print documents a second of each way, and how they compare."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = folder / "files"
        files.mkdir()
        raw = _fill(folder / "archive.sqlite3", files, documents)
        print(f"packaging: {documents} documents of {raw / documents / 1000:.1f} kB")
        hands = worker_pool.cores()
        with Archive.to_read(folder / "archive.sqlite3") as archive:
            seconds = {
                "zip -r, from files": _best(lambda: _zip_program(files, folder / "z.zip")),
                "zipfile, from files": _best(lambda: _zipfile(files, folder / "f.zip")),
                "isal alone, in memory": _best(lambda: _isal_alone(files)),
                f"isal alone, {hands} processes": _best(lambda: _isal_alone_by(files, hands)),
                "codecs alone, one process": _best(lambda: _codecs_alone(archive)),
                "package, one process": _best(lambda: _package(archive, folder / "p.zip", 0)),
                "package, not read back": _best(lambda: _package(archive, folder / "q.zip", hands, read_back=False)),
                "package, from the vault": _best(lambda: _package(archive, folder / "p.zip", hands)),
            }
        sizes = {path.name: path.stat().st_size for path in folder.glob("?.zip")}
        wall_of_zip, cpu_of_zip = seconds["zip -r, from files"]
        for way, (wall, cpu) in seconds.items():
            print(
                f"  {way:26} {documents / wall:10,.0f} documents/s  {wall_of_zip / wall:5.2f} x zip -r"
                f"   {cpu / documents * 1e6:5.0f} us of processor  {cpu_of_zip / cpu:5.2f} x"
            )
        ceiling = seconds[f"isal alone, {hands} processes"]
        for way in ("package, not read back", "package, from the vault"):
            wall, cpu = (ceiling[place] / seconds[way][place] for place in (0, 1))
            print(f"  {way}: {wall:.2f} x isal alone by the clock, {cpu:.2f} x of processor (budget 0.6)")
        print(f"  size: package {sizes['p.zip'] / raw:.1%} of raw, zip -r {sizes.get('z.zip', 0) / raw:.1%}")


def _best(work: Callable[[], object], times: int = 3) -> tuple[float, float]:
    """The shortest run: seconds by the clock, and of processors, child processes included."""
    taken = []
    for _ in range(times):
        start, used = time.perf_counter(), sum(os.times()[:4])
        work()
        taken.append((time.perf_counter() - start, sum(os.times()[:4]) - used))
    return min(wall for wall, _ in taken), min(cpu for _, cpu in taken)


def _zip_program(files: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    if shutil.which("zip"):
        subprocess.run(["zip", "-qr", str(target), files.name], cwd=files.parent, check=True)


def _zipfile(files: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files.iterdir()):
            archive.write(path, path.name)


def _isal_alone(files: Path) -> None:
    for path in files.iterdir():
        deflate(path.read_bytes())


def _isal_alone_by(files: Path, workers: int) -> None:
    paths = [str(path) for path in files.iterdir()]
    parts = [paths[start : start + 256] for start in range(0, len(paths), 256)]
    for _ in worker_pool.work(isal_alone.prepare, (), parts, workers):
        pass


def _codecs_alone(archive: Archive) -> None:
    """What no package can do without: zstd, deflate, inflate and SHA-256 of each content, with nothing around them."""
    reader = VaultReader()
    with archive.reading() as transaction:
        numbers = transaction.integers("SELECT id FROM content ORDER BY id")
    for start in range(0, len(numbers), GROUP):
        with archive.reading() as transaction:
            contents = reader.fetch(transaction, numbers[start : start + GROUP])
        for content in contents:
            file = deflate(reader.unpack(content, check=False))
            hashlib.sha256(isal_zlib.decompress(file.data, -15)).digest()


def _package(archive: Archive, target: Path, workers: int, *, read_back: bool = True) -> None:
    kept = package.workers_for, package.compared
    package.workers_for = lambda _files: workers
    if not read_back:
        package.compared = lambda *_: None
    try:
        package.export_package(archive, PackageRequest(COMPANY, target, PackageOptions(MONTH, replace=True)))
    finally:
        package.workers_for, package.compared = kept


def memory(few: int = 10_000, many: int = 100_000) -> None:
    """Print the peak memory of the export with all of its workers at two sizes; needs `/proc`."""
    peaks = []
    for documents in (few, many):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "files").mkdir()
            _fill(folder / "archive.sqlite3", folder / "files", documents)
            peaks.append(_peak(folder))
        print(f"  {documents} documents: at most {peaks[-1] / 1024:.0f} MB in all processes together")
    print(f"  {peaks[1] / peaks[0]:.3f} x (budget: within 10 %)")


def _peak(folder: Path) -> int:
    """The largest sum of resident memory, in KB, of an export in a process of its own and its children."""
    code = (
        "import sys, pathlib; from confere.archive.store import Archive; from tests.bench import packaging\n"
        "if __name__ == '__main__':\n"
        "    with Archive.to_read(pathlib.Path(sys.argv[1])) as archive:\n"
        "        packaging._package(archive, pathlib.Path(sys.argv[2]), packaging.worker_pool.cores())\n"
    )
    arguments = [sys.executable, "-c", code, str(folder / "archive.sqlite3"), str(folder / "p.zip")]
    most = 0
    with subprocess.Popen(arguments) as export:
        while export.poll() is None:
            most = max(most, _resident(export.pid))
            time.sleep(0.02)
    if export.returncode:
        raise RuntimeError(f"the export ended with {export.returncode}")
    return most


def _resident(process: int) -> int:
    """KB of a process and its children, what they share counted once."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total = int(line.split()[1])
        total += sum(_resident(int(child)) for child in children)
    return total


def _fill(path: Path, files: Path, documents: int) -> int:
    """An archive of so many notes, each written as a file too; the raw bytes of all."""
    dice = random.Random(7)
    certificates = [base64.b64encode(dice.randbytes(1500)).decode() for _ in range(EMITTERS)]
    raw = 0
    with Archive.to_write(path, "bench") as archive:
        for start in range(0, documents, 1000):
            batch = []
            for number in range(start, min(start + 1000, documents)):
                key = f"352610{COMPANY}55001{number:09d}1{dice.randrange(10**8):08d}0"
                data = _xml(dice, key, certificates[number % EMITTERS])
                raw += len(data)
                (files / f"{key}-procNFe.xml").write_bytes(data)
                batch.append(recorder.NewPaper(vault.Blob(data, vault.digest_of(data)), _paper(key, number)))
            with archive.writing() as transaction:
                recorded = recorder.record(transaction, archive.vault_writer, batch)
                arrivals = [recorder.Arrival(i, f"notes/{i}.xml") for i in recorded.content_ids]
                recorder.arrive(transaction, 1, arrivals)
    return raw


def _paper(key: str, number: int) -> Paper:
    document = Document(
        type=DocumentType.NFE, access_key=key, model="55", series=1, number=number, layout="4.00",
        issued_at=f"{MONTH}-{number % 31 + 1:02d}T10:00:00-03:00", operation="Venda", direction="1", purpose="1",
        destination="1", environment="1", cfops=("5102",), parties=(Party("emitter", COMPANY, "Loja"),), items=(),
        totals=Totals(document=1000), protocol=Protocol(key, "100", None, "1", None, None), references=(), digest=None,
        external_id=None, order_hint=None, notes=None,
    )  # fmt: skip
    return Paper("nfeProc", "http://www.portalfiscal.inf.br/nfe", (document,))


def _xml(dice: random.Random, key: str, certificate: str) -> bytes:
    def money() -> str:
        return f"{dice.randrange(99999) / 100:.2f}"

    items = "".join(
        f'<det nItem="{n}"><prod><cProd>SKU{dice.randrange(10**6):06d}</cProd><cEAN>789{dice.randrange(10**10):010d}'
        f"</cEAN><xProd>Camiseta {dice.choice(('azul', 'verde', 'preta'))} {dice.randrange(999)}</xProd>"
        f"<NCM>{dice.randrange(10**8):08d}</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom>"
        f"<vUnCom>{money()}</vUnCom><vProd>{money()}</vProd></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST>"
        f"<modBC>3</modBC><vBC>{money()}</vBC><pICMS>18.00</pICMS><vICMS>{money()}</vICMS></ICMS00></ICMS><PIS>"
        f"<PISAliq><CST>01</CST><vBC>{money()}</vBC><pPIS>1.65</pPIS><vPIS>{money()}</vPIS></PISAliq></PIS><COFINS>"
        f"<COFINSAliq><CST>01</CST><vBC>{money()}</vBC><pCOFINS>7.60</pCOFINS><vCOFINS>{money()}</vCOFINS>"
        "</COFINSAliq></COFINS></imposto></det>"
        for n in range(1, dice.randrange(4, 17))
    )
    signature = base64.b64encode(dice.randbytes(256)).decode()
    digest = base64.b64encode(dice.randbytes(20)).decode()
    return (
        '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>'
        f'<infNFe Id="NFe{key}" versao="4.00">{items}</infNFe><Signature xmlns="http://www.w3.org/2000/09/xmldsig#">'
        f'<SignedInfo><Reference URI="#NFe{key}"><DigestValue>{digest}</DigestValue></Reference></SignedInfo>'
        f"<SignatureValue>{signature}</SignatureValue><KeyInfo><X509Data><X509Certificate>{certificate}"
        "</X509Certificate></X509Data></KeyInfo></Signature></NFe></nfeProc>"
    ).encode()


if __name__ == "__main__":
    run()
    memory()
