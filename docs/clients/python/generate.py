"""Writes checkers_client/messages.py from the JSON schemas of the protocol.

python generate.py [--check]

With --check it writes nothing, and fails if the file is out of date.
"""

import json
import keyword
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parents[1] / "schema"
TARGET = HERE / "checkers_client" / "messages.py"
HEADER = '''"""The messages of the protocol. Written by generate.py from docs/schema; do not edit.

Fields of a class with total=False may be absent.
"""

from __future__ import annotations

from typing import Literal, TypedDict, Union
'''
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

Schema = dict[str, Any]


def python_type(schema: Schema) -> str:
    """The type of a value, as source."""
    match schema:
        case {"$ref": reference}:
            return str(reference).removeprefix("#/$defs/")
        case {"const": value}:
            return f"Literal[{json.dumps(value)}]"
        case {"enum": values}:
            return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
        case {"oneOf": choices} if all("const" in choice for choice in choices):
            return python_type({"enum": [choice["const"] for choice in choices]})
        case {"anyOf": choices}:
            return " | ".join(python_type(choice) for choice in choices)
        case {"type": "array", "items": items}:
            return f"list[{python_type(items)}]"
        case {"type": list(names)}:
            return " | ".join(TYPES[name] for name in names)
        case {"type": name} if name in TYPES:
            return TYPES[name]
    raise ValueError(f"no Python type for {schema}")


def definition(name: str, schema: Schema) -> str:
    """A definition of a schema as a class, or as the alias of a type."""
    if schema.get("type") != "object":
        return alias(name, python_type(schema))
    return typed_dict(name, schema.get("description", ""), schema["properties"], schema.get("required", []))


def alias(name: str, source: str) -> str:
    line = f"{name} = {source}"
    if len(line) <= 120 or not source.startswith("Literal["):
        return line + "\n"
    values = source.removeprefix("Literal[").removesuffix("]").split(", ")
    return f"{name} = Literal[\n" + "".join(f"    {value},\n" for value in values) + "]\n"


def typed_dict(name: str, description: str, properties: Schema, required: list[str]) -> str:
    fields = {field: python_type(schema) for field, schema in properties.items()}
    if any(keyword.iskeyword(field) for field in fields):
        # Such a field cannot be one of a class.
        if set(required) != set(fields):
            raise ValueError(f"{name} has a keyword and optional fields")
        lines = "".join(f'        "{field}": "{source}",\n' for field, source in sorted(fields.items()))
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{lines}    }},\n)\n'
    needed = {field: source for field, source in fields.items() if field in required}
    optional = {field: source for field, source in fields.items() if field not in required}
    doc = f'    """{summary(description)}"""\n\n'
    if not optional:
        return f"class {name}(TypedDict):\n{doc}{body(needed)}"
    if not needed:
        return f"class {name}(TypedDict, total=False):\n{doc}{body(optional)}"
    return f"class _{name}(TypedDict):\n{body(needed)}\n\nclass {name}(_{name}, total=False):\n{doc}{body(optional)}"


def body(fields: dict[str, str]) -> str:
    return "".join(f"    {field}: {source}\n" for field, source in sorted(fields.items()))


def summary(description: str) -> str:
    """The first paragraph, without the links of Rust's documentation."""
    text = " ".join(description.split("\n\n")[0].split())
    for old, new in (("[`", ""), ("`](crate::TimeControl)", ""), ("`]", ""), ("`", ""), ("\\", "\\\\")):
        text = text.replace(old, new)
    return textwrap.fill(text, 115, subsequent_indent="    ").replace('"', "'")


def messages(schema: Schema, suffix: str) -> Iterator[tuple[str, str]]:
    """The name of each message's class, and its source."""
    common = schema.get("properties", {})
    for choice in schema["oneOf"]:
        base = {}
        if reference := choice.get("$ref"):
            base = schema["$defs"][reference.removeprefix("#/$defs/")]
        kind = choice["properties"]["type"]["const"]
        name = "".join(word.capitalize() for word in kind.split("_")) + suffix
        properties = {**common, **base.get("properties", {}), **choice["properties"]}
        required = base.get("required", []) + choice["required"]
        yield name, typed_dict(name, choice.get("description", ""), properties, required)


def union(name: str, members: list[str]) -> str:
    return f"{name} = Union[\n" + "".join(f"    {member},\n" for member in members) + "]\n"


def generated() -> str:
    client = json.loads((SCHEMAS / "client-message.json").read_text(encoding="utf-8"))
    server = json.loads((SCHEMAS / "server-message.json").read_text(encoding="utf-8"))
    shared = {**client["$defs"], **server["$defs"]}
    for name, schema in client["$defs"].items():
        if definition(name, schema) != definition(name, shared[name]):
            raise ValueError(f"{name} differs between the schemas")
    # Aliases are evaluated where they are defined; classes only name what they refer to.
    names = sorted(shared, key=lambda name: (shared[name].get("type") == "object", name))
    parts = [definition(name, shared[name]) for name in names]
    for schema, suffix, title in ((client, "Request", "ClientMessage"), (server, "Event", "ServerMessage")):
        made = list(messages(schema, suffix))
        parts += [source for _, source in made]
        parts.append(union(title, [name for name, _ in made]))
    kinds = [choice["properties"]["type"]["const"] for choice in server["oneOf"]]
    known = "".join(f'        "{kind}",\n' for kind in kinds)
    parts.append(f"SERVER_MESSAGES = frozenset(\n    [\n{known}    ]\n)\n")
    return HEADER + "".join(f"\n\n{part}" if part.startswith(("class", "_")) else f"\n{part}" for part in parts)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python generate.py [--check]", file=sys.stderr)
        return 2
    text = generated()
    if not arguments:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        print(f"{TARGET.name} is out of date: run {Path(__file__).name}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
