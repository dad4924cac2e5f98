import type { ErrorCode } from "./messages.js";

/** Any error of this package: `code` is for programs, `message` for people. */
export class CheckersError extends Error {
  override name = "CheckersError";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The server has refused a message, or with `unqueued` has ended the wait for an opponent without a reason. */
export class ServerError extends CheckersError {
  override name = "ServerError";
  declare readonly code: ErrorCode | "unqueued";

  constructor(
    code: ErrorCode | "unqueued",
    message: string,
    /** The moves that an ambiguous one may be. */
    readonly candidates: string[] = [],
  ) {
    super(code, message);
  }
}

/** The server does not let the client in: `name_taken`, `bad_name`, `bad_token` and so on. */
export class JoinError extends ServerError {
  override name = "JoinError";
}

/** The server has refused a move: `illegal_move`, `bad_move`, `ambiguous_move` (see `candidates`) and so on. */
export class MoveError extends ServerError {
  override name = "MoveError";
}

/**
 * There is no connection any more, or no answer.
 *
 * | code | |
 * |---|---|
 * | `unreachable` | the server cannot be reached, or could not be for `giveUpAfterMs` |
 * | `disconnected` | the connection broke before the answer came; it is unknown whether the request had an effect |
 * | `timeout` | the server has not answered a request |
 * | `replaced` | another connection has joined with the same token |
 * | `closed` | the client or the table was closed, or the server has closed the connection for good |
 * | `protocol` | the server has sent something that is not of this protocol |
 */
export class ConnectionFailed extends CheckersError {
  override name = "ConnectionFailed";
  declare readonly code: "unreachable" | "disconnected" | "timeout" | "replaced" | "closed" | "protocol";

  constructor(code: ConnectionFailed["code"], message: string) {
    super(code, message);
  }
}

/** A challenge has come to nothing: `declined` or `withdrawn`. */
export class ChallengeError extends CheckersError {
  override name = "ChallengeError";
}
