export { type Challenge, Client, type ConnectOptions, type EventOf, type QuickOptions } from "./client.js";
export { ChallengeError, CheckersError, ConnectionFailed, JoinError, MoveError, ServerError } from "./errors.js";
export type { Game, Table } from "./game.js";
export * from "./messages.js";
