"""How fast the authenticity of documents is judged, beside xmlsec and signxml over the same files in one run."""

from __future__ import annotations

import base64
import multiprocessing
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import nfelib
import signxml
import xmlsec
from lxml import etree
from signxml.exceptions import InvalidDigest, InvalidSignature

from confere.app.authenticity import trust
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.fiscal.authenticity.verdict import Check, Result
from confere.system.paths import Home
from sandbox_hub.paper.document_factory import Authority
from tests.bench import corpus

ROUNDS = 7
BUDGET = 2.0
PROCESSES = 2
SEED = 7

_DSIG = "{http://www.w3.org/2000/09/xmldsig#}"
_CONFIGURATION = signxml.SignatureConfiguration(
    require_x509=True,
    signature_methods=frozenset({signxml.SignatureMethod.RSA_SHA1}),
    digest_algorithms=frozenset({signxml.DigestAlgorithm.SHA1}),
)


def by_xmlsec(data: bytes) -> bool:
    """Parse, find the signature, verify it with the key in its certificate; no other line of the verdict."""
    root = etree.fromstring(data)
    xmlsec.tree.add_ids(root, ["Id"])
    signature = next(root.iter(f"{_DSIG}Signature"))
    encoded = next(signature.iter(f"{_DSIG}X509Certificate"))
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(base64.b64decode(encoded.text or ""), xmlsec.KeyFormat.CERT_DER)
    try:
        context.verify(signature)
    except xmlsec.VerificationError:
        return False
    return True


def by_signxml(data: bytes) -> bool:
    """The same by signxml; the signer's certificate is taken as it comes."""
    root = etree.fromstring(data)
    signed = next(root.iter(f"{_DSIG}Signature")).getparent()
    encoded = next(signed.iter(f"{_DSIG}X509Certificate"))
    pem = f"-----BEGIN CERTIFICATE-----\n{encoded.text}\n-----END CERTIFICATE-----\n"
    verifier = signxml.XMLVerifier()
    verifier.excise_empty_xmlns_declarations = True  # or lxml's own would spoil the canonical form
    try:
        verifier.verify(signed, x509_cert=pem, id_attribute="Id", expect_config=_CONFIGURATION)
    except (InvalidDigest, InvalidSignature):
        return False
    return True


def by_us(trusted: Trust, schemas: SchemaSet | None, data: bytes) -> bool:
    """Every line of the verdict; whether the two on the signature hold."""
    (judged,) = judge_paper(data, trusted, world=World.SANDBOX, schemas=schemas)
    lines = judged.verdict.lines
    return all(line.result is Result.OK for line in lines if line.check in (Check.DIGEST, Check.SIGNATURE))


def rate(work: Callable[[bytes], bool], documents: Sequence[bytes]) -> float:
    """Documents a second."""
    start = time.perf_counter()
    for data in documents:
        work(data)
    return len(documents) / (time.perf_counter() - start)


def _many(given: tuple[Sequence[bytes], Sequence[bytes]]) -> int:
    certificates, documents = given
    trusted = Trust.of(extra=certificates)
    return sum(by_us(trusted, None, data) for data in documents)


def _in_processes(certificates: Sequence[bytes], documents: Sequence[bytes]) -> float:
    """Documents a second in worker processes, their start not counted."""
    work = [(certificates, documents[start::PROCESSES]) for start in range(PROCESSES)]
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        pool.map(_many, [(certificates, papers[:50]) for _, papers in work], chunksize=1)  # imports
        start = time.perf_counter()
        pool.map(_many, work, chunksize=1)
        return len(documents) / (time.perf_counter() - start)


def run(documents: int = 3_000) -> dict[str, float]:
    """Judge about `documents` signed papers each way, in alternating rounds; print and return rates and ratios.

    Each way keeps its best round, so that a busy neighbour on the machine spoils none of them alone. Before that,
    xmlsec's word on every paper, nfelib's signed samples among them, has to be ours.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = [path.read_bytes() for path in corpus.write(Path(folder), documents, SEED)]
        schemas = trust.schemas_for(Home(Path(folder)))
    samples = [path.read_bytes() for path in sorted(Path(nfelib.__file__).parent.rglob("samples/**/*-nfe.xml"))]
    samples = [sample for sample in samples if b"<X509Certificate" in sample]
    authority = Authority(SEED)
    certificates = [authority.root_pem(), authority.issuer_pem()]
    trusted = Trust.of(extra=certificates)
    ours = partial(by_us, trusted, None)
    for sample in (*data[::7], *samples):
        assert ours(sample) == by_xmlsec(sample)

    ways: list[tuple[str, Callable[[bytes], bool], Sequence[bytes]]] = [
        ("ours", ours, data),
        ("xmlsec", by_xmlsec, data),
        ("signxml", by_signxml, data[::10]),
        ("ours with schema", partial(by_us, trusted, schemas), data[::5]),
    ]
    best = dict.fromkeys((name for name, _, _ in ways), 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # signxml warns of SHA-1
        for _, work, papers in ways:
            assert all(work(paper) for paper in papers[:50])
        for _ in range(ROUNDS):
            for name, work, papers in ways:
                best[name] = max(best[name], rate(work, papers))
    result = {
        "documents": float(len(data)),
        "mean_bytes": sum(map(len, data)) / len(data),
        **{f"{name.replace(' ', '_')}_per_second": speed for name, speed in best.items()},
        "times_xmlsec": best["ours"] / best["xmlsec"],
        "times_signxml": best["ours"] / best["signxml"],
        "in_processes_per_second": max(_in_processes(certificates, data) for _ in range(3)),
    }
    print(f"judging {len(data):,} papers of {result['mean_bytes'] / 1000:.1f} KB, best of {ROUNDS} rounds")
    print(f"  eleven lines, schema left out   {best['ours']:>8,.0f}/s")
    print(f"  with the official schema        {best['ours with schema']:>8,.0f}/s")
    print(f"  xmlsec, signature alone         {best['xmlsec']:>8,.0f}/s")
    print(f"  signxml, signature alone        {best['signxml']:>8,.0f}/s")
    print(f"  {PROCESSES} processes, schema left out     {result['in_processes_per_second']:>8,.0f}/s")
    print(f"  times xmlsec                    {result['times_xmlsec']:>8.2f}   (budget {BUDGET:.1f})")
    print(f"  times signxml                   {result['times_signxml']:>8.2f}")
    return result


if __name__ == "__main__":
    run()
