"""What verdicts are judged by: the certificates and schemas of this installation, and those its user added."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from cryptography import x509

from confere.errors import EnvironmentFault, Message, message
from confere.fiscal.authenticity.certificates import certificate_bundles, learnable_authorities
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.system import data_folder
from confere.system.files.atomic_file import storage_fault
from confere.system.files.own_files import read_own
from confere.system.files.regular_files import open_regular
from confere.system.paths import Home
from confere.system.resources import resource

_log = logging.getLogger(__name__)

TRUST_FOLDER: Final = "trust"
"""In the data folder: certificates of ICP-Brasil that the user adds, roots and those below them."""
SCHEMA_FOLDER: Final = "schemas"
"""In the data folder: official schemas that the user adds."""

_SCHEMA_PACKAGE: Final = "nfelib"
_ENDINGS: Final = frozenset({".pem", ".crt", ".cer", ".der", ".p7b", ".p7c"})
_SCHEMA_ENDING: Final = frozenset({".xsd"})
_LARGEST: Final = 20_000_000
_MOST_FILES: Final = 5_000
_LARGEST_IN_ALL: Final = 100_000_000
_KEPT: Final = 16

_Stamp = tuple[tuple[str, int, int], ...]
"""The files of a folder with their sizes and the moments they were written: other contents, another stamp."""


@dataclass(frozen=True, slots=True)
class Store:
    """The certificates at hand. `warnings` name what lies in the user's folder and is no certificate."""

    packaged: tuple[bytes, ...]
    added: tuple[bytes, ...]
    warnings: tuple[Message, ...]


def trust_for(home: Home, roots: tuple[bytes, ...] = ()) -> Trust:
    """ICP-Brasil's certificates, with the user's own folder; `roots` are those of a sandbox account.

    Kept until something in that folder changes, which every call looks at: in bulk, ask once.
    """
    return _trust(home.root, roots, _stamp(home.root / TRUST_FOLDER, _ENDINGS), _file_stamp(home.authorities))


def packaged() -> tuple[x509.Certificate, ...]:
    """The authorities that come with the program; each leads to a pinned root."""
    return _packaged()


def learned(home: Home) -> tuple[x509.Certificate, ...]:
    """The authorities that were learned here, those alone that lead to a pinned root: whoever wrote the file."""
    return _learned(_file_stamp(home.authorities))


def store(home: Home) -> Store:
    """What `trust_for` builds on, with what is wrong in the user's folder."""
    return _store(home.root, _stamp(home.root / TRUST_FOLDER, _ENDINGS))


def schemas_for(home: Home) -> SchemaSet:
    """The official schemas: the user's own, and those of an installed `nfelib`; none where neither is there.

    They are compiled when first needed (a tenth of a second each).
    """
    stamp = _stamp(home.root / SCHEMA_FOLDER, _SCHEMA_ENDING)
    # Where the user added none, every data folder shares what was read and compiled.
    return _schemas(_package_folder(_SCHEMA_PACKAGE), home.root if stamp else None, stamp)


def own_folder(home: Home, name: str) -> Path:
    """The user's folder of that name, made where it is missing. Raises `EnvironmentFault` or `DiskFull`."""
    folder = home.root / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise storage_fault(error, folder) from error
    return folder


@lru_cache(maxsize=_KEPT)
def _trust(folder: Path, roots: tuple[bytes, ...], stamp: _Stamp, learned_stamp: _Stamp) -> Trust:
    added = certificate_bundles.read_all(_store(folder, stamp).added)
    return Trust((*_packaged(), *added), certificate_bundles.read_all(roots), _learned(learned_stamp))


@lru_cache(maxsize=1)
def _packaged() -> tuple[x509.Certificate, ...]:
    return certificate_bundles.read(resource("trust", "icp-brasil.pem").read_bytes()).certificates


@lru_cache(maxsize=_KEPT)
def _learned(stamp: _Stamp) -> tuple[x509.Certificate, ...]:
    for name, _, _ in stamp:
        try:
            given = certificate_bundles.read(read_own(Path(name), data_folder.AUTHORITIES_BYTES)).certificates
        except (OSError, EnvironmentFault):
            _log.info("cannot read %s", name)
            continue
        return tuple(learnable_authorities.learned(given, _packaged()).values())
    return ()


def _file_stamp(path: Path) -> _Stamp:
    with suppress(OSError):
        seen = path.lstat()
        return ((str(path), seen.st_size, seen.st_mtime_ns),)
    return ()


@lru_cache(maxsize=_KEPT)
def _store(folder: Path, _: _Stamp) -> Store:
    packaged = (resource("trust", "icp-brasil.pem").read_bytes(),)
    added: list[bytes] = []
    warnings: list[Message] = []
    for path, data in _files(folder / TRUST_FOLDER, _ENDINGS):
        read = certificate_bundles.read(data)
        if read.certificates:
            added.append(data)
        if not read.certificates or read.unread:
            warnings.append(message("{name} holds something that is not a certificate.", name=path.name))
    return Store(packaged, tuple(added), tuple(warnings))


@lru_cache(maxsize=_KEPT)
def _schemas(package: Path | None, folder: Path | None, _: _Stamp) -> SchemaSet:
    found: dict[str, bytes] = {}
    # The user's come last, and win over the package's.
    for source, name in ((package, "package"), (folder and folder / SCHEMA_FOLDER, "own")):
        if source is not None:
            found |= {
                f"{name}/{path.relative_to(source).as_posix()}": data for path, data in _files(source, _SCHEMA_ENDING)
            }
    return SchemaSet(found)


def _package_folder(name: str) -> Path | None:
    """Where an installed package lies, found without running it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else None


def _files(folder: Path, endings: frozenset[str]) -> Iterator[tuple[Path, bytes]]:
    """The files below `folder` with one of `endings`, in order of name, but those that cannot be read.

    What is too large, and what would make them too many to hold, is left out and noted in the log.
    """
    left = _LARGEST_IN_ALL
    for path in _named(folder, endings):
        try:
            with open_regular(path) as file:
                data = file.read(min(_LARGEST, left) + 1)
            if len(data) <= min(_LARGEST, left):
                left -= len(data)
                yield path, data
            else:
                _log.info("too large: %s", path)
        except (OSError, EnvironmentFault):
            _log.info("cannot read %s", path)


def _named(folder: Path, endings: frozenset[str]) -> list[Path]:
    """What is called like a file that counts, in order of name."""
    if not folder.is_dir():
        return []
    return sorted(islice((path for path in folder.rglob("*") if path.suffix.lower() in endings), _MOST_FILES))


def _stamp(folder: Path, endings: frozenset[str]) -> _Stamp:
    found: list[tuple[str, int, int]] = []
    for path in _named(folder, endings):
        with suppress(OSError):
            seen = path.stat()
            found.append((str(path), seen.st_size, seen.st_mtime_ns))
    return tuple(found)
