/**
 * The messages of `docs/protocol.md` as types. There is nothing here at run time.
 *
 * @typedef {'white' | 'black'} Color
 * @typedef {'white_won' | 'black_won' | 'draw' | 'interrupted'} GameResult
 * @typedef {'draw' | 'takeback' | 'rematch'} OfferKind
 * @typedef {{offer: OfferKind, by: Color}} OpenOffer
 *
 * @typedef {{remaining_ms: number, increment_ms: number, delay_ms?: number, per_move_ms?: number}} WireClock
 * @typedef {{white?: WireClock, black?: WireClock}} WireClocks
 *
 * @typedef {{squares: string[], captures: string[]}} Route
 * @typedef {{move: string, from: string, to: string, captures: string[], promotes: boolean,
 *   routes: Route[]}} LegalMove
 * @typedef {{score: number, depth: number, nodes: number, time_us: number, pv?: string[]}} SearchInfo
 * @typedef {{ply: number, color: Color, move: string, squares: string[], captures: string[],
 *   promotes: boolean, elapsed_ms: number, search?: SearchInfo}} PlayedMove
 *
 * @typedef {{name: string, connected: boolean, bot?: string, absent_ms?: number,
 *   claim_in_ms?: number}} SeatInfo
 * @typedef {{white?: SeatInfo, black?: SeatInfo}} Seats
 * @typedef {{id: string, kind: 'main' | 'custom' | 'challenge' | 'quick' | 'correspondence' | 'house',
 *   visibility: 'public' | 'link', white_clock?: string, black_clock?: string, draw_rules: string,
 *   start_fen?: string, casual: boolean, rated?: boolean, event?: string, opponent?: string, state: 'waiting' | 'running' | 'over', seats: Seats,
 *   watchers: number, ply: number}} TableInfo
 *
 * @typedef {{game: number, id?: string, seq?: number, white: string, black: string,
 *   start_fen: string, moves: PlayedMove[], fen: string, ply: number, turn: Color,
 *   clocks?: WireClocks, thinking_ms?: number, offers?: OpenOffer[], opening_plies?: number,
 *   result?: GameResult, reason?: string, article?: string, left?: Color}} GameState
 *
 * @typedef {{level: number} | {spec: string}} BotRequest
 * @typedef {{visibility?: 'public' | 'link', color?: Color | 'random', opponent?: string,
 *   clock?: string, start_fen?: string, opening?: string, casual?: boolean, rated?: boolean,
 *   bots?: {white?: BotRequest, black?: BotRequest}}} TableWish
 *
 * @typedef {{type: string, table?: string} & {[field: string]: any}} Message any message, either way
 */

export {};
