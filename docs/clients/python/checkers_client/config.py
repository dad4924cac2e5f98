"""The configuration of the runner: a TOML file, read strictly."""

from __future__ import annotations

import dataclasses
import math
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from .errors import ConfigError
from .hub import Limits

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass
class Server:
    url: str
    name: str | None = None
    token: str | None = None
    token_env: str | None = None
    """The environment variable that the token is in."""
    give_up_after: float | None = None


@dataclass
class Engine:
    command: str | list[str]
    directory: str | None = None
    variant: str = "russian"
    start_limit: float = 60.0
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass
class Search:
    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None


@dataclass
class Play:
    mode: Literal["quick", "challenges"] = "quick"
    games: int = 1
    """0 is without end."""
    clock: str | None = None
    rated: bool = False
    ladder: str | None = None
    tournament: str | None = None
    invitation: str | None = None


@dataclass
class Draw:
    """When the engine accepts and offers draws, by the score of its last search, in men from its view."""

    accept_at_most: float | None = None
    """Accepts if it is not better than this; without it, it declines every offer."""
    offer_within: float | None = None
    """Offers a draw once a game if the score is this near to 0; without it, never."""
    from_ply: int = 40


@dataclass
class Config:
    server: Server
    engine: Engine
    limits: Search = field(default_factory=Search)
    play: Play = field(default_factory=Play)
    draw: Draw = field(default_factory=Draw)

    @property
    def command(self) -> list[str]:
        command = self.engine.command
        return shlex.split(command) if isinstance(command, str) else command

    @property
    def search_limits(self) -> Limits:
        return Limits(**dataclasses.asdict(self.limits))


def load(path: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """Reads a configuration file.

    Raises ConfigError if there is anything wrong with it.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("file", f"cannot read {path}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("file", f"{path} is not TOML: {error}") from None
    return parse(data, environment)


def parse(data: dict[str, Any], environment: Mapping[str, str] = os.environ) -> Config:
    config: Config = read(Config, data, "")
    check(config, environment)
    return config


def read(kind: Any, data: Any, where: str) -> Any:
    """A table of the file as a dataclass of this kind."""
    if not isinstance(data, dict):
        raise ConfigError(where, f"{where} has to be a table")
    fields = {found.name: found for found in dataclasses.fields(kind)}
    for key in data:
        if key not in fields:
            raise ConfigError(name(where, key), f"unknown setting {name(where, key)}; known are {', '.join(fields)}")
    hints = get_type_hints(kind)
    values = {}
    for key, found in fields.items():
        if key in data:
            values[key] = value(hints[key], data[key], name(where, key))
        elif found.default is dataclasses.MISSING and found.default_factory is dataclasses.MISSING:
            raise ConfigError(name(where, key), f"{name(where, key)} is missing")
    return kind(**values)


def value(kind: Any, data: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return read(kind, data, where)
    kinds = [kind] if get_origin(kind) in (None, list, dict, Literal) else list(get_args(kind))
    for one in kinds:
        if get_origin(one) is Literal and data in get_args(one):
            return data
        if get_origin(one) is list and isinstance(data, list) and all(isinstance(item, str) for item in data):
            return data
        if get_origin(one) is dict and isinstance(data, dict):
            return {key: text(item, name(where, key)) for key, item in data.items()}
        if one is float and isinstance(data, (int, float)) and not isinstance(data, bool) and math.isfinite(data):
            return float(data)
        # True and False are numbers in Python.
        if one in (str, int, bool) and type(data) is one:
            return data
    raise ConfigError(where, f"{where} has to be {' or '.join(map(described, kinds))}, not {data!r}")


def text(data: Any, where: str) -> str:
    """The value of an engine's parameter: Hub engines write `true` and `false`."""
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, (str, int, float)):
        return str(data)
    raise ConfigError(where, f"{where} has to be a text, a number, true or false")


def described(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(repr(choice) for choice in get_args(kind))
    if get_origin(kind) is list:
        return "a list of texts"
    if get_origin(kind) is dict:
        return "a table"
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(kind, "left out")


def name(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def check(config: Config, environment: Mapping[str, str]) -> None:
    """Checks what single values do not show, and reads the token from the environment."""
    server, play = config.server, config.play

    def require(condition: object, setting: str, message: str) -> None:
        if not condition:
            raise ConfigError(setting, message)

    require(server.url.startswith(("ws://", "wss://")), "server.url", "server.url begins with ws:// or wss://")
    require(not (server.token and server.token_env), "server.token", "give server.token or server.token_env, not both")
    if server.token_env is not None:
        server.token = environment.get(server.token_env)
        require(server.token, "server.token_env", f"server.token_env: {server.token_env} is not set")
    require(server.name or server.token, "server.name", "server.name is missing; only with a token it may be")
    require((server.give_up_after or 0) >= 0, "server.give_up_after", "server.give_up_after is a number of seconds")
    try:
        command = config.command
    except ValueError as error:
        raise ConfigError("engine.command", f"engine.command cannot be read: {error}") from None
    require(command and command[0], "engine.command", "engine.command is empty")
    require(config.engine.start_limit > 0, "engine.start_limit", "engine.start_limit has to be positive")
    for key, limit in dataclasses.asdict(config.limits).items():
        require(limit is None or limit > 0, f"limits.{key}", f"limits.{key} has to be positive")
    require(play.games >= 0, "play.games", "play.games is a number of games, or 0 for no end")
    for key in ("rated", "ladder", "tournament", "clock"):
        is_idle = play.mode != "quick" and getattr(play, key)
        require(not is_idle, f"play.{key}", f"play.{key} is only for play.mode = 'quick'")
    for key in ("rated", "ladder", "tournament"):
        require(server.token or not getattr(play, key), f"play.{key}", f"play.{key} needs the token of an account")
    require(not (play.ladder and play.tournament), "play.ladder", "play.ladder and play.tournament exclude each other")
    require(play.tournament or not play.invitation, "play.invitation", "play.invitation is only for play.tournament")
    own_clock = not (play.clock and (play.ladder or play.tournament))
    require(own_clock, "play.clock", "a ladder and a tournament have a clock of their own: leave out play.clock")
    require((config.draw.offer_within or 0) >= 0, "draw.offer_within", "draw.offer_within cannot be negative")
