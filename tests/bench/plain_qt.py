"""Loads Qt as the window itself does, for offscreen pictures, before anything else here imports it.

Otherwise PySide reads the source of every module that is loaded after it, which counts as stalls of ours.
"""

from __future__ import annotations

import os

from confere.desktop.main import load_qt

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
load_qt()
