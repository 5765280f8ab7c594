#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# browser-test.sh [--page] REPORT.html [NAME=VALUE | NAME<=NUMBER | NAME>=NUMBER]...
#
# Opens an HTML report in a headless browser and runs the page's self test: no script error, a list of findings, search,
# filters, scrolling, expanding and deep links work, and the ledger has all its entries. Checks what a reader sees
# (browser-checks.js): the order of the sections, the marks and the legend of a drawing, names for screen readers, keys,
# a contrast of 4.5:1 in light and dark, and that the address has the filters and the opened finding. Opens the address
# that it got in a window of 400 pixels, where nothing may stand out, and prints the page, on at most twenty sheets.
# Then checks the assertions, if any, on data attributes that the page sets on <html>, for example findings=100000,
# marks=both or 'ledger-tested>=1', and on the time of the first visit including the start of the browser:
# 'visit-seconds<=10'. A report without findings must not contain their script.
#
# With --page, it is a comparison or a history, which has no script, findings or ledger: what a reader sees is checked
# alone, with everything open that can be opened.
#
# SCREENSHOT=FILE.png also saves a picture, of size WINDOW=1280,2000.
#
# Exit status: 0 passed; 1 failed; 64 wrong usage; 77 there is no browser.
set -u

case ${1:-} in
    '' | -h | --help) sed -n '3,21s/^# \{0,1\}//p' "$0"; exit 64 ;;
esac
page=
if [ "$1" = --page ]; then
    page=1
    shift
fi
report=${1:-}
shift
[ -r "$report" ] || { echo "browser-test: $report: cannot read the file" >&2; exit 64; }
report=$(cd "$(dirname "$report")" && pwd)/$(basename "$report")

browser=
for name in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        browser=$name
        break
    fi
done
[ -n "$browser" ] || { echo "browser-test: chromium is not installed: skipped" >&2; exit 77; }

temporary=$(mktemp -d) || exit 3
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM

browse() { # PROFILE WINDOW OPTION...
    profile=$1 window=$2
    shift 2
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$temporary/$profile" --virtual-time-budget=30000 --window-size="$window" "$@" \
        2>>"$temporary/log"
}

failures=0
fail() {
    echo "browser-test: $*" >&2
    failures=$((failures + 1))
}

# The attributes of <html> in a dump, one per line: ready="1".
attributes() {
    tr '\n' ' ' <"$1" | head -c 20000 | sed -n 's/^[^<]*\(<!DOCTYPE html>\)* *<html\([^>]*\)>.*/\2/p' |
        grep -o 'data-[a-z-]*="[^"]*"' | sed 's/^data-//; s/&amp;/\&/g'
}

checked=$temporary/report.html
# The copy may execute scripts.
{
    sed "s/style-src 'unsafe-inline'\">/style-src 'unsafe-inline'; script-src 'unsafe-inline'\">/" "$report"
    echo '<script>'
    cat "$(dirname "$0")/browser-checks.js"
    echo '</script>'
} >"$checked"
if [ -n "${SCREENSHOT:-}" ]; then
    browse profile "${WINDOW:-1280,2000}" --screenshot="$SCREENSHOT" "file://$report" >/dev/null ||
        fail "no screenshot: $(tail -n 1 "$temporary/log")"
fi
before=$(date +%s)
browse printer 1280,2000 --no-pdf-header-footer --print-to-pdf="$temporary/pdf" "file://$report" >/dev/null &
printer=$!
browse profile 1280,2000 --dump-dom "file://$checked?first#selftest" >"$temporary/dom" ||
    fail "the browser failed: $(tail -n 1 "$temporary/log")"
attributes "$temporary/dom" >"$temporary/attributes"
# The page's clock is virtual, so that slow machines do not fail; measure speed by the wall clock.
echo "visit-seconds=\"$(($(date +%s) - before))\"" >>"$temporary/attributes"
attribute() {
    sed -n "s/^$1=\"\(.*\)\"\$/\1/p" "$temporary/attributes"
}

