#!/usr/bin/env bash
# Checks docs/clients/typescript: its messages are those of docs/schema, it compiles, its tests pass against the real
# server, and its package can be installed without a network.
# Needs the debug build of the workspace and Node 20 or later. CHECKERS_BIN is another directory with the programs.
# TypeScript goes to target/, and so does the package `ws`, where Node has no WebSocket.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bin=$(realpath "${CHECKERS_BIN:-${CARGO_TARGET_DIR:-target}/debug}")
tsc=$PWD/target/node/node_modules/typescript/bin/tsc
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

main() {
    prepare_node
    node docs/clients/typescript/generate.mjs --check
    # The build goes beside the sources.
    mkdir "$out/package"
    cp -r docs/clients/typescript/{package.json,tsconfig.json,README.md,src,test,examples} "$out/package"
    cd "$out/package"
    node "$tsc"
    CHECKERS_BIN=$bin timeout 600 node --test test/*.test.mjs >"$out/tests" 2>&1 || {
        cat "$out/tests" >&2
        exit 1
    }
    install_package
    echo "$(sed -n 's/^[^a-z]* pass /passed tests: /p' "$out/tests"), $(basename "$out"/*.tgz)"
}

# Node has WebSockets from 22 on.
prepare_node() {
    scripts/prepare-node.sh
    node -e 'process.exit(globalThis.WebSocket ? 0 : 1)' && return
    [[ -e target/node-client/node_modules/ws/wrapper.mjs ]] ||
        npm install --silent --no-audit --no-fund --prefix target/node-client ws@8 >&2
    cat >"$out/websocket.mjs" <<END
import { WebSocket } from "$PWD/target/node-client/node_modules/ws/wrapper.mjs";
globalThis.WebSocket = WebSocket;
END
    export NODE_OPTIONS="${NODE_OPTIONS:-} --import=$out/websocket.mjs"
}

install_package() {
    # The package is built already.
    npm pack --silent --ignore-scripts --pack-destination "$out" >"$out/packed"
    mkdir "$out/project"
    cd "$out/project"
    echo '{"type":"module"}' >package.json
    npm install --offline --no-audit --no-fund --loglevel=error "$out"/*.tgz >"$out/installed"
    cat >use.ts <<'END'
import { type Game, Client, ServerError } from "checkers-client";

export async function play(url: string): Promise<Game> {
  const client = await Client.connect(url, { name: "anna" });
  client.on("moved", ({ played }) => played.squares.join());
  // @ts-expect-error The server sends no such message.
  client.on("move", () => {});
  // @ts-expect-error The move is missing.
  await client.send({ type: "move", ply: 0 });
  for await (const message of client) {
    if (message.type === "error") throw new ServerError(message.code, message.message);
  }
  return client.quick({ clock: "5m+3s", rated: false });
}
END
    node "$tsc" --strict --target es2022 --module nodenext use.ts
    node -e 'import("./use.js").then(({ play }) => process.exit(typeof play === "function" ? 0 : 1))'
}

main "$@"
