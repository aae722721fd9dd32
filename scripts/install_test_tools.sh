#!/bin/sh
# Install the programs that some tests need, after asking. With CI set it does not ask. Where nobody can answer, or if the
# answer is no, it says what is missing and returns: those tests are then skipped, with a message each.
tools="buildah:buildah caddy:caddy chromium:chromium dcmdump:dcmtk javac:default-jdk-headless mutool:mupdf-tools nginx:nginx-light node:nodejs pdftotext:poppler-utils ip:iproute2 mariadbd:mariadb-server sqlite3:sqlite3
  strace:strace pg_lsclusters:postgresql qpdf:qpdf localc:libreoffice-calc lowriter:libreoffice-writer
  /var/lib/dpkg/info/python3-venv.list:python3-venv"

list_missing() {
  missing=""
  for tool in $tools; do
    command -v "${tool%%:*}" >/dev/null || [ -e "${tool%%:*}" ] || missing="$missing ${tool##*:}"
  done
}

list_missing
[ -n "$missing" ] || exit 0
answer=no
if ! command -v apt-get >/dev/null; then
  answer=no
elif [ -n "$CI" ]; then
  answer=yes
elif [ -t 0 ]; then
  printf 'Some tests need Debian packages that are not installed:%s\nInstall them with apt-get? [y/N] ' "$missing"
  read -r answer
fi
case $answer in
[Yy]*)
  as_root=""
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update -qq && $as_root apt-get install -qq -y --no-install-recommends $missing
  list_missing
  ;;
esac
[ -z "$missing" ] || echo "not installed:$missing; the tests that need them will be skipped"
