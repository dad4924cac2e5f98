//! The lines of play in a tree, each once.

use std::collections::HashMap;

use checkers_lib::Move;

use super::{NodeId, Tree};

/// The number of a line among those of its tree; that without a move is 0.
pub(super) type LineId = usize;

/// Every line of play that a tree has nodes of, however often the search came by.
pub(super) struct TreeLines {
    lines: Vec<RecordedLine>,
    after: HashMap<(LineId, Move), LineId>,
    /// The line of each node; none where it was left out.
    of_nodes: Vec<Option<LineId>>,
}

/// Moves from the root on.
pub(super) struct RecordedLine {
    /// The line without its last move; the line without a move has none.
    pub(super) before: Option<(LineId, Move)>,
    /// The first of the visits to its end for which most depth remained.
    pub(super) deepest_visit: NodeId,
}

impl TreeLines {
    /// The lines of the nodes up to `deepest_level`.
    pub(super) fn of(tree: &Tree, deepest_level: u32) -> TreeLines {
        let mut lines = TreeLines {
            lines: Vec::new(),
            after: HashMap::new(),
            of_nodes: vec![None; tree.len()],
        };
        // The line of the last node entered at each level.
        let mut path: Vec<LineId> = Vec::new();
        for id in tree.ids() {
            let node = tree.node(id);
            if node.level > deepest_level {
                continue;
            }
            path.truncate(node.level as usize);
            let line = lines.visit(tree, id, path.last().copied().zip(node.m), path.last());
            path.push(line);
            lines.of_nodes[id.index()] = Some(line);
        }
        lines
    }

    /// Notes a visit to the end of a line: that of the parent unless a move leads here.
    fn visit(
        &mut self,
        tree: &Tree,
        id: NodeId,
        before: Option<(LineId, Move)>,
        parent: Option<&LineId>,
    ) -> LineId {
        let known = match before {
            Some(step) => self.after.get(&step).copied(),
            None => parent.copied().or((!self.lines.is_empty()).then_some(0)),
        };
        if let Some(line) = known {
            let deepest = &mut self.lines[line].deepest_visit;
            if tree.node(id).depth > tree.node(*deepest).depth {
                *deepest = id;
            }
            return line;
        }
        let line = self.lines.len();
        self.lines.push(RecordedLine {
            before,
            deepest_visit: id,
        });
        if let Some(step) = before {
            self.after.insert(step, line);
        }
        line
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// All lines, each after the line without its last move.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RecordedLine> {
        self.lines.iter()
    }

    /// The line of each node, in the order of the search; none where it was left out.
    pub(super) fn of_nodes(&self) -> impl Iterator<Item = Option<LineId>> {
        self.of_nodes.iter().copied()
    }

    pub(super) fn get(&self, line: LineId) -> &RecordedLine {
        &self.lines[line]
    }

    /// The line that is a move longer.
    pub(super) fn after(&self, line: LineId, m: Move) -> Option<LineId> {
        self.after.get(&(line, m)).copied()
    }
}
