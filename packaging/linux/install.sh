#!/bin/sh
# Adds the Confere of this folder to the user's menu and commands (under ~/.local); `install.sh --remove` takes it out.
# The folder itself stays where it is, and so do the documents.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
entry=applications/io.github.confere.Confere.desktop

if [ "${1:-}" = --remove ]; then
    (cd "$here/share" && find . -type f) | while read -r file; do rm -f "$share/$file"; done
    rm -f "$bin/confere" "$bin/confere-desktop"
else
    mkdir -p "$share" "$bin"
    cp -R "$here/share/." "$share/"
    ln -sf "$here/confere" "$here/confere-desktop" "$bin/"
    # A menu does not always know ~/.local/bin.
    sed -e "s|^Exec=.*|Exec=\"$here/confere-desktop\"|" -e "/^TryExec=/d" "$here/share/$entry" >"$share/$entry"
fi

# Menus that keep an index of their own.
update-desktop-database -q "$share/applications" 2>/dev/null || true
gtk-update-icon-cache -q -t -f "$share/icons/hicolor" 2>/dev/null || true
