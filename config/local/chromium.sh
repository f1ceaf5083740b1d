#!/bin/sh
# Browser tests need a Chromium. Installed when we may; otherwise said in one line, and those tests skip.
set -eu
browser=${CHROMIUM:-/usr/bin/chromium-headless-shell}
if [ -x "$browser" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
    exit 0
fi
echo "There is no Chromium at $browser: the browser tests will be skipped. Install it, or set CHROMIUM to its path."
