"""The roots of ICP-Brasil, by the SHA-256 of their certificates: nothing else is believed for its name alone.

Source: the root certificates that the Instituto Nacional de Tecnologia da Informação (ITI) publishes, as packages on
PyPI and npm carry them; v1, v2, v5, v10 and v11 came alike from several releases and publishers, the first and v12 from
one alone. Left out: v6, which issues for measuring instruments, and v7, whose kind of key no library here reads.
"""

from __future__ import annotations

from typing import Final

ROOTS: Final = frozenset(
    {
        "687ea89089309d2cfe107db059fb10d676f45d3283aee056903eea0cf3c188f8",  # the first, 2001 to 2011
        "cbd8ed38d4a2d677d453d70dd8890af4f6374cba6299943f1ab3a6936c6fd795",  # v1, 2008 to 2021
        "fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c",  # v2, 2010 to 2023
        "caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17",  # v5, 2016 to 2029
        "6e0bff069a26994c15de2c4888cc54af84882e5495b7fbf66be9ccffec7489f6",  # v10, 2019 to 2032
        "1406710058180fa4081aab3f246f1702429c552a11fa3143b84c88cb3ab8e5e7",  # v11, 2019 to 2032
        "d8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01",  # v12, 2024 to 2037
    }
)
