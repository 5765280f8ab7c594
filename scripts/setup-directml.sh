#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup-directml.sh [--where | --remove]
#
# Sets up Microsoft's DirectML for the directml backend on Linux: Wine 10 with Mesa's llvmpipe, DirectML.dll 1.15.4 from
# a Python wheel, and a small d3d12.dll that is loaded before Wine's. Takes a minute or two and about 1.4 GB in
# ~/.cache/touchstone (or XDG_CACHE_HOME). Then builds touchstone.exe (scripts/build-windows.sh), which
# scripts/touchstone-wine runs.
#
# If this machine has no Wine 10, the script unpacks a Debian trixie with Wine into the cache, by mmdebstrap without
# root or by debootstrap as root. It installs the Debian packages that it needs, as root or with sudo. It uses the
# Debian mirror and the package index that apt and pip are configured for.
#
#   --where   print the folder of the set-up and exit; status 1 if there is none
#   --remove  delete the set-up; installed packages stay
#
# Exit status: 0 done; 1 a step failed; 2 a download failed, or this machine cannot run a sandbox; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

wheel=onnxruntime_directml-1.21.0-cp311-cp311-win_amd64.whl
wheel_sum=d0f00792b05638d6ecd4dac461ba825056931ae70c041e225a5520de6b529ce0
member=onnxruntime/capi/DirectML.dll
member_sum=f9111bbedbc4f3273df1e20d5ada464e00ed1b18208bf8575b7c3bb388550f04
mapfile -t wine_packages < <(bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --wine --list)
suite=trixie

sources=$TOUCHSTONE_ROOT/backends/directml/wine
cache=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone
# The folder depends on this number: increment it with every change of the steps below.
recipe=2
key=$({ echo "$recipe $wheel_sum $suite ${wine_packages[*]}" && cat "$sources/d3d12.c" "$sources/d3d12.def"; } |
    sha256sum | cut -c 1-16)
folder=$cache/directml-$key

[ $# -le 1 ] || die 64 "unexpected argument '$2'; see --help"
case ${1:-} in
'') ;;
--where)
    [ -d "$folder" ] || exit 1
    printf '%s\n' "$folder"
    exit 0
    ;;
--remove)
    rm -rf "$cache"/directml-*
    exit 0
    ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "unknown argument '$1'; see --help" ;;
esac

build_program() {
    local build=${TOUCHSTONE_WINDOWS:-$TOUCHSTONE_ROOT/build-windows} options=()
    [ -d "$build" ] || options=(-DTOUCHSTONE_TESTS=OFF)
    bash "$TOUCHSTONE_ROOT/scripts/build-windows.sh" "$build" "${options[@]}" || exit 1
    say 'ready: scripts/touchstone-wine run -b directml'
}

if [ -d "$folder" ]; then
    build_program
    exit
fi

fetch() { # COMMAND...: runs it quietly; prints its output if it fails
    "$@" >"$work/log" 2>&1 </dev/null && return
    tail -n 30 "$work/log" >&2
    die 2 "failed: $*"
}

# ---- Wine ---------------------------------------------------------------------------------------------------------

# Prints the major version of Wine in this root, or nothing if there is no Wine.
wine_major() { # ROOT
    bwrap --unshare-all --die-with-parent --ro-bind "${1:-/}" / --proc /proc --dev /dev --tmpfs /tmp --setenv HOME /tmp \
        timeout 60 wine --version 2>/dev/null </dev/null | sed -n 's/^wine-\([0-9]*\).*/\1/p' || true
}

# Prints the Debian mirror that apt uses on this machine, or nothing: then mmdebstrap and debootstrap use their default.
mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI) $(LABEL) $(SUITE)' 'Identifier: Packages' 2>/dev/null |
        sed -n 's/^\(http[^ ]*\) Debian .*/\1/p' | head -n 1
}

# Unpacks a Debian with Wine to $work/root, without device files: the sandbox makes its own.
make_root() {
    local from proxy options=() list
    mkdir "$work/root"
    from=$(mirror)
    # What apt needs to reach the mirror.
    while read -r proxy; do
        options+=(--aptopt="$proxy")
    done < <(apt-config dump 2>/dev/null | grep -i '^Acquire::[a-z]*::Proxy' || true)
    list=$(printf '%s,' "${wine_packages[@]}")
    say "unpacking Debian $suite with Wine in $cache"
    if (set -o pipefail && mmdebstrap --mode=unshare --variant=minbase --include="${list%,}" "${options[@]}" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" - ${from:+"$from"} 2>"$work/log" </dev/null |
        tar -x -C "$work/root" --exclude='./dev/*' --no-same-owner); then
        return
    fi
    tail -n 5 "$work/log" >&2
    [ "$(id -u)" = 0 ] || die 2 "cannot unpack Debian $suite without root; run this script as root to use debootstrap"
    say 'mmdebstrap failed: trying debootstrap'
    rm -rf "$work/root"
    fetch env DEBIAN_FRONTEND=noninteractive debootstrap --variant=minbase --include="${list%,}" "$suite" \
        "$work/root" ${from:+"$from"}
}

