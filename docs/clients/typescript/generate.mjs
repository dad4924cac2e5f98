// Writes src/messages.ts from the JSON schemas of the protocol.
//
//     node generate.mjs [--check]
//
// With --check it writes nothing, and fails if the file is out of date.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const TARGET = new URL("src/messages.ts", import.meta.url);
const TYPES = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

function generated() {
  const client = read("client-message.json");
  const server = read("server-message.json");
  const shared = { ...client.$defs, ...server.$defs };
  const definitions = new Map(Object.keys(shared).map((name) => [name, definition(name, shared[name])]));
  for (const [name, schema] of Object.entries(client.$defs)) {
    if (definition(name, schema) !== definitions.get(name)) throw new Error(`${name} differs between the schemas`);
  }
  const kinds = server.oneOf.map(kind).map((name) => `  ${JSON.stringify(name)},\n`);
  const wishes = Object.keys(client.$defs.CreateTable.properties).sort().map((name) => `  ${JSON.stringify(name)},\n`);
  return [
    "// The messages of the protocol. Written by generate.mjs from docs/schema; do not edit.\n",
    ...[...definitions].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, source]) => source),
    ...messages(client, "Request", "ClientMessage", "What a client can send."),
    ...messages(server, "Event", "ServerMessage", "What the server sends."),
    `/** The types of the server's messages. */\n` +
      `export const SERVER_MESSAGES: ReadonlySet<string> = new Set([\n${kinds.join("")}]);\n`,
    `/** The fields of \`CreateTable\`. */\n` +
      `export const TABLE_WISHES: ReadonlySet<string> = new Set([\n${wishes.join("")}]);\n`,
  ].join("\n");
}

function read(name) {
  return JSON.parse(readFileSync(new URL(`../../schema/${name}`, import.meta.url), "utf8"));
}

// An interface for each message of a schema, and their union.
function messages(schema, suffix, title, description) {
  const names = [];
  const sources = schema.oneOf.map((choice) => {
    const base = choice.$ref ? schema.$defs[referred(choice)] : {};
    const name = kind(choice).split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("") + suffix;
    names.push(name);
    const properties = { ...schema.properties, ...base.properties, ...choice.properties };
    const required = [...(base.required ?? []), ...choice.required];
    return declaration(name, { description: choice.description, properties, required });
  });
  return [...sources, alias(title, description, names.join(" | "))];
}

function kind(choice) {
  return choice.properties.type.const;
}

function definition(name, schema) {
  if (schema.type === "object") return declaration(name, schema);
  return alias(name, schema.description, typescript(schema));
}

function alias(name, description, type) {
  const line = `export type ${name} = ${type};\n`;
  if (line.length <= 120) return comment(description) + line;
  return comment(description) + `export type ${name} =${type.split(" | ").map((part) => `\n  | ${part}`).join("")};\n`;
}

function declaration(name, { description, properties, required = [] }) {
  const { type, ...others } = properties;
  const order = [...(type ? ["type"] : []), ...Object.keys(others).sort()];
  const fields = order.map((field) => {
    const schema = properties[field];
    const mark = required.includes(field) ? "" : "?";
    return comment(schema.description, "  ") + `  ${field}${mark}: ${typescript(schema)};\n`;
  });
  return comment(description) + `export interface ${name} {\n${fields.join("")}}\n`;
}

function typescript(schema) {
  if (schema.$ref) return referred(schema);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf ?? schema.anyOf) return (schema.oneOf ?? schema.anyOf).map(typescript).join(" | ");
  if (schema.type === "array") return `${typescript(schema.items)}[]`;
  const names = [schema.type].flat().map((name) => TYPES[name]);
  if (names.includes(undefined)) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return names.join(" | ");
}

function referred(schema) {
  return schema.$ref.replace("#/$defs/", "");
}

// The first paragraph of a description, without the links of Rust's documentation.
function comment(description, indent = "") {
  if (!description) return "";
  const text = description.split("\n\n")[0].replace(/\s+/g, " ").replace(/\[(`[^`]*`)\](\([^)]*\))?/g, "$1");
  return `${indent}/** ${text} */\n`;
}

const wanted = process.argv.slice(2);
if (wanted.length > 1 || (wanted.length === 1 && wanted[0] !== "--check")) {
  console.error("usage: node generate.mjs [--check]");
  process.exitCode = 2;
} else if (wanted.length === 0) {
  writeFileSync(TARGET, generated());
} else if (!existsSync(TARGET) || readFileSync(TARGET, "utf8") !== generated()) {
  console.error(`${fileURLToPath(TARGET)} is out of date: run generate.mjs`);
  process.exitCode = 1;
}
