#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows-deps.sh
#
# Builds the libraries that Debian does not package for mingw-w64 (Lua, SQLite, jansson, expat, xxHash and cmocka), as
# static libraries for Windows x64. They come from Debian's source packages: the script uses the apt sources of this
# machine, and apt verifies them. Nothing is installed on the machine; the results are cached in ~/.cache/touchstone (or
# XDG_CACHE_HOME). Prints the folder with include/, lib/, lib/pkgconfig/ and licences/. Needs the packages of
# `install-deps.sh --windows`.
#
# Exit status: 0 built; 1 a download or a build failed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'') ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "unknown argument '$1'; see --help" ;;
esac

host=x86_64-w64-mingw32
compiler=$host-gcc-win32
command -v "$compiler" >/dev/null || die 1 "$compiler is missing; scripts/install-deps.sh --windows installs it"
# The folder depends on the way of building and on the compiler.
key=$({ cat "$0" && "$compiler" --version; } | sha256sum | cut -c 1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone
prefix=$cache/windows-deps-$key
if [ -d "$prefix" ]; then
    printf '%s\n' "$prefix"
    exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/windows-deps-work.XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
out=$work/out
mkdir -p "$out/include" "$out/lib/pkgconfig"

quietly() { # COMMAND...: runs it; prints its output if it fails
    "$@" >"$work/log" 2>&1 </dev/null && return
    tail -n 30 "$work/log" >&2
    die 1 "failed: $*"
}

# ---- the sources --------------------------------------------------------------------------------------------------

# A private apt configuration that has the source packages of this machine's mirrors.
private_apt() {
    local file
    mkdir -p "$work/sources" "$work/lists/partial" "$work/archives/partial"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$file" ] || sed -n 's/^deb\(-src\)\{0,1\} /deb-src /p' "$file" >"$work/sources/$(basename "$file" .list).list"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/sources/$(basename "$file")"
    done
    printf '%s\n' "Dir::State::lists \"$work/lists\";" "Dir::Cache \"$work\";" "Dir::Etc::sourcelist \"-\";" \
        "Dir::Etc::sourceparts \"$work/sources\";" 'Acquire::Retries "3";' 'APT::Sandbox::User "root";' >"$work/apt.conf"
    export APT_CONFIG=$work/apt.conf
    apt-get -q update >"$work/log" 2>&1 || true # a source of somebody else's may have no source packages: not ours
}

# NAME: unpacks the newest version on the mirror, with Debian's patches, to $work/NAME. A mirror may lag behind its own
# index.
fetch() {
    local name=$1 version try
    for try in 1 2; do
        for version in $(apt-cache showsrc --only-source "$name" 2>>"$work/log" | sed -n 's/^Version: //p' | sort -rVu); do
            if (cd "$work" && timeout 300 apt-get -q source --download-only "$name=$version") >>"$work/log" 2>&1 &&
                dpkg-source --no-check -x "$work/${name}_${version#*:}.dsc" "$work/$name" >>"$work/log" 2>&1; then
                return
            fi
        done
        [ "$try" = 2 ] || sleep 5
    done
    tail -n 30 "$work/log" >&2
    die 1 "cannot download the source package $name"
}

# ---- building -----------------------------------------------------------------------------------------------------

# ARCHIVE FILE...: compiles the files to a static library.
library() {
    local archive=$1 objects=$work/objects-$1
    shift
    mkdir -p "$objects"
    cd "$objects"
    quietly "$compiler" -O2 -DNDEBUG -c "$@"
    quietly "$host-ar" rcs "$out/lib/$archive" ./*.o
    cd "$work"
}

pkgconfig() { # MODULE VERSION LIBS
    printf '%s\n' "prefix=\${pcfiledir}/../.." "Name: $1" "Description: $1 for Windows" "Version: $2" "Libs: -L\${prefix}/lib $3" \
        "Cflags: -I\${prefix}/include" >"$out/lib/pkgconfig/$1.pc"
}

# FOLDER OPTION...: builds a library with its own CMake files.
with_cmake() {
    local folder=$1
    shift
    quietly cmake -S "$folder" -B "$folder/build-windows" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$TOUCHSTONE_ROOT/scripts/mingw-w64.cmake" -DCMAKE_INSTALL_PREFIX="$out" \
        -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@"
    quietly cmake --build "$folder/build-windows" -j "$(jobs_here)"
    quietly cmake --install "$folder/build-windows"
}

version_of() { # NAME: of its .dsc, without Debian's part
    basename "$(ls "$work/$1"_*.dsc)" .dsc | sed 's/^[^_]*_//; s/-[^-]*$//'
}

say "fetching the sources of the libraries for Windows"
private_apt
for name in lua5.4 sqlite3 jansson expat xxhash cmocka; do
    fetch "$name"
done

say "building the libraries for Windows"
lua=$work/lua5.4/src
mapfile -t files < <(find "$lua" -maxdepth 1 -name '*.c' ! -name lua.c ! -name luac.c)
library liblua5.4.a "${files[@]}"
cp "$lua"/{lua,luaconf,lualib,lauxlib}.h "$out/include"
pkgconfig lua5.4 "$(version_of lua5.4)" -llua5.4

mkdir "$work/amalgamation"
quietly make -C "$work/amalgamation" -f "$work/sqlite3/main.mk" TOP="$work/sqlite3" BCC=gcc NAWK=awk TCLSH_CMD=tclsh sqlite3.c
library libsqlite3.a "$work/amalgamation/sqlite3.c"
cp "$work/amalgamation/sqlite3.h" "$out/include"

with_cmake "$work/jansson" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
pkgconfig jansson "$(version_of jansson)" -ljansson
expat=$work/expat/expat/lib
mkdir "$work/expat-config"
printf '#define %s\n' 'XML_NS 1' 'XML_DTD 1' 'XML_GE 1' 'XML_CONTEXT_BYTES 1024' 'BYTEORDER 1234' 'HAVE_MEMMOVE 1' \
    >"$work/expat-config/expat_config.h" # its CMake files leave XML_DTD without a value, which Debian's patches need
library libexpat.a -DXML_STATIC -I "$work/expat-config" "$expat"/{xmlparse,xmlrole,xmltok}.c
cp "$expat"/{expat,expat_external}.h "$out/include"
pkgconfig expat "$(version_of expat)" -lexpat
sed -i 's/^Cflags:.*/& -DXML_STATIC/' "$out/lib/pkgconfig/expat.pc"

cp "$work/xxhash"/{xxhash,xxh3}.h "$out/include"
library libxxhash.a "$work/xxhash/xxhash.c"
pkgconfig libxxhash "$(version_of xxhash)" -lxxhash

with_cmake "$work/cmocka" -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF
mv "$out/lib/libcmocka-static.a" "$out/lib/libcmocka.a" 2>/dev/null || true
rm -f "$out/lib/libcmocka.dll.a" "$out/bin/cmocka.dll" # or the linker would take these
pkgconfig cmocka "$(version_of cmocka)" -lcmocka

mkdir "$out/licences" # what a program has to carry that contains them
for name in lua5.4 sqlite3 jansson expat xxhash; do
    cp "$work/$name/debian/copyright" "$out/licences/$name.txt"
done
cp /usr/share/doc/libz-mingw-w64-dev/copyright "$out/licences/zlib.txt"
cp /usr/share/doc/mingw-w64-x86-64-dev/copyright "$out/licences/mingw-w64.txt"
cp /usr/share/doc/gcc-mingw-w64-x86-64-win32/copyright "$out/licences/gcc.txt"

cp -r /usr/include/Random123 "$out/include" # headers alone, for the tests: the package is for all machines

for name in lua5.4 sqlite3 jansson expat xxhash cmocka; do
    [ -f "$out/lib/lib$name.a" ] || die 1 "lib$name.a was not built"
done
mv -T "$out" "$prefix" 2>/dev/null || [ -d "$prefix" ] || die 1 "cannot create $prefix" # another may have been first
printf '%s\n' "$prefix"
