#!/bin/sh
# Chromium's headless shell opens no page of its own, and chromedriver waits for one. Fewer processes start
# faster, and audio takes processor time in silence too.
exec chromium-headless-shell "$@" --disable-audio-output --enable-features=NetworkServiceInProcess2 \
    --disable-features=AudioServiceOutOfProcess,SpareRendererForSitePerProcess about:blank
