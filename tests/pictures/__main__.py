"""`python -m tests.pictures OUT [--only WORD]`: a PNG of every screen and dialog, to be looked at.

Light and dark, empty and full, in Portuguese, at 1280x800 and 1920x1080, and some at 200%; all from the sandbox's
invented documents. Other languages by `--language`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = ((1280, 800), (1920, 1080))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--only", default="", help="only pictures whose name holds this word")
    parser.add_argument("--language", default="pt_BR")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--full", type=Path, help="a data folder with the demo's archive, else one is made")
    parser.add_argument("--scaled", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["CONFERE_LANGUAGE"] = given.language
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full = given.full or _demo(Path(scratch) / "full", given.documents)
        from tests.pictures.camera import Camera  # after the environment was set
        from tests.pictures.studio import Studio

        troubled = Path(scratch) / "troubled"
        shutil.copytree(full, troubled)
        camera = Camera(given.out, given.only, "@200" if given.scaled else "")
        sizes = SIZES[:1] if given.scaled else SIZES
        Studio(camera, given.language).take(Path(scratch) / "empty", full, troubled, sizes)
        if not given.scaled:
            again = [sys.executable, "-m", "tests.pictures", str(given.out), "--scaled", "--full", str(full)]
            again += ["--language", given.language, "--only", given.only]
            subprocess.run(again, env={**os.environ, "QT_SCALE_FACTOR": "2"}, check=True)
    print(f"{camera.taken} pictures in {given.out}")
    return 0


def _demo(home: Path, documents: int) -> Path:
    from confere.app.context import Workspace
    from confere.app.sandbox import demo
    from confere.app.sandbox.sandbox import SandboxChoice

    demo.run(Workspace.at(home), SandboxChoice(documents=documents, seed=7))
    return home


if __name__ == "__main__":
    sys.exit(main())
