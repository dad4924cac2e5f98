"""A client of a server of Russian draughts, and a runner for engines that speak the Hub protocol."""

from .client import Challenge, Client
from .errors import (
    ChallengeError,
    CheckersError,
    ConfigError,
    ConnectionFailed,
    EngineError,
    JoinError,
    MoveError,
    ServerError,
)
from .game import Game, Table
from .hub import Found, HubEngine, Limits

__version__ = "0.1.0"
__all__ = [
    "Challenge",
    "ChallengeError",
    "CheckersError",
    "Client",
    "ConfigError",
    "ConnectionFailed",
    "EngineError",
    "Found",
    "Game",
    "HubEngine",
    "JoinError",
    "Limits",
    "MoveError",
    "ServerError",
    "Table",
]
