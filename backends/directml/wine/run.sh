# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Inside the sandbox that scripts/touchstone-wine makes: start an X server and run a Windows program in Wine, with a
# prefix of its own whose large part is the read-only one of the set-up. /host is the machine's file system.
#
# Arguments: the working folder, the program (both below /host), and what the program gets.
set -eu

export WINEPREFIX=/run/wine HOME=/run/home XDG_RUNTIME_DIR=/run/home
export WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=;d3d12=n"
# Small tensors wait longer for llvmpipe's threads than they take.
export LP_NUM_THREADS=${LP_NUM_THREADS:-0}

mkdir -p "$HOME" "$WINEPREFIX/dosdevices" "$WINEPREFIX/drive_c"
cp /setup/prefix/*.reg /setup/prefix/.update-timestamp "$WINEPREFIX"
cp -r /setup/prefix/drive_c/users "$WINEPREFIX/drive_c"
for folder in windows ProgramData 'Program Files' 'Program Files (x86)'; do
    ln -s "/setup/prefix/drive_c/$folder" "$WINEPREFIX/drive_c/$folder"
done
ln -s ../drive_c "$WINEPREFIX/dosdevices/c:"
ln -s /host "$WINEPREFIX/dosdevices/z:"

mkfifo /run/display
Xvfb -displayfd 3 -screen 0 64x64x24 -nolisten tcp 3>/run/display >/dev/null 2>&1 &
read -r number </run/display || { echo "touchstone-wine: Xvfb does not start" >&2 && exit 3; }
export DISPLAY=:$number

cd "$1"
shift
exec wine "$@"
