#!/usr/bin/env bash
# Prints the conversation that docs/hub.md shows: what is said after "> ", and what the engine answers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --quiet --release -p checkers-bot
coproc engine { exec target/release/checkers-bot hub --bot negascout-tt:depth=5,tt=1; }

# Says a line, and shows what is answered up to the line that begins with the second word.
talk() {
    echo "> $1"
    echo "$1" >&"${engine[1]}"
    [[ $# -lt 2 ]] && return
    while read -r answer <&"${engine[0]}"; do
        echo "$answer"
        [[ $answer == "$2"* ]] && return
    done
}

start=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww
talk hub wait
talk "set-param name=tt value=16"
talk init ready
talk new-game
talk "pos pos=$start moves=\"22-18 9-13\""
talk "level depth=5"
talk "go think" done
talk ping pong
talk "pos pos=Weeeeeeeeebeeeeeebbeeeeeebbeeewee"
talk "go think" done
talk "castle" error
talk quit
