"""Runs the command line as `python -m confere`: how a child process of our own is started."""

from __future__ import annotations

from confere.cli.main import main

if __name__ == "__main__":
    main()
