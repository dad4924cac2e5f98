#!/bin/sh
# Chromium's headless shell opens no page of its own, and chromedriver waits for one.
exec chromium-headless-shell "$@" about:blank
