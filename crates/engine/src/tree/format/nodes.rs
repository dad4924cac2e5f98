//! Nodes as bytes: each in the light of the nodes before it.

use checkers_lib::{Move, Position};

use super::bytes::score;
use crate::Score;
use crate::bytes::{Content, Writer};
use crate::score::Bound;
use crate::tree::node::{Node, NodeId, NodeOutcome, Purpose, Technique};

/// In the first byte, below the kind of the outcome.
const WINDOW_SHIFT: u32 = 4;
const HAS_DROPPED: u8 = 1 << 6;
const HAS_DEPTH: u8 = 1 << 7;
/// In the second byte, below it the purpose.
const CLOSED_SHIFT: u32 = 3;
/// So many closed nodes or more are a number of their own.
const MANY_CLOSED: u64 = 31;

/// No search is so deep.
const GREATEST_DEPTH: i32 = 1000;

/// How a window is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WindowForm {
    /// The parent's, with what it has already for alpha.
    Full = 0,
    /// No wider than that asks whether the move is better than what the parent has already.
    Null = 1,
    /// The parent's as it began.
    Whole = 2,
    /// Both ends.
    Explicit = 3,
}

/// What is known of a node while those below it are written or read.
struct NodeFrame {
    place: u32,
    position: Position,
    alpha: Score,
    beta: Score,
    depth: i32,
    /// What the side to move has after the moves so far.
    floor: Score,
    /// The same before the last of them.
    floor_before_last: Score,
    last_move: Option<Move>,
}

/// What both sides of the coding know.
struct Context {
    root: Position,
    /// The path to the last node.
    frames: Vec<NodeFrame>,
    /// The value of the last node, and its level.
    last: (Score, usize),
    count: u32,
}

pub(super) struct Encoder(Context);

pub(super) struct Decoder {
    context: Context,
    deepest_level: Option<u32>,
}

impl NodeFrame {
    fn forms(&self, purpose: Purpose) -> [(WindowForm, Score, Score); 3] {
        let floor = match purpose {
            Purpose::ReSearch => self.floor_before_last,
            _ => self.floor,
        };
        [
            (WindowForm::Full, -self.beta, -floor),
            (WindowForm::Null, -floor.next(), -floor),
            (WindowForm::Whole, -self.beta, -self.alpha),
        ]
    }

    /// The depth of most children.
    fn child_depth(&self) -> i32 {
        (self.depth - 1).max(0)
    }

    /// Notes what a child is worth.
    fn learn(&mut self, child: &Node) {
        if child.m.is_none() {
            return;
        }
        if child.purpose != Purpose::ReSearch {
            self.floor_before_last = self.floor;
        }
        self.last_move = child.m;
        if let Some(value) = child.value() {
            self.floor = self.floor_before_last.max(-value);
        }
    }
}

impl Context {
    fn new(root: &Position) -> Context {
        Context {
            root: root.clone(),
            frames: Vec::new(),
            last: (Score::ZERO, 0),
            count: 0,
        }
    }

    /// What the value of a node at `level` is most probably near to.
    fn expected(&self, level: usize) -> Score {
        let (value, last_level) = self.last;
        if (level + last_level).is_multiple_of(2) {
            value
        } else {
            -value
        }
    }

    /// Goes to a node.
    fn enter(&mut self, node: &Node) {
        let level = node.level as usize;
        let mut position = match self.frames.last_mut() {
            Some(parent) => {
                parent.learn(node);
                parent.position.clone()
            }
            None => self.root.clone(),
        };
        if let Some(m) = node.m {
            position.play_unchecked(m);
        }
        self.frames.push(NodeFrame {
            place: self.count,
            position,
            alpha: node.alpha,
            beta: node.beta,
            depth: node.depth,
            floor: node.alpha,
            floor_before_last: node.alpha,
            last_move: None,
        });
        if let Some(value) = node.value() {
            self.last = (value, level);
        }
        self.count += 1;
    }
}

impl Encoder {
    pub(super) fn new(root: &Position) -> Encoder {
        Encoder(Context::new(root))
    }

