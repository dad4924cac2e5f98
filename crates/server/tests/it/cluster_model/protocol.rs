//! Two nodes, one shard with one stream, and the database, whose standby is synchronous.
//!
//! Every step may come at any time that allows it: a frozen node is one that takes no step for long, a late append
//! one that the database executes long after it was sent. Another node may be declared dead at any time, since a
//! mistake about that must be harmless.

use super::explorer::Model;

/// The places where the protocol could be another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Protocol {
    /// How an append locks the row of its session.
    pub(super) lock: RowLock,
    /// Whether a commit that was cancelled while it waited for the standby counts, though the database warns.
    pub(super) trusts_cancelled_commits: bool,
    /// Whether an append in doubt counts once it can be read, without a commit after it.
    pub(super) trusts_reads: bool,
    /// Whether a shard is released while an append is in doubt.
    pub(super) releases_in_doubt: bool,
}

impl Protocol {
    /// The one that is used.
    pub(super) const USED: Protocol = Protocol {
        lock: RowLock::Share,
        trusts_cancelled_commits: false,
        trusts_reads: false,
        releases_in_doubt: false,
    };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowLock {
    /// Only the condition that the session lives.
    None,
    KeyShare,
    Share,
}

impl RowLock {
    /// CITE: PostgreSQL documentation, Explicit Locking, Row-Level Locks. Declaring dead updates a column that is
    /// not a key.
    fn excludes_update(self) -> bool {
        match self {
            RowLock::None | RowLock::KeyShare => false,
            RowLock::Share => true,
        }
    }
}

/// How many events each node writes at most, and how many faults there are.
const EVENTS: [u8; 2] = [2, 1];
const FAULTS: u8 = 3;

const LENGTH: usize = (EVENTS[0] + EVENTS[1]) as usize;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ModelEvent {
    node: usize,
    number: u8,
}

type Log = [Option<ModelEvent>; LENGTH];

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ProtocolState {
    log: Log,
    /// How many events the standby has.
    replicated: usize,
    standby: Standby,
    owner: Option<usize>,
    dead: [bool; 2],
    /// The node that is being declared dead.
    declared: Option<usize>,
    statements: [Option<Statement>; 2],
    nodes: [ModelNode; 2],
    faults: u8,
    acknowledged: Log,
    defect: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Standby {
    Connected,
    /// Commits wait.
    Lost,
    /// It is the database now, without a standby.
    Promoted,
}

/// An append in the database.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Statement {
    seq: usize,
    event: ModelEvent,
    stage: NodeStage,
    /// Whether its connection is intact.
    is_heard: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum NodeStage {
    Queued,
    /// It has checked the session.
    Begun,
    /// It is committed, but not seen before the standby has it.
    Waiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ModelNode {
    is_running: bool,
    belief: Belief,
    sent: Option<Sent>,
    answer: Option<WriteResult>,
    /// How many of its events are acknowledged.
    written: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Belief {
    NotOwner,
    Claimed,
    /// It owns the shard, and has read its log up to here.
    Owner(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Sent {
    seq: usize,
    is_in_doubt: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum WriteResult {
    Written,
    /// Written, with a warning.
    Cancelled,
    Conflict,
    /// The session is dead.
    Fenced,
}

/// A step, with the node that it concerns.
#[derive(Clone, Copy, Debug)]
pub(super) enum ProtocolStep {
    Send(usize),
    Receive(usize),
    SendAgain(usize),
    Claim(usize),
    Read(usize),
    Release(usize),
    BeginToDeclareDead(usize),
    DeclareDead(usize),
    BeginStatement(usize),
    Commit(usize),
    StandbyReturns,
    // Faults
    Crash(usize),
    LoseConnection(usize),
    EndStatement(usize),
    CancelCommit(usize),
    Restart,
    LoseStandby,
    Promote,
}

impl Model for Protocol {
    type State = ProtocolState;
    type Step = ProtocolStep;

    fn first(&self) -> ProtocolState {
        let node = |belief| ModelNode {
            is_running: true,
            belief,
            sent: None,
            answer: None,
            written: 0,
        };
        ProtocolState {
            log: [None; LENGTH],
            replicated: 0,
            standby: Standby::Connected,
            owner: Some(0),
            dead: [false; 2],
            declared: None,
            statements: [None; 2],
            nodes: [node(Belief::Owner(0)), node(Belief::NotOwner)],
            faults: 0,
            acknowledged: [None; LENGTH],
            defect: None,
        }
    }

    fn steps(&self, state: &ProtocolState) -> Vec<(ProtocolStep, ProtocolState)> {
        let mut steps = vec![ProtocolStep::StandbyReturns];
        for node in 0..2 {
            steps.extend([
                ProtocolStep::Send(node),
                ProtocolStep::Receive(node),
                ProtocolStep::SendAgain(node),
                ProtocolStep::Claim(node),
                ProtocolStep::Read(node),
                ProtocolStep::Release(node),
                ProtocolStep::BeginToDeclareDead(node),
                ProtocolStep::DeclareDead(node),
                ProtocolStep::BeginStatement(node),
                ProtocolStep::Commit(node),
            ]);
        }
        if state.faults < FAULTS {
            steps.extend([
                ProtocolStep::Restart,
                ProtocolStep::LoseStandby,
                ProtocolStep::Promote,
            ]);
            for node in 0..2 {
                steps.extend([
                    ProtocolStep::Crash(node),
                    ProtocolStep::LoseConnection(node),
                    ProtocolStep::EndStatement(node),
                    ProtocolStep::CancelCommit(node),
                ]);
            }
        }
        let next = |step: ProtocolStep| Some((step, self.next(step, state.clone())?));
        steps.into_iter().filter_map(next).collect()
    }

    fn defect(&self, state: &ProtocolState) -> Option<&'static str> {
        let acknowledged = state.acknowledged.iter().zip(&state.log);
        let is_lost = |(acknowledged, event): (&Option<ModelEvent>, &Option<ModelEvent>)| {
            acknowledged.is_some() && acknowledged != event
        };
        let lost = acknowledged.into_iter().any(is_lost);
        state.defect.or(lost.then_some(LOST))
    }
}

pub(super) const LOST: &str = "an acknowledged event is lost";
pub(super) const DOUBLED: &str = "two events with one number are acknowledged";
pub(super) const GROWN: &str = "a log grows after its new owner has read it";

impl Protocol {
    /// The state after a step; `None` if it is not possible.
    fn next(&self, step: ProtocolStep, mut state: ProtocolState) -> Option<ProtocolState> {
        let possible = match step {
            ProtocolStep::Send(node) => state.send(node),
            ProtocolStep::Receive(node) => self.receive(&mut state, node),
            ProtocolStep::SendAgain(node) => state.send_again(node),
            ProtocolStep::Claim(node) => state.claim(node),
            ProtocolStep::Read(node) => state.read(node),
            ProtocolStep::Release(node) => self.release(&mut state, node),
            ProtocolStep::BeginToDeclareDead(node) => self.begin_to_declare_dead(&mut state, node),
            ProtocolStep::DeclareDead(node) => state.declare_dead(node),
            ProtocolStep::BeginStatement(node) => self.begin_statement(&mut state, node),
            ProtocolStep::Commit(node) => self.commit(&mut state, node),
            ProtocolStep::StandbyReturns => state.standby_returns(),
            ProtocolStep::Crash(_)
            | ProtocolStep::LoseConnection(_)
            | ProtocolStep::EndStatement(_)
            | ProtocolStep::CancelCommit(_)
            | ProtocolStep::Restart
            | ProtocolStep::LoseStandby
            | ProtocolStep::Promote => {
                state.faults += 1;
                state.fail(step)
            }
        };
        possible.then_some(state)
    }

    fn receive(&self, state: &mut ProtocolState, place: usize) -> bool {
        let node = &mut state.nodes[place];
        let (Some(answer), Some(sent), true) = (node.answer.take(), node.sent, node.is_running)
        else {
            return false;
        };
        let is_trusted = self.trusts_cancelled_commits;
        match answer {
            WriteResult::Cancelled if !is_trusted => {
                node.sent = Some(Sent {
                    is_in_doubt: true,
                    ..sent
                });
            }
            WriteResult::Written | WriteResult::Cancelled => {
                let number = node.written;
                node.sent = None;
                node.written += 1;
                if let Belief::Owner(_) = node.belief {
                    node.belief = Belief::Owner(sent.seq + 1);
                }
                let event = ModelEvent {
                    node: place,
                    number,
                };
                if state.acknowledged[sent.seq].is_some_and(|earlier| earlier != event) {
                    state.defect = Some(DOUBLED);
                }
                state.acknowledged[sent.seq] = Some(event);
            }
            WriteResult::Conflict => {
                node.sent = None;
                node.belief = Belief::NotOwner;
            }
            WriteResult::Fenced => {
                node.sent = None;
                node.is_running = false;
            }
        }
        true
    }

    fn release(&self, state: &mut ProtocolState, place: usize) -> bool {
        let node = &mut state.nodes[place];
        let is_owner = matches!(node.belief, Belief::Owner(_)) && state.owner == Some(place);
        let is_idle = node.sent.is_none() || self.releases_in_doubt;
        if !node.is_running || !is_owner || !is_idle || state.standby == Standby::Lost {
            return false;
        }
        node.belief = Belief::NotOwner;
        state.owner = None;
        true
    }

    fn begin_to_declare_dead(&self, state: &mut ProtocolState, node: usize) -> bool {
        let is_locked = state.statements[node].is_some_and(|statement| {
            statement.stage != NodeStage::Queued && self.lock.excludes_update()
        });
        let other = 1 - node;
        let may_declare = state.nodes[other].is_running && !state.dead[other];
        if is_locked || !may_declare || state.dead[node] || state.declared.is_some() {
            return false;
        }
        state.declared = Some(node);
        true
    }

    fn begin_statement(&self, state: &mut ProtocolState, node: usize) -> bool {
        let Some(statement) = &mut state.statements[node] else {
            return false;
        };
        let waits = state.declared == Some(node) && self.lock.excludes_update();
        if statement.stage != NodeStage::Queued || waits {
            return false;
        }
        if state.dead[node] {
            state.answer(node, WriteResult::Fenced);
        } else {
            statement.stage = NodeStage::Begun;
        }
        true
    }

    fn commit(&self, state: &mut ProtocolState, node: usize) -> bool {
        let Some(Statement {
            seq,
            event,
            stage: NodeStage::Begun,
            ..
        }) = state.statements[node]
        else {
            return false;
        };
        let is_replicated = state.standby != Standby::Lost;
        match state.log[seq] {
            // An append in doubt was written, which the commit of another row confirms.
            Some(found) if found == event => {
                if !is_replicated && !self.trusts_reads {
                    return false;
                }
                state.answer(node, WriteResult::Written);
            }
            Some(_) => state.answer(node, WriteResult::Conflict),
            None if seq > state.length() => state.answer(node, WriteResult::Conflict),
            None if is_replicated => {
                state.add(seq, event);
                state.answer(node, WriteResult::Written);
            }
            None => {
                // The key of another append that waits is not free.
                let other = state.statements[1 - node];
                if other.is_some_and(|other| other.stage == NodeStage::Waiting) {
                    return false;
                }
                if let Some(statement) = &mut state.statements[node] {
                    statement.stage = NodeStage::Waiting;
                }
            }
        }
        true
    }
}

impl ProtocolState {
    fn length(&self) -> usize {
        self.log.iter().flatten().count()
    }

    fn send(&mut self, place: usize) -> bool {
        let node = &mut self.nodes[place];
        let (true, None, Belief::Owner(seq)) = (node.is_running, node.sent, node.belief) else {
            return false;
        };
        if node.written == EVENTS[place] || self.statements[place].is_some() {
            return false;
        }
        self.queue(place, seq);
        true
    }

    /// Connects again, which ends the statement of the lost connection, and sends the same append.
    fn send_again(&mut self, place: usize) -> bool {
        let node = self.nodes[place];
        let Some(Sent {
            seq,
            is_in_doubt: true,
        }) = node.sent
        else {
            return false;
        };
        if !node.is_running {
            return false;
        }
        self.end_statement(place);
        self.queue(place, seq);
        true
    }

    fn queue(&mut self, place: usize, seq: usize) {
        let node = &mut self.nodes[place];
        node.sent = Some(Sent {
            seq,
            is_in_doubt: false,
        });
        self.statements[place] = Some(Statement {
            seq,
            event: ModelEvent {
                node: place,
                number: node.written,
            },
            stage: NodeStage::Queued,
            is_heard: true,
        });
    }

    fn claim(&mut self, place: usize) -> bool {
        let node = &mut self.nodes[place];
        let is_free = self.owner.is_none_or(|owner| self.dead[owner]);
        let can_commit = self.standby != Standby::Lost;
        if !is_free || !can_commit || !node.is_running || self.dead[place] {
            return false;
        }
        node.belief = Belief::Claimed;
        self.owner = Some(place);
        true
    }

    fn read(&mut self, place: usize) -> bool {
        let end = self.length();
        let node = &mut self.nodes[place];
        if !node.is_running || node.belief != Belief::Claimed {
            return false;
        }
        node.belief = Belief::Owner(end);
        true
    }

    fn declare_dead(&mut self, node: usize) -> bool {
        if self.declared != Some(node) || self.standby == Standby::Lost {
            return false;
        }
        self.declared = None;
        self.dead[node] = true;
        true
    }

    /// Adds an event that can be seen.
    fn add(&mut self, seq: usize, event: ModelEvent) {
        self.log[seq] = Some(event);
        if self.standby != Standby::Lost {
            self.replicated = self.length();
        }
        let reader = 1 - event.node;
        let has_read = matches!(self.nodes[reader].belief, Belief::Owner(_));
        if self.owner == Some(reader) && has_read {
            self.defect = Some(GROWN);
        }
    }

    /// Ends a statement with an answer.
    fn answer(&mut self, node: usize, answer: WriteResult) {
        let statement = self.statements[node].take();
        if statement.is_some_and(|statement| statement.is_heard) {
            self.nodes[node].answer = Some(answer);
        }
    }

    /// Ends the process of a statement: it is rolled back, or no longer waits for the standby.
    fn end_statement(&mut self, node: usize) {
        if let Some(statement) = self.statements[node].take()
            && statement.stage == NodeStage::Waiting
        {
            self.add(statement.seq, statement.event);
        }
    }

    fn lose_connection(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        node.answer = None;
        if let Some(sent) = &mut node.sent {
            sent.is_in_doubt = true;
        }
        if let Some(statement) = &mut self.statements[place] {
            statement.is_heard = false;
        }
    }

    fn standby_returns(&mut self) -> bool {
        if self.standby != Standby::Lost {
            return false;
        }
        self.standby = Standby::Connected;
        self.replicated = self.length();
        for node in 0..2 {
            if let Some(Statement {
                seq,
                event,
                stage: NodeStage::Waiting,
                ..
            }) = self.statements[node]
            {
                self.add(seq, event);
                self.answer(node, WriteResult::Written);
            }
        }
        true
    }

    fn fail(&mut self, fault: ProtocolStep) -> bool {
        match fault {
            ProtocolStep::Crash(node) if self.nodes[node].is_running => {
                self.lose_connection(node);
                self.nodes[node].is_running = false;
            }
            ProtocolStep::LoseConnection(node) => {
                let sent = self.nodes[node].sent;
                if sent.is_none_or(|sent| sent.is_in_doubt) {
                    return false;
                }
                self.lose_connection(node);
            }
            ProtocolStep::EndStatement(node) if self.statements[node].is_some() => {
                self.end_statement(node);
                self.lose_connection(node);
            }
            ProtocolStep::CancelCommit(node) => {
                let waiting = |statement: &Statement| statement.stage == NodeStage::Waiting;
                let Some(Statement { seq, event, .. }) = self.statements[node].filter(waiting)
                else {
                    return false;
                };
                self.add(seq, event);
                self.answer(node, WriteResult::Cancelled);
            }
            ProtocolStep::Restart => self.restart(),
            ProtocolStep::LoseStandby if self.standby == Standby::Connected => {
                self.standby = Standby::Lost;
            }
            ProtocolStep::Promote if self.standby == Standby::Lost => {
                self.restart();
                self.standby = Standby::Promoted;
                self.log[self.replicated..].fill(None);
            }
            _ => return false,
        }
        true
    }

    fn restart(&mut self) {
        self.declared = None;
        for node in 0..2 {
            self.end_statement(node);
            self.lose_connection(node);
        }
    }
}
