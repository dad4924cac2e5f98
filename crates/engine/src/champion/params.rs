//! The numbers of the search that no spec sets; [`Tuning`](crate::Tuning) has the others. `docs/engine.md` says what
//! each belongs to.

/// Depths in plies, scores and margins in centi-logits.
pub(super) struct Params {
    /// Half the widest window; after it there is none.
    pub(super) aspiration_most: i32,
    /// The first iteration with such a window.
    pub(super) aspiration_depth: u32,
    /// What a generation takes from the worth of an entry of the table.
    pub(super) table_age_penalty: i32,
    /// The least depth at which the table is asked and told.
    pub(super) table_depth: i32,
    /// The longest line: so many times the depth of the iteration,
    pub(super) line_factor: usize,
    /// and so many plies more.
    pub(super) line_more: usize,
    /// The least depth at which moves are reduced.
    pub(super) reduction_depth: i32,
    /// The least depth at which the table's move is compared with the others.
    pub(super) singular_depth: i32,
    /// How many plies less deep than the node the search that found it may have been.
    pub(super) singular_less: i32,
    /// By how much the others must be below its score, for every two plies of depth.
    pub(super) singular_margin: i32,
    /// What divides the score of a position that is hardly won any more.
    pub(super) drawish_divisor: i32,
    /// What is added to the evaluation of a position of which tables tell that it is won, and not
    /// how.
    pub(super) won_bonus: i32,
    /// And for each row that a man of the winner has come.
    pub(super) won_row: i32,
    /// The greatest value in the history; a bonus is at most a part of what is missing to it.
    pub(super) history_most: i32,
    /// The part of the time aimed at after which no iteration is begun.
    pub(super) time_part: f64,
    /// What a change of the best move adds to it.
    pub(super) time_part_of_change: f64,
    /// What a fall of the score adds to it.
    pub(super) time_part_of_fall: f64,
    /// A fall that counts.
    pub(super) time_fall: i32,
}

pub(super) const PARAMS: Params = Params {
    aspiration_most: 400,
    aspiration_depth: 4,
    table_age_penalty: 4,
    table_depth: 2,
    line_factor: 2,
    line_more: 8,
    reduction_depth: 2,
    singular_depth: 6,
    singular_less: 3,
    singular_margin: 3,
    drawish_divisor: 8,
    won_bonus: 1000,
    won_row: 40,
    history_most: 1 << 14,
    time_part: 0.5,
    time_part_of_change: 0.4,
    time_part_of_fall: 0.4,
    time_fall: 30,
};