    pub(super) fn write(&mut self, node: &Node, writer: &mut Writer) {
        let context = &mut self.0;
        let level = node.level as usize;
        let closed = context.frames.len().saturating_sub(level) as u64;
        context.frames.truncate(level);
        let parent = context.frames.last();
        let forms = parent.map(|parent| parent.forms(node.purpose));
        let known = forms.into_iter().flatten();
        let form = known
            .filter(|&(_, alpha, beta)| (alpha, beta) == (node.alpha, node.beta))
            .map(|(form, ..)| form)
            .next()
            .unwrap_or(WindowForm::Explicit);
        let has_depth = parent.is_none_or(|parent| parent.child_depth() != node.depth);
        let (kind, more) = outcome_code(node.outcome);
        let (purpose, plies) = purpose_code(node.purpose);
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        writer.byte(
            kind | (form as u8) << WINDOW_SHIFT
                | flag(node.dropped > 0, HAS_DROPPED)
                | flag(has_depth, HAS_DEPTH),
        );
        writer.byte(purpose | (closed.min(MANY_CLOSED) as u8) << CLOSED_SHIFT);
        if closed >= MANY_CLOSED {
            writer.number(closed - MANY_CLOSED);
        }
        if let Some(plies) = plies {
            writer.byte(plies);
        }
        if let (Some(m), Some(parent)) = (node.m, parent)
            && node.purpose != Purpose::ReSearch
        {
            writer.place(&parent.position, m);
        }
        if form == WindowForm::Explicit {
            writer.signed(node.alpha.value().into());
            writer.number((node.beta.value() - node.alpha.value()) as u64);
        }
        if has_depth {
            writer.number(node.depth.max(0) as u64);
        }
        if let Some(more) = more {
            writer.number(more);
        }
        if let Some(value) = node.value() {
            writer.signed((value.value() - context.expected(level).value()).into());
        }
        if node.dropped > 0 {
            writer.number(node.dropped);
        }
        context.enter(node);
    }
}

impl Decoder {
    pub(super) fn new(root: &Position, deepest_level: Option<u32>) -> Decoder {
        Decoder {
            context: Context::new(root),
            deepest_level,
        }
    }

    /// Reads a node; `None` if there is none. Where the nodes below it end is not known yet.
    pub(super) fn read(&mut self, content: &mut Content<'_>) -> Option<Node> {
        let context = &mut self.context;
        let (first, second) = (content.byte()?, content.byte()?);
        let mut closed = u64::from(second >> CLOSED_SHIFT);
        if closed == MANY_CLOSED {
            closed = closed.checked_add(content.number()?)?;
        }
        let level = context.frames.len().checked_sub(closed.try_into().ok()?)?;
        if self.deepest_level.is_some_and(|most| level > most as usize) {
            return None;
        }
        context.frames.truncate(level);
        let purpose = read_purpose(second & 7, content)?;
        let parent = context.frames.last();
        let m = read_move(purpose, parent, content)?;
        let (alpha, beta) = read_window(first >> WINDOW_SHIFT & 3, purpose, parent, content)?;
        let depth = match (first & HAS_DEPTH != 0, parent) {
            (true, _) => i32::try_from(content.number()?)
                .ok()
                .filter(|&depth| depth <= GREATEST_DEPTH)?,
            (false, Some(parent)) => parent.child_depth(),
            (false, None) => return None,
        };
        let outcome = read_outcome(first & 0xf, content)?;
        let value = match outcome {
            NodeOutcome::Stopped => Score::ZERO,
            _ => score(
                content
                    .signed()?
                    .checked_add(context.expected(level).value().into())?,
            )?,
        };
        let dropped = match first & HAS_DROPPED {
            0 => 0,
            _ => content.number().filter(|&dropped| dropped > 0)?,
        };
        let node = Node {
            parent: parent.map(|parent| NodeId(parent.place)),
            level: level as u32,
            m,
            purpose,
            alpha,
            beta,
            depth,
            outcome,
            dropped,
            value,
            end: 0,
        };
        context.enter(&node);
        Some(node)
    }
}

