"""The access key of 44 positions (50 of a national NFS-e): its parts, its check digit, finding it in an Id."""

from __future__ import annotations

import re
from operator import mul
from typing import Final, NamedTuple

from confere.fiscal import taxpayers
from confere.fiscal.law import states
from confere.fiscal.law.model_names import model_name

LENGTH: Final = 44
SHAPE: Final = re.compile(r"[0-9]{6}[A-Z0-9]{12}[0-9]{26}")
SERVICE_LENGTH: Final = 50
"""Of a national NFS-e: city 7, who made it 1, kind of tax id 1, tax id 14, number 13, AAMM 4, code 9, check digit."""
LENGTHS: Final = frozenset({LENGTH, SERVICE_LENGTH})
_SERVICE_SHAPE: Final = re.compile(r"[0-9]{9}[A-Z0-9]{12}[0-9]{29}")

# Weights 2 to 9 from the right over all positions before the check digit.
_WEIGHTS: Final = {
    length: tuple(2 + (length - 2 - position) % 8 for position in range(length - 1)) for length in LENGTHS
}
_ZEROS: Final = {length: 48 * sum(weights) for length, weights in _WEIGHTS.items()}
_ID_PREFIX: Final = re.compile(r"(?:NFe|CTe|MDFe|NFCom|NF3e|BPe|DCe|GTVe|NFAg|NFGas|NFABI|CFe|NFS)(?=.)")
_SPACES: Final = re.compile(r"\s+")


_AVULSA: Final = range(890, 900)
_SHORTEST_BEGINNING: Final = 8


def names_authority(model: str | None, series: str | None) -> bool:
    """Whether a key of this model and series holds the tax authority's CNPJ in place of the emitter's.

    The authority issues the notes of series 890 to 899 itself (NFA-e) and numbers them as its own.

    Source: MOC 7.0, annex I, B07 (`serie` 890 to 899: NFA-e issued by the authority).
    """
    return model == "55" and series is not None and series.isdecimal() and len(series) <= 3 and int(series) in _AVULSA


class KeyParts(NamedTuple):
    """The fields that a well-formed access key encodes."""

    key: str
    uf_code: str  # IBGE code of the emitter's state
    year_month: str  # AAMM of the issue
    emitter_field: str  # the 14 positions as they stand
    model: str
    series: int
    number: int
    emission_type: str  # tpEmis
    code: str  # cNF, cCT
    check_digit: str

    @property
    def model_name(self) -> str:
        """What the model is called: `NF-e`; its number where nobody named it."""
        return model_name(self.model)

    @property
    def check_digit_holds(self) -> bool:
        """Whether the last position is the check digit of those before it."""
        return check_digit(self.key) == self.check_digit

    @property
    def emitter(self) -> str:
        """CNPJ of the emitter, or CPF where the 14 positions hold one padded with zeros."""
        field = self.emitter_field
        if field.startswith("000") and taxpayers.is_cpf(field[3:]) and not taxpayers.is_cnpj(field):
            return field[3:]
        return field

    @property
    def period(self) -> str:
        """Month of issue as `YYYY-MM`; electronic documents exist since 2006, so the century is known."""
        return f"20{self.year_month[:2]}-{self.year_month[2:]}"


def parse(key: str) -> KeyParts | None:
    """The parts of `key`; None where it is not shaped like an access key. The check digit is not verified.

    Source: MOC 7.0 (access key: 44 positions); MOC of the CT-e 4.00 (the same of a CT-e).
    """
    if SHAPE.fullmatch(key) is None:
        return None
    return KeyParts(
        key=key,
        uf_code=key[:2],
        year_month=key[2:6],
        emitter_field=key[6:20],
        model=key[20:22],
        series=int(key[22:25]),
        number=int(key[25:34]),
        emission_type=key[34],
        code=key[35:43],
        check_digit=key[43],
    )


def has_shape(key: str) -> bool:
    """Whether `key` has 44 positions, or 50, with letters only where a CNPJ can have them.

    Source: MOC 7.0 (44 positions); Instrução Normativa RFB 2.229/2024 (letters in a CNPJ); `tiposSimples_v1.01` of the
    national NFS-e (50 positions).
    """
    return (SHAPE if len(key) != SERVICE_LENGTH else _SERVICE_SHAPE).fullmatch(key) is not None


def is_valid(key: str) -> bool:
    """Whether `key` has the shape of an access key and its check digit holds.

    Source: MOC 7.0 (check digit of the access key).
    """
    return has_shape(key) and check_digit(key) == key[-1]


def may_begin(digits: str) -> bool:
    """Whether a key may begin with `digits`, eight of them or more: a state, then a month, or a city of an NFS-e.

    Source: MOC 7.0 (access key: cUF, AAMM); `tiposSimples_v1.01` of the national NFS-e (city, then 1 or 2).
    """
    if len(digits) < _SHORTEST_BEGINNING or states.uf_of_ibge_code(digits[:2]) is None:
        return False
    return "01" <= digits[4:6] <= "12" or digits[7] in "12"


def check_digit(key: str) -> str:
    """The check digit that the first 43 positions of `key` ask for, of an NFS-e's 50 the first 49.

    Modulus 11, remainder 0 or 1 gives 0; every character counts as `ord(c) - 48`, as in a CNPJ with letters. Raises
    ValueError for what has not 43 ASCII positions.

    Source: MOC 7.0 (modulus 11, weights 2 to 9 from the right); Instrução Normativa RFB 2.229/2024 (letters in a CNPJ).
    """
    length = SERVICE_LENGTH if len(key) == SERVICE_LENGTH else LENGTH
    positions = key[: length - 1].encode("ascii")
    if len(positions) < length - 1:
        raise ValueError(f"an access key has 43 positions before its check digit, not {len(positions)}")
    remainder = (sum(map(mul, positions, _WEIGHTS[length])) - _ZEROS[length]) % 11
    return "0" if remainder < 2 else str(11 - remainder)


def find(id_attribute: str) -> str | None:
    """The access key in an `Id` attribute, without its prefix (`NFe`, `CTe`, `NFCom`, `NFS` …); None where it is empty.

    The key is returned as written, whatever its length: real files have keys of 41 or 45 positions, which are
    reported in a warning and never cut or padded.

    Source: MOC 7.0 (`Id`: `NFe` and the access key); MOC of the CT-e 4.00 (`CTe` and the access key).
    """
    return _ID_PREFIX.sub("", id_attribute.strip(), count=1) or None


def normalise(text: str) -> str:
    """`text` without white space and in upper case, as a key is compared; people paste it in groups of four.

    Source: MOC 7.0 (a DANFE prints the access key in groups of four).
    """
    return _SPACES.sub("", text).upper()
