#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup-vendors.sh [NAME...|--all] [--remove] [--list]
#
# Downloads the libraries that some backends test (--all, the default: all of the table below; or only NAME), so that
# `touchstone run -b NAME` finds them. pip downloads them as Python wheels; the script takes the libraries out of the wheels and executes
# nothing of them, and Python is not needed afterwards. It checks their SHA-256 and unpacks them to
# $XDG_CACHE_HOME/touchstone/vendors/NAME or ~/.cache/touchstone/vendors/NAME. A library that is there in the version of
# the table is not downloaded again. onnxruntime-webgpu also has SwiftShader, a Vulkan driver that needs no GPU: npm
# downloads the Chromium that contains it, which is neither installed nor executed. The file `environment` in the folders
# of onnxruntime-webgpu and onnxruntime-openvino sets what the backend onnxruntime needs to use them. openvino-windows is
# OpenVINO for Windows, for scripts/touchstone-wine. jax, mlx and webnn are environments of Python with the packages of
# backends/NAME/packages.txt; the program `worker` of their folder is for the backend exec. webnn also has that Chromium,
# which its worker executes.
#
#   --remove  delete them
#   --list    print name, version, megabytes to download, and the folder or "absent"
#
# Exit status: 0 done; 1 a download failed or has an unexpected content; 64 wrong usage; 77 a vendor has no library for
# this machine, or unzip, pip or (onnxruntime-webgpu, webnn) npm is missing and cannot be installed: scripts/install-deps.sh
# --vendors installs Debian's, as root or with sudo.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# A vendor is one row for each kind of machine (uname -s, uname -m):
#   NAME VERSION MACHINE MEGABYTES WHEEL SHA256 LIBRARY PATTERN...
# MEGABYTES is what is downloaded. LIBRARY is the file of the wheel that the backend opens, without the version behind
# it: it becomes a link to the one file LIBRARY.*; a DLL has no version there. The patterns (of unzip) select further
# files. WHEEL is "packages" for an environment of Python.
vendors() {
    cat <<'ROWS'
onnxruntime 1.31.1 Linux-x86_64  24 onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_x86_64.whl 5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f onnxruntime/capi/libonnxruntime.so onnxruntime/LICENSE
onnxruntime 1.31.1 Linux-aarch64 20 onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_aarch64.whl da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3 onnxruntime/capi/libonnxruntime.so onnxruntime/LICENSE
jax         0.10.2 Linux-x86_64 145 packages
litert      2.3.0 Linux-x86_64 21 ai_edge_litert-2.3.0-cp311-cp311-manylinux_2_27_x86_64.whl 1f15078a6725d2357d9de9221664c29afa0545d807559c5f7199ce5e40b96b23 ai_edge_litert/libLiteRt ai_edge_litert-2.3.0.dist-info/licenses/*
mlx         0.32.4 Linux-x86_64 28 packages
onednn      2023.2.0 Linux-x86_64 39 onednn_cpu_gomp-2023.2.0-py2.py3-none-manylinux1_x86_64.whl 2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb onednn_cpu_gomp-2023.2.0.data/data/lib/libdnnl.so.3 onednn_cpu_gomp-2023.2.0.data/data/share/doc/onednn/*
onnxruntime-webgpu 1.27.0 Linux-x86_64 95 onnxruntime_webgpu-1.27.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl 142eb8bdb803c58117bf64164d201f43180bc87229cac14b590aa4ea79e0f70b onnxruntime/capi/libonnxruntime.so onnxruntime/LICENSE
onnxruntime-openvino 1.24.1 Linux-x86_64 81 onnxruntime_openvino-1.24.1-cp311-cp311-manylinux_2_28_x86_64.whl 3007c803634cc69c6d52af1dea7ce729d9bb62b9a11070fd2f959119199007a8 onnxruntime/capi/libonnxruntime.so onnxruntime/capi/libonnxruntime_providers_*.so onnxruntime/capi/libopenvino.so.2541 onnxruntime/capi/libopenvino_intel_cpu_plugin.so onnxruntime/capi/libopenvino_onnx_frontend.so.2541 onnxruntime/capi/libtbb.so.12 onnxruntime/capi/libtbbmalloc.so onnxruntime/LICENSE onnxruntime/ThirdPartyNotices.txt
openvino    2026.4.1 Linux-x86_64 59 openvino-2026.4.1-22982-cp311-cp311-manylinux_2_28_x86_64.whl 2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf openvino/libs/libopenvino_c.so openvino/libs/libopenvino.so.* openvino/libs/libopenvino_intel_cpu_plugin.so openvino/libs/libopenvino_ir_frontend.so.* openvino/libs/libtbb.so.* openvino/libs/libtbbmalloc.so.* openvino/libs/libtbbbind* openvino/libs/libhwloc.so.* openvino-*.dist-info/licenses/*
openvino-windows 2026.4.1 Linux-x86_64 81 openvino-2026.4.1-22982-cp311-cp311-win_amd64.whl bfddae6d6d3ad240157b946f180c33d0ddfaaae7487995d929a4e6b4bc12b283 openvino/libs/openvino_c.dll openvino/libs/openvino.dll openvino/libs/openvino_intel_cpu_plugin.dll openvino/libs/openvino_ir_frontend.dll openvino/libs/tbb12.dll openvino/libs/tbbmalloc.dll openvino/libs/tbbbind* openvino-*.dist-info/licenses/*
webnn       153.0.0 Linux-x86_64 87 packages
ROWS
}

# The package of npm that has Chromium with SwiftShader, and its SHA-256.
chromium='@sparticuz/chromium@153.0.0'
chromium_sum=20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0

root=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors
machine=$(uname -s)-$(uname -m)
action=fetch
names=()
for argument in "$@"; do
    case $argument in
    --remove) action=remove ;;
    --list) action=list ;;
    --all) ;; # as without a name
    -h | --help)
        print_help
        exit 0
        ;;
    *)
        vendors | grep -q "^$argument " ||
            die 64 "unknown argument '$argument'; expected $(vendors | cut -d ' ' -f 1 | sort -u | paste -s -d ' '), --all, --remove and --list"
        names+=("$argument")
        ;;
    esac
done
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(vendors | cut -d ' ' -f 1 | sort -u)

# NAME: sets the columns of its row for this machine.
row_of() {
    local known
    while read -r name version known megabytes wheel sha library patterns; do
        [ "$name $known" != "$1 $machine" ] || return 0
    done < <(vendors)
    return 1
}

# has COMMAND...: are they all there?
has() {
    command -v "$@" >/dev/null && [ "$(command -v "$@" | wc -l)" = $# ]
}

# Install what downloads, where that is possible; what is still missing then ends the script.
install_tools() {
    bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --vendors || true
}

# Fetch and unpack the vendor of row_of into the folder $1.
fetch_into() {
    local folder=$1
    if [ "$wheel" = packages ]; then
        fetch_packages "$folder"
        return
    fi
    fetch_wheel "$wheel" "$sha" "$folder" || return 1
    local found="$library.*"
    [[ $library != *.dll ]] || found=$library
    # No globbing here: the patterns are unzip's.
    set -f
    # shellcheck disable=SC2086
    unzip -q "$folder/$wheel" "$found" $patterns -d "$folder/new" || die 1 "$name: $wheel lacks the expected files"
    set +f
    if [[ $library != *.dll ]]; then
        local files=("$folder/new/$library".*)
        if [ ${#files[@]} != 1 ] || [ ! -f "${files[0]}" ]; then
            die 1 "$name: expected one $library.* in $wheel"
        fi
        ln -s "$(basename "${files[0]}")" "$folder/new/$library"
    fi
    [ "$name" != onnxruntime-webgpu ] || fetch_swiftshader "$folder" || return 1
    [ -z "$(provider_of "$name")" ] || write_environment "$folder"
    printf '%s\n' "$version" >"$folder/new/version"
}

# Write the program `worker` of an environment into the folder $1, for the folder $there. It executes this source tree.
write_worker() {
    local settings=
    [ "$name" != webnn ] || settings="TOUCHSTONE_CHROMIUM=\"\${TOUCHSTONE_CHROMIUM-$there/browser}\" "
    cat >"$1/worker.new" <<EOF
#!/bin/sh
# $name for the backend exec: touchstone run -b exec:$there/worker
${settings}PYTHONPATH='$TOUCHSTONE_ROOT/backends/exec/python/src' exec '$there/python/bin/python' '$TOUCHSTONE_ROOT/backends/$name/worker.py'
EOF
    chmod +x "$1/worker.new"
    mv "$1/worker.new" "$1/worker" # one that is running is not changed
}

# Make the environment of Python $1/new/python with its worker, for the folder $there.
fetch_packages() {
    local folder=$1 status=0
    mkdir "$folder/new"
    make_environment "$TOUCHSTONE_ROOT/backends/$name/packages.txt" "$folder/new" || status=$?
    [ "$status" != 77 ] || exit 77
    [ "$status" = 0 ] || return 1
    [ "$name" != webnn ] || fetch_browser "$folder" || return 1
    write_worker "$folder/new"
    printf '%s\n' "$version" >"$folder/new/version"
}

# fetch_chromium FOLDER MEMBER...: download the package of Chromium, and unpack the members into FOLDER/package.
fetch_chromium() {
    local folder=$1 archive
    shift
    has npm node || install_tools
    if ! has npm node; then
        die 77 "npm is not installed (Debian's npm): $name needs it to download Chromium"
    fi
    archive=$(cd "$folder" && timeout 600 npm pack --silent --ignore-scripts "$chromium" </dev/null) || return 1
    is_whole "$folder/$archive" "$chromium_sum" || die 1 "$name: $chromium has an unexpected SHA-256"
    tar -xzf "$folder/$archive" -C "$folder" "${@/#/package/}"
}

# Print what the file $1, in Brotli's format, contains.
unbrotli() {
    node -e 'process.stdout.write(require("zlib").brotliDecompressSync(require("fs").readFileSync(process.argv[1])))' "$1"
}

# Unpack Chromium and the libraries that its package has for it, and write $1/new/browser, which starts it in $there.
fetch_browser() {
    local folder=$1 part
    fetch_chromium "$folder" bin/chromium.br bin/al2023.tar.br bin/swiftshader.tar.br LICENSE || return 1
    mkdir "$folder/new/chromium"
    unbrotli "$folder/package/bin/chromium.br" >"$folder/new/chromium/chromium" ||
        die 1 "$name: $chromium lacks the expected files"
    # Chromium switches WebNN off where its process for graphics cannot start, which needs SwiftShader.
    for part in al2023 swiftshader; do
        unbrotli "$folder/package/bin/$part.tar.br" | tar -xf - -C "$folder/new/chromium" ||
            die 1 "$name: $chromium lacks the expected files"
    done
    cp "$folder/package/LICENSE" "$folder/new/chromium/LICENSE"
    cat >"$folder/new/browser" <<EOF
#!/bin/sh
LD_LIBRARY_PATH='$there/chromium/lib' exec '$there/chromium/chromium' "\$@"
EOF
    chmod +x "$folder/new/chromium/chromium" "$folder/new/browser"
}

# Unpack SwiftShader and its loader into $1/new/swiftshader, and write the file `environment` for the folder $there.
fetch_swiftshader() {
    local folder=$1
    fetch_chromium "$folder" bin/swiftshader.tar.br LICENSE || return 1
    mkdir "$folder/new/swiftshader"
    unbrotli "$folder/package/bin/swiftshader.tar.br" |
        tar -xf - -C "$folder/new/swiftshader" libvk_swiftshader.so libvulkan.so.1 vk_swiftshader_icd.json ||
        die 1 "$name: $chromium lacks the expected files"
    cp "$folder/package/LICENSE" "$folder/new/swiftshader/LICENSE"
}

# The options with which the backend onnxruntime uses the provider NAME; nothing if NAME is no provider.
provider_of() {
    case $1 in
    onnxruntime-webgpu) echo '--backend-opt ep=WebGpuExecutionProvider' ;;
    onnxruntime-openvino) echo '--backend-opt ep=OpenVINOExecutionProvider --backend-opt ep-shapes=fixed' ;;
    esac
}

# Write the file $1/new/environment of a provider for the folder $there.
write_environment() {
    cat >"$1/new/environment" <<EOF
# To be read by a shell: ". $there/environment"
export TOUCHSTONE_ONNXRUNTIME='$there/$library'
EOF
    [ ! -d "$1/new/swiftshader" ] || cat >>"$1/new/environment" <<EOF
export VK_ICD_FILENAMES='$there/swiftshader/vk_swiftshader_icd.json'
export LD_LIBRARY_PATH='$there/swiftshader'"\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
EOF
}

status=0
for vendor in "${names[@]}"; do
    there=$root/$vendor
    if [ "$action" = remove ]; then
        rm -rf "$there"
        continue
    fi
    if ! row_of "$vendor"; then
        echo "$vendor: there is no library for $machine"
        status=77
        continue
    fi
    here=$(cat "$there/version" 2>/dev/null || true)
    if [ "$action" = list ]; then
        printf '%-20s %-10s %4s MB  %s\n' "$vendor" "$version" "$megabytes" \
            "$([ "$here" = "$version" ] && echo "$there" || echo absent)"
        continue
    fi
    if [ "$here" = "$version" ]; then
        [ "$wheel" != packages ] || write_worker "$there" # it may name another source tree
        say "$vendor $version is in $there"
        continue
    fi
    { has unzip && find_pip >/dev/null; } || install_tools
    has unzip || die 77 "unzip is not installed"
    find_pip >/dev/null || die 77 "pip is not installed (Debian's python3-pip)"
    say "downloading $vendor $version ($megabytes MB)"
    mkdir -p "$root"
    work=$(mktemp -d "$root/.new-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    fetch_into "$work" || die 1 "$vendor: the download failed"
    rm -rf "$there"
    mv -T "$work/new" "$there"
    rm -rf "$work"
    run="touchstone run -b $vendor"
    [ "$vendor" != openvino-windows ] ||
        run="scripts/touchstone-wine run -b openvino --backend-opt library=$there/$library"
    [ ! -f "$there/worker" ] || run="touchstone run -b exec:$there/worker"
    [ ! -f "$there/environment" ] ||
        run=". $there/environment; touchstone run -b onnxruntime $(provider_of "$vendor")"
    say "$vendor $version is in $there: $run"
done
[ "$action" != remove ] || rmdir "$root" 2>/dev/null || true
exit $status