# Sets $root to the root folder whose Wine is used: empty for this machine's own, otherwise $work/root. Wine 8 would
# create a device but compute wrong results.
find_wine() {
    local major
    root=
    major=$(wine_major "$root")
    if [ "${major:-0}" -lt 10 ] && grep -q "^VERSION_CODENAME=$suite" /etc/os-release; then
        bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --wine || exit 2
        major=$(wine_major "$root")
    fi
    if [ "${major:-0}" -ge 10 ] && command -v Xvfb >/dev/null && ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1
    then
        return
    fi
    make_root
    root=$work/root
    major=$(wine_major "$root")
    [ "${major:-0}" -ge 10 ] || die 1 "Wine's version is ${major:-unknown}: expected 10 or later"
}

# ---- DirectML -----------------------------------------------------------------------------------------------------

fetch_directml() {
    say "downloading DirectML.dll in $wheel"
    fetch_wheel "$wheel" "$wheel_sum" "$work" || die 2 'DirectML.dll could not be downloaded'
    unzip -q -j "$work/$wheel" "$member" -d "$work"
    rm -f "$work/$wheel"
    is_whole "$work/DirectML.dll" "$member_sum" || die 1 'DirectML.dll has an unexpected SHA-256'
}

# ---- the prefix ---------------------------------------------------------------------------------------------------

# Runs bash in a sandbox with Wine's root and $work/prefix; the script comes from standard input.
in_wine() { # ROOT, empty for this machine's own
    local sandbox=(bwrap --unshare-all --die-with-parent --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run) name
    for name in usr etc var; do
        sandbox+=(--ro-bind "$1/$name" "/$name")
    done
    for name in bin sbin lib lib64; do
        sandbox+=(--symlink "usr/$name" "/$name")
    done
    timeout 300 "${sandbox[@]}" --bind "$work/prefix" /run/wine --setenv PATH /usr/bin:/bin --setenv HOME /tmp \
        --setenv WINEPREFIX /run/wine --setenv WINEDEBUG -all --setenv WINEDLLOVERRIDES mscoree,mshtml= \
        bash -s >"$work/log" 2>&1
}

make_prefix() { # ROOT
    local system32=$work/prefix/drive_c/windows/system32 builtin=usr/lib/x86_64-linux-gnu/wine/x86_64-windows file
    say 'creating a Wine prefix'
    mkdir "$work/prefix"
    if ! in_wine "$1" <<'SCRIPT'
Xvfb :0 -screen 0 64x64x24 -nolisten tcp &
export DISPLAY=:0
wineboot -i && wine reg add 'HKCU\Software\Wine\Direct3D' /v renderer /d vulkan /f && wineserver -w
SCRIPT
    then
        tail -n 20 "$work/log" >&2
        die 1 'wineboot failed'
    fi
    cp "$system32/d3d12.dll" "$system32/d3d12_wine.dll"
    rm "$system32/d3d12.dll"
    # Replace copies of files that the root has by links: this saves hundreds of megabytes.
    for file in "$1/$builtin"/*; do
        if [ "${file##*/}" != d3d12.dll ] && cmp -s "$file" "$system32/${file##*/}"; then
            ln -sf "/$builtin/${file##*/}" "$system32/${file##*/}"
        fi
    done
    x86_64-w64-mingw32-gcc-win32 -std=c11 -O2 -Wall -Wextra -shared -static-libgcc -o "$system32/d3d12.dll" \
        "$sources/d3d12.c" "$sources/d3d12.def"
    mv "$work/DirectML.dll" "$system32"
    echo disable >"$work/prefix/.update-timestamp" # do not update the prefix in each run
}

# ---- main ----------------------------------------------------------------------------------------------------

bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --directml || exit 2
bwrap --unshare-all --ro-bind / / true 2>/dev/null ||
    die 2 'bubblewrap cannot make a sandbox: it needs root or user namespaces (kernel.unprivileged_userns_clone)'
mkdir -p "$cache"
rm -rf "$cache"/directml-[0-9a-f]* # set-ups of other versions of this script
work=$(mktemp -d "$cache/directml-work.XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
fetch_directml
find_wine
make_prefix "$root"
rm -f "$work/log"
mv "$work" "$folder"
trap - EXIT
say "DirectML 1.15.4 is set up in $folder"
build_program
