#!/bin/sh
# Chromium's headless shell opens no page of its own, and chromedriver waits for one. Fewer processes start
# faster, and audio takes processor time in silence too. A test ends before optimised JavaScript has saved the time
# that it takes to compile.
exec chromium-headless-shell "$@" --disable-audio-output --enable-features=NetworkServiceInProcess2 \
    --disable-features=AudioServiceOutOfProcess,SpareRendererForSitePerProcess \
    '--js-flags=--no-maglev --no-opt' about:blank