fn read_move(
    purpose: Purpose,
    parent: Option<&NodeFrame>,
    content: &mut Content<'_>,
) -> Option<Option<Move>> {
    match (purpose, parent) {
        (Purpose::Root, None) | (Purpose::Shallow | Purpose::Captures, Some(_)) => Some(None),
        (Purpose::Move | Purpose::Reduced(_), Some(parent)) => {
            content.place(&parent.position).map(Some)
        }
        (Purpose::ReSearch, Some(parent)) => parent.last_move.map(Some),
        (Purpose::Root, Some(_)) | (_, None) => None,
    }
}

fn read_window(
    form: u8,
    purpose: Purpose,
    parent: Option<&NodeFrame>,
    content: &mut Content<'_>,
) -> Option<(Score, Score)> {
    let mut forms = parent.into_iter().flat_map(|parent| parent.forms(purpose));
    if form != WindowForm::Explicit as u8 {
        let known = forms.find(|(known, ..)| *known as u8 == form);
        return known.map(|(_, alpha, beta)| (alpha, beta));
    }
    let alpha = content.signed()?;
    let beta = alpha.checked_add(content.number()?.try_into().ok()?)?;
    Some((score(alpha)?, score(beta)?))
}

fn purpose_code(purpose: Purpose) -> (u8, Option<u8>) {
    match purpose {
        Purpose::Root => (0, None),
        Purpose::Move => (1, None),
        Purpose::Reduced(plies) => (2, Some(plies)),
        Purpose::ReSearch => (3, None),
        Purpose::Shallow => (4, None),
        Purpose::Captures => (5, None),
    }
}

fn read_purpose(code: u8, content: &mut Content<'_>) -> Option<Purpose> {
    Some(match code {
        0 => Purpose::Root,
        1 => Purpose::Move,
        2 => Purpose::Reduced(content.byte()?),
        3 => Purpose::ReSearch,
        4 => Purpose::Shallow,
        5 => Purpose::Captures,
        _ => return None,
    })
}

fn outcome_code(outcome: NodeOutcome) -> (u8, Option<u64>) {
    match outcome {
        NodeOutcome::Leaf => (0, None),
        NodeOutcome::Lost => (1, None),
        NodeOutcome::Exact => (2, None),
        NodeOutcome::FailLow => (3, None),
        NodeOutcome::CutOff { by } => (4, Some(by.into())),
        NodeOutcome::TableHit(Bound::Exact) => (5, None),
        NodeOutcome::TableHit(Bound::Lower) => (6, None),
        NodeOutcome::TableHit(Bound::Upper) => (7, None),
        NodeOutcome::Tablebase => (8, None),
        NodeOutcome::Drawn => (9, None),
        NodeOutcome::Pruned(Technique::Futility) => (10, None),
        NodeOutcome::Pruned(Technique::MultiCut) => (11, None),
        NodeOutcome::Simulated { simulations } => (12, Some(simulations)),
        NodeOutcome::Stopped => (13, None),
    }
}

fn read_outcome(code: u8, content: &mut Content<'_>) -> Option<NodeOutcome> {
    Some(match code {
        0 => NodeOutcome::Leaf,
        1 => NodeOutcome::Lost,
        2 => NodeOutcome::Exact,
        3 => NodeOutcome::FailLow,
        4 => NodeOutcome::CutOff {
            by: content.number()?.try_into().ok()?,
        },
        5 => NodeOutcome::TableHit(Bound::Exact),
        6 => NodeOutcome::TableHit(Bound::Lower),
        7 => NodeOutcome::TableHit(Bound::Upper),
        8 => NodeOutcome::Tablebase,
        9 => NodeOutcome::Drawn,
        10 => NodeOutcome::Pruned(Technique::Futility),
        11 => NodeOutcome::Pruned(Technique::MultiCut),
        12 => NodeOutcome::Simulated {
            simulations: content.number()?,
        },
        13 => NodeOutcome::Stopped,
        _ => return None,
    })
}
