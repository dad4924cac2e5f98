#!/bin/sh
# Chromium's headless shell opens no page of its own, and chromedriver waits for one. Fewer processes start faster.
exec chromium-headless-shell "$@" \
    --disable-features=AudioServiceOutOfProcess --enable-features=NetworkServiceInProcess2 about:blank
