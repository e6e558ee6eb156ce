"""Lengths that every page shares, in device-independent pixels; Qt scales them on dense screens."""

from __future__ import annotations

ROW = 30  # one line of a list
COMPACT_ROW = 22  # the same where rows are to stand close
GAP = 8
WIDE_GAP = 16
ICON = 16
SIDEBAR = 150
FIELD = 32  # height of buttons and fields in the top bar
