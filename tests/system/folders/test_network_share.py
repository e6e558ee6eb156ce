"""Network shares are told from local disks by what each system says of its mounts."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.system.folders import network_share

LINUX = r"""/dev/sda2 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /mnt/nfs nfs4 rw,vers=4.2 0 0
//server/share /mnt/Meus\040Documentos cifs rw 0 0
ana@host:/home /home/ana/remote fuse.sshfs rw 0 0
/dev/sdb1 /mnt/nfs/local ext4 rw 0 0
C:\134 /mnt/c 9p rw 0 0
broken
"""
MAC = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ana@server/share on /Volumes/Meu Disco (smbfs, nodev, nosuid, mounted by ana)
server:/x on /Volumes/nfs (nfs)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
"""


@pytest.mark.parametrize(
    ("path", "network"),
    [
        ("/home/ana/.local/share/Confere", False),
        ("/home/ana/remote/Confere", True),
        ("/home/ana/remote2", False),
        ("/mnt/nfs/Confere", True),
        ("/mnt/nfs/local/Confere", False),
        ("/mnt/Meus Documentos/x", True),
        ("/mnt/c/Users/ana", True),
    ],
)
def test_linux(path: str, network: bool) -> None:
    kind = network_share.type_at(path, network_share.linux_mounts(LINUX))
    assert kind is not None
    assert network_share.is_network_type(kind) is network


@pytest.mark.parametrize(
    ("path", "network"),
    [("/Users/ana", False), ("/Volumes/Meu Disco/Confere", True), ("/Volumes/nfs", True), ("/Volumes/x", False)],
)
def test_mac(path: str, network: bool) -> None:
    assert network_share.is_network_type(network_share.type_at(path, network_share.mac_mounts(MAC))) is network


def test_the_last_mount_on_a_point_counts() -> None:
    assert network_share.type_at("/a/b", [("/a", "ext4"), ("/a", "nfs")]) == "nfs"
    assert network_share.type_at("/a/b", []) is None
    assert not network_share.is_network_type(None)


@pytest.mark.parametrize(
    ("path", "unc"),
    [
        (r"\\server\share\Confere", True),
        ("//server/share/Confere", True),
        (r"\\?\UNC\server\share\x", True),
        (r"\\?\C:\Users\ana", False),
        (r"\\.\pipe\x", False),
        (r"C:\Users\ana", False),
        (r"Z:\x", False),
    ],
)
def test_windows_names(path: str, unc: bool) -> None:
    assert network_share.is_unc(path) is unc


def test_asking_this_system_never_raises(tmp_path: Path) -> None:
    assert network_share.on_network_share(tmp_path) in (True, False)
    assert network_share.on_network_share(tmp_path / "not" / "made" / "yet") == network_share.on_network_share(tmp_path)
