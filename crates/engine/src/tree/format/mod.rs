//! The bytes of a tree's file; `docs/file-formats.md` describes them.

mod bytes;
mod nodes;

use std::time::Duration;

use checkers_lib::{DrawRules, Game, Position};

use self::nodes::{Decoder, Encoder};
use super::recorder::close_subtrees;
use super::{Bounds, NodeId, Tree};
use crate::bytes::{ByteReader, BytesError, Content, Writer, add_block, add_sum};
use crate::{BotSpec, Choice, SpecError};

/// What a file begins with.
const MAGIC: [u8; 8] = *b"RDTRACE\x1a";
/// The version of the format.
const VERSION: u16 = 1;
/// The bytes before the content of the header: magic, version, length.
const PREFIX_LEN: usize = 14;
/// So many nodes share a checksum, but for the last ones.
const NODES_PER_BLOCK: usize = 4096;
/// The most bytes of a node.
const LONGEST_NODE: usize = 80;

/// Why bytes are no tree. Offsets are in bytes from the beginning of the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// They begin like something else.
    #[error("no recorded search: it begins with other bytes at byte 0")]
    Foreign,
    /// They are of another time.
    #[error("version {found} of the format at byte 8, expected {VERSION}")]
    Version {
        /// What was found.
        found: u16,
    },
    /// They are of a bot that this program does not know.
    #[error("recorded with another version of the program, at byte {PREFIX_LEN}")]
    Spec(#[source] SpecError),
    /// They end too early.
    #[error("cut off at byte {offset}")]
    CutOff {
        /// Where they end.
        offset: usize,
    },
    /// They are not what was written.
    #[error("damaged at byte {offset}")]
    Damaged {
        /// Where the damaged part begins.
        offset: usize,
    },
    /// Something follows after the end.
    #[error("more than a recorded search: it goes on at byte {offset}")]
    TooLong {
        /// Where the tree ends.
        offset: usize,
    },
}

impl Tree {
    /// The bytes of a file, the same for the same tree.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = self.header().into_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        add_sum(&mut bytes, 0);
        let mut encoder = Encoder::new(self.game.position());
        for nodes in self.nodes.chunks(NODES_PER_BLOCK) {
            let mut content = Writer::default();
            for node in nodes {
                encoder.write(node, &mut content);
            }
            add_block(&mut bytes, nodes.len(), content);
        }
        bytes
    }

    /// Reads a file. What it returns is a tree that a search can have left: every move is legal,
    /// every value follows from those below it, and every cut-off is justified by its window.
    ///
    /// # Errors
    /// When the bytes are something else, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Tree, TreeError> {
        let begin = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(begin) || begin.is_empty() {
            return Err(TreeError::Foreign);
        }
        let mut reader = ByteReader::new(bytes);
        let prefix = reader.take(PREFIX_LEN)?;
        let version = u16::from_le_bytes([prefix[8], prefix[9]]);
        if version != VERSION {
            return Err(TreeError::Version { found: version });
        }
        let len = u32::from_le_bytes([prefix[10], prefix[11], prefix[12], prefix[13]]);
        let header = reader.take(len as usize)?;
        reader.check_sum_since(0)?;
        let (mut tree, count) = Tree::from_header(header)?;
        tree.read_nodes(&mut reader, count)?;
        Ok(tree)
    }

    fn header(&self) -> Writer {
        let mut header = Writer::default();
        header.text(&self.spec.to_string());
        header.text(&self.game.start().to_string());
        header.number(match self.game.rules() {
            DrawRules::Fmjd64 => 0,
            DrawRules::Study => 1,
        });
        header.moves(self.game.start(), self.game.moves());
        header.optional(self.bounds.depth.map(u64::from));
        header.optional(self.bounds.nodes);
        header.optional(self.bounds.movetime.map(micros));
        header.number(self.choice.complete.into());
        header.number(self.choice.depth.into());
        header.number(self.choice.nodes);
        header.number(micros(self.choice.time));
        header.signed(self.choice.score.value().into());
        header.moves(self.game.position(), &self.choice.pv);
        header.optional(self.deepest_level.map(u64::from));
        header.number(self.nodes.len() as u64);
        header
    }

    /// The tree of a header without its nodes, and their number.
    fn from_header(bytes: &[u8]) -> Result<(Tree, usize), TreeError> {
        let damaged = TreeError::Damaged { offset: 0 };
        let mut content = Content(bytes);
        let spec = content.text().ok_or(damaged.clone())?;
        let spec: BotSpec = spec.parse().map_err(TreeError::Spec)?;
        let rest = read_header(&mut content, spec).filter(|_| content.is_empty());
        rest.ok_or(damaged)
    }
}

/// The header after the spec; `None` if it is none.
fn read_header(content: &mut Content<'_>, spec: BotSpec) -> Option<(Tree, usize)> {
    let start: Position = content.text()?.parse().ok()?;
    let rules = match content.number()? {
        0 => DrawRules::Fmjd64,
        1 => DrawRules::Study,
        _ => return None,
    };
    let mut game = Game::from_position(start.clone(), rules);
    for m in content.moves(&start)? {
        game.play(m).ok()?;
    }
    let bounds = Bounds {
        depth: content.optional()?.map(u32::try_from).transpose().ok()?,
        nodes: content.optional()?,
        movetime: content.optional()?.map(Duration::from_micros),
    };
    let complete = match content.number()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let depth = content.number()?.try_into().ok()?;
    let nodes = content.number()?;
    let time = Duration::from_micros(content.number()?);
    let score = content.score()?;
    let pv = content.moves(game.position())?;
    let deepest_level = content.optional()?.map(u32::try_from).transpose().ok()?;
    let count = u32::try_from(content.number()?).ok()?;
    let tree = Tree {
        spec,
        game,
        bounds,
        choice: Choice {
            best: pv.first().copied(),
            score,
            depth,
            nodes,
            time,
            pv,
            complete,
            from_book: false,
        },
        deepest_level,
        nodes: Vec::new(),
    };
    Some((tree, count as usize))
}

fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}

impl Tree {
    /// Reads all nodes, to the end of the file.
    fn read_nodes(&mut self, reader: &mut ByteReader<'_>, count: usize) -> Result<(), TreeError> {
        let mut decoder = Decoder::new(self.game.position(), self.deepest_level);
        let mut begins = Vec::new();
        while self.nodes.len() < count {
            let offset = reader.offset();
            begins.push(offset);
            let expected = NODES_PER_BLOCK.min(count - self.nodes.len());
            reader.block(expected, LONGEST_NODE, |found, content| {
                for _ in 0..found {
                    self.nodes.push(decoder.read(content)?);
                }
                (found == expected).then_some(())
            })?;
        }
        if !reader.is_at_end() {
            return Err(TreeError::TooLong {
                offset: reader.offset(),
            });
        }
        close_subtrees(&mut self.nodes);
        let begin_of = |id: NodeId| begins.get(id.index() / NODES_PER_BLOCK).copied();
        match self.first_unsound() {
            None => Ok(()),
            Some(id) => Err(TreeError::Damaged {
                offset: begin_of(id).unwrap_or(0),
            }),
        }
    }
}

impl From<BytesError> for TreeError {
    fn from(error: BytesError) -> TreeError {
        match error {
            BytesError::CutOff { offset } => TreeError::CutOff { offset },
            BytesError::Damaged { offset } => TreeError::Damaged { offset },
        }
    }
}
