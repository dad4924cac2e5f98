"""What can go wrong. Every error has a `code` for programs and a `message` for people."""

from __future__ import annotations


class CheckersError(Exception):
    """Any error of this package."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message


class ServerError(CheckersError):
    """The server has refused a message; `code` is one of the protocol's `ErrorCode`."""

    def __init__(self, code: str, message: str, candidates: list[str] | None = None) -> None:
        super().__init__(code, message)
        self.candidates = candidates or []


class JoinError(ServerError):
    """The server does not let the client in: `name_taken`, `bad_name`, `bad_token` and so on."""


class MoveError(ServerError):
    """The server has refused a move: `illegal_move`, `bad_move`, `ambiguous_move` (see `candidates`) and so on."""


class ConnectionFailed(CheckersError):
    """There is no connection any more, or no answer.

    | code | |
    |---|---|
    | `unreachable` | the server cannot be reached, or could not be for `give_up_after` seconds |
    | `disconnected` | the connection broke before the answer came; it is unknown whether the request had an effect |
    | `timeout` | the server has not answered a request |
    | `replaced` | another connection has joined with the same token |
    | `closed` | the client was closed, or the server has closed the connection for good |
    | `protocol` | the server has sent something that is not of this protocol |
    """


class ChallengeError(CheckersError):
    """A challenge has come to nothing: `declined` or `withdrawn`."""


class EngineError(CheckersError):
    """The engine has failed: `start`, `crashed`, `timeout`, `protocol`, `variant`, `parameter` or `illegal_move`."""


class ConfigError(CheckersError):
    """The configuration cannot be used; `code` is the setting, such as `play.games`."""
