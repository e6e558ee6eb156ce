"""Takes of Qt's plugins what a program of widgets needs, in place of PyInstaller's own hook, which takes them all.

Left out here and not afterwards, so that what only they need (GTK, Qt Quick, PDFium) is never looked for.
"""

import re

from PyInstaller.utils.hooks.qt import add_qt6_dependencies

UNUSED = re.compile(
    r"""
      plugins[/\\](egldeviceintegrations|generic|networkinformation|qmltooling|sqldrivers)[/\\]
    | plugins[/\\]platforms[/\\](lib)?q(direct2d|eglfs|linuxfb|minimal|minimalegl|vkkhrdisplay|vnc)\.
    | plugins[/\\]platformthemes[/\\]libqgtk3\.
    | plugins[/\\]platforminputcontexts[/\\].*virtualkeyboard
    | plugins[/\\]imageformats[/\\](lib)?q(icns|pdf|tga|tiff|wbmp)\.
    """,
    re.VERBOSE,
)

hiddenimports, binaries, datas = add_qt6_dependencies(__file__)
binaries = [entry for entry in binaries if not UNUSED.search(entry[0])]
