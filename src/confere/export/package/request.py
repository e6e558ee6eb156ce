"""What a filing package is asked for, and where it will stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from confere.errors import UsageFault, message
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import Templates
from confere.fiscal import taxpayers


class Split(StrEnum):
    """How many ZIPs a company and month make."""

    ONE = "one"
    MODEL = "model"  # one for NF-e, NFC-e, CT-e, CT-e OS and MDF-e each


class Form(StrEnum):
    """What a package is on the disk."""

    ZIP = "zip"
    FOLDER = "folder"


class Events(StrEnum):
    """Which folder an event goes to. The document's own keeps both together."""

    OWN = "own"  # as the folder template has it, where `kind` is `event`
    BESIDE = "beside"  # the folder of its document
    INSIDE = "inside"  # a folder for each document, called by its key, with the document and its events


@dataclass(frozen=True, slots=True)
class PackageOptions:
    """Which month (`YYYY-MM`) is handed over, and how, whoever's it is.

    `replace` allows to replace a package. `with_not_authentic` puts in what the verdict says is not authentic;
    without it that is named as missing. `bag` makes it a BagIt bag.
    """

    month: str
    split: Split = Split.ONE
    replace: bool = False
    with_not_authentic: bool = False
    form: Form = Form.ZIP
    events: Events = Events.OWN
    bag: bool = False


@dataclass(frozen=True, slots=True)
class PackageRequest:
    """What to hand over. `company` is a CNPJ or CPF, masked or not.

    `target` is a folder, made where needed, that gets `{company}-{month}.zip`; or the ZIP itself, when its name ends
    in `.zip`. As a folder it is `{company}-{month}` in there. With `Split.MODEL` the model's name is added:
    `…-nfe.zip`.
    """

    company: str
    target: Path
    options: PackageOptions
    profile: Profile = Profile.WITH_CANCELLATIONS
    templates: Templates = field(default_factory=Templates)


def company_of(text: str) -> str:
    """A CNPJ or CPF as the archive writes it, without its mask; `UsageFault` for anything else.

    Check digits are not asked for: what a document says is what its company is called.
    """
    plain = taxpayers.normalise(text)
    if taxpayers.CNPJ_SHAPE.fullmatch(plain) or taxpayers.CPF_SHAPE.fullmatch(plain):
        return plain
    raise UsageFault(
        message("{company} is not a CNPJ or a CPF.", company=text),
        message("A CNPJ has 14 characters, a CPF 11 digits, with or without dots and dashes."),
    )
