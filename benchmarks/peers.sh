#!/bin/sh
# Names the programs that the benchmarks compare with, and installs them from Debian when it may.
set -u
missing=
need() { # program, package
    PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need nginx nginx-light
need wget wget
need wget2 wget2
need httrack httrack
need taskset util-linux
need lftp lftp
[ -n "$missing" ] || exit 0
echo "The benchmarks use these Debian packages:$missing"
if [ "$(id -u)" = 0 ]; then run=; elif sudo -n true 2>/dev/null; then run="sudo -n"; else run=no; fi
if [ "$run" = no ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "They cannot be installed from here. Install them with: apt-get install --no-install-recommends$missing"
    exit 0
fi
# A server that a package brings must not start by itself: the benchmark starts its own.
policy=/usr/sbin/policy-rc.d
made=
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | $run tee "$policy" >/dev/null && $run chmod 755 "$policy" && made=1
fi
$run apt-get update -q >/dev/null
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null ||
    echo "Some could not be installed; the crawlers among them are left out."
[ -z "$made" ] || $run rm -f "$policy"
exit 0
