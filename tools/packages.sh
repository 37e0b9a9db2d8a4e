#!/bin/sh
# Names the programs that tests need, and installs them from Debian when it may.
set -u
missing=
need() { # program, package
    PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need chromium chromium
need nginx nginx-light
need sshd openssh-server
need vsftpd vsftpd
need slapd slapd
need ldapsearch ldap-utils
need faketime faketime
need setpriv util-linux
need ip iproute2
need cc "gcc libc6-dev"
need systemd-analyze systemd
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
fc-list 2>/dev/null | grep -qi dejavu || missing="$missing fonts-dejavu-core fontconfig"
[ -n "$missing" ] || exit 0
echo "Tests need these Debian packages:$missing"
if [ "$(id -u)" = 0 ]; then run=; elif sudo -n true 2>/dev/null; then run="sudo -n"; else run=no; fi
if [ "$run" = no ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "They cannot be installed from here; the tests that need them are skipped and listed."
    echo "Install them with: apt-get install --no-install-recommends$missing"
    exit 0
fi
# Servers that a package brings must not start by themselves: tests start their own.
policy=/usr/sbin/policy-rc.d
made=
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | $run tee "$policy" >/dev/null && $run chmod 755 "$policy" && made=1
fi
$run apt-get update -q >/dev/null
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
status=$?
[ -z "$made" ] || $run rm -f "$policy"
if [ $status -ne 0 ]; then
    echo "Some could not be installed; the tests that need them are skipped and listed."
fi
exit 0
