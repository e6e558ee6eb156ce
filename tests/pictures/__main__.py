"""`python -m tests.pictures OUT [--only WORD]`: a PNG of every screen and dialog, to be looked at.

Light and dark, empty and full, in Portuguese, on the screens that accountants have, a large one at 200% among them; all
from invented documents. Other languages by `--language`.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import own_configuration

APPEARANCES = ("light", "dark")
SIZES = ("1280x720", "1366x768", "1920x1080")
SCALED = "960x540"
"""What 1920x1080 has room for at 200%."""


def main() -> int:
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--only", default="", help="only pictures whose name holds this word")
    parser.add_argument("--language", default="pt_BR")
    parser.add_argument("--size", action="append", help=f"of the window, else {', '.join(SIZES)} and {SCALED} at 200%%")
    parser.add_argument("--appearance", action="append", choices=APPEARANCES, help="else light and dark")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--full", type=Path, help="a data folder with the demo's archive, else one is made")
    parser.add_argument("--scaled", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    faulthandler.enable()  # a process that Qt takes down says where it was
    os.environ["CONFERE_LANGUAGE"] = given.language
    given.out.mkdir(parents=True, exist_ok=True)
    names = given.size or SIZES
    sizes = [(int(width), int(height)) for width, height in (name.split("x") for name in names)]
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={_screen(Path(scratch), *sizes[0])}"
        full = given.full or _demo(Path(scratch) / "full", given.documents)
        from tests.pictures.camera import Camera  # after the environment was set
        from tests.pictures.studio import Studio

        troubled = Path(scratch) / "troubled"
        shutil.copytree(full, troubled)
        camera = Camera(given.out, given.only, "@200" if given.scaled else "")
        studio = Studio(camera, given.language, given.appearance or APPEARANCES)
        studio.take(Path(scratch) / "empty", full, troubled, sizes)
        studio.take_clients(_office(Path(scratch) / "office"), sizes)
        if not given.scaled and not given.size:
            again = [
                sys.executable,
                "-m",
                "tests.pictures",
                str(given.out),
                "--scaled",
                "--full",
                str(full),
                "--size",
                SCALED,
            ]
            again += ["--language", given.language, "--only", given.only]
            again += [word for name in given.appearance or () for word in ("--appearance", name)]
            subprocess.run(again, env={**os.environ, "QT_SCALE_FACTOR": "2"}, check=True)
    print(f"{camera.taken} pictures in {given.out}")
    return 0


def _screen(folder: Path, width: int, height: int) -> Path:
    """What tells Qt how large its invented screen is, in device pixels: dialogs are as large as theirs lets them be."""
    scale = round(float(os.environ.get("QT_SCALE_FACTOR", "1")))
    screen = {"name": "screen", "x": 0, "y": 0, "width": width * scale, "height": height * scale}
    density = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1.0}
    file = folder / "screens.json"
    file.write_text(json.dumps({"screens": [screen | density]}), encoding="utf-8")
    return file


def _demo(home: Path, documents: int) -> Path:
    from confere.app.context import Workspace
    from confere.app.sandbox import demo
    from confere.app.sandbox.sandbox import SandboxChoice

    demo.run(Workspace.at(home), SandboxChoice(documents=documents, seed=7))
    return home


def _office(home: Path) -> Path:
    from tests import fifteen_clients

    return fifteen_clients.make(home, documents=fifteen_clients.EACH * len(fifteen_clients.CONDITIONS)).home.root


if __name__ == "__main__":
    sys.exit(main())