wait "$printer" || fail "printing failed: $(tail -n 1 "$temporary/log")"
sheets=$(grep -ac '/Type */Page\b' "$temporary/pdf" 2>/dev/null)
echo "sheets=\"$sheets\"" >>"$temporary/attributes"
if [ "${sheets:-0}" -lt 1 ] || [ "$sheets" -gt 20 ]; then
    fail "the page prints on '$sheets' sheets, not on 1 to 20"
fi
[ "$(attribute checks)" = ok ] || fail "$(attribute checks)"
contrast=$(attribute contrast)
[ "$contrast" -ge 450 ] 2>/dev/null || fail "the least contrast is '$contrast' hundredths, not 450"

# A link that someone shared, on a telephone: in a frame, as windows are wider.
cat >"$temporary/narrow.html" <<END
<!DOCTYPE html>
<html><iframe width="400" height="900" style="border: 0"
    src="report.html#$(attribute link | sed 's/&/\&amp;/g')"></iframe>
<script>addEventListener("message", e => Object.assign(document.documentElement.dataset, e.data))</script></html>
END
browse profile 1280,1000 --dump-dom "file://$temporary/narrow.html" >"$temporary/narrow" ||
    fail "the browser failed: $(tail -n 1 "$temporary/log")"
attributes "$temporary/narrow" >"$temporary/narrow-attributes"
grep -qx 'width="400"' "$temporary/narrow-attributes" || fail "the page at 400 pixels does not answer"
grep -qx 'checks="ok"' "$temporary/narrow-attributes" ||
    fail "at 400 pixels: $(sed -n 's/^checks=//p' "$temporary/narrow-attributes")"

grep -q '<h1>' "$temporary/dom" || fail "the page has no headline"
if [ -n "$page" ]; then
    ! grep -q '<script' "$report" || fail "the page has a script"
elif grep -q 'id="data-findings"' "$report"; then
    [ "$(attribute ready)" = 1 ] || fail "the script did not finish its start"
    [ "$(attribute errors)" = 0 ] || fail "the script had $(attribute errors) errors"
    [ "$(attribute selftest)" = ok ] || fail "the page's self test failed"
    [ "$(attribute findings)" -gt 0 ] 2>/dev/null || fail "the list of findings is empty"
    grep -q 'class="row' "$temporary/dom" || fail "no finding is shown"
elif grep -q 'id="names"' "$report"; then
    fail "a report without findings contains the script of the findings list"
fi
if [ -z "$page" ]; then
    entries=$(grep -c '<details class="entry" id="ledger-' "$report")
    grep -q '<section id="ledger"' "$report" || fail "the page has no ledger"
    [ "$entries" -gt 0 ] || fail "the ledger is empty"
    [ "$(attribute ledger)" = "$entries" ] ||
        fail "the ledger's script counts '$(attribute ledger)' entries, not $entries"
    [ "$(attribute ledger-selftest)" = ok ] || fail "the self test of the ledger failed"
fi

for assertion in "$@"; do
    case $assertion in
        *'<='*)
            name=${assertion%%<=*}
            [ "$(attribute "$name")" -le "${assertion#*<=}" ] 2>/dev/null ||
                fail "$name is '$(attribute "$name")', not at most ${assertion#*<=}"
            ;;
        *'>='*)
            name=${assertion%%>=*}
            [ "$(attribute "$name")" -ge "${assertion#*>=}" ] 2>/dev/null ||
                fail "$name is '$(attribute "$name")', not at least ${assertion#*>=}"
            ;;
        *=*)
            name=${assertion%%=*}
            [ "$(attribute "$name")" = "${assertion#*=}" ] ||
                fail "$name is '$(attribute "$name")', not '${assertion#*=}'"
            ;;
        *) fail "$assertion: an assertion is NAME=VALUE, NAME<=NUMBER or NAME>=NUMBER" ;;
    esac
done

for name in findings ledger contrast sheets visit-seconds; do
    value=$(attribute "$name")
    [ -z "$value" ] || printf '%s %s\n' "$name" "$value"
done
[ "$failures" -eq 0 ] || { grep -i 'console' "$temporary/log" | head -n 5 >&2; exit 1; }
echo "browser-test: $(basename "$report"): ok"
