/** What players can say to each other, as the protocol names it. */
export const PHRASES = ['hello', 'good_luck', 'good_move', 'oops', 'sorry', 'one_moment', 'thanks', 'good_game', 'must_go', 'goodbye'];

/** How long a phrase is shown, in milliseconds. */
export const SAID_MS = 8_000;
