//! Explores all states of a small model, those with the fewest steps first.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use foldhash::fast::RandomState;

/// Something that takes steps.
pub(super) trait Model {
    type State: Clone + Eq + Hash + Debug;
    type Step: Copy + Debug;

    fn first(&self) -> Self::State;

    /// All steps that are possible in a state, each with the next state.
    fn steps(&self, state: &Self::State) -> Vec<(Self::Step, Self::State)>;

    /// What a state has that none may have.
    fn defect(&self, state: &Self::State) -> Option<&'static str>;
}

/// What was found.
#[derive(Debug)]
pub(super) struct ExplorationResult<Step> {
    /// How many states were seen.
    pub(super) states: usize,
    /// A defect, with the steps of a shortest way to it.
    pub(super) defect: Option<(&'static str, Vec<Step>)>,
}

/// Explores until there is a defect, or nothing more.
pub(super) fn explore<M: Model>(model: &M) -> ExplorationResult<M::Step> {
    let first = model.first();
    let mut seen = HashMap::<M::State, usize, RandomState>::default();
    seen.insert(first.clone(), 0);
    // Each state with the place of the one before, and the step from there.
    let mut states = vec![(first, None)];
    let mut next = 0;
    while next < states.len() {
        let state = states[next].0.clone();
        if let Some(defect) = model.defect(&state) {
            let mut steps = Vec::new();
            let mut place = next;
            while let Some((before, step)) = states[place].1 {
                steps.push(step);
                place = before;
            }
            steps.reverse();
            return ExplorationResult {
                states: states.len(),
                defect: Some((defect, steps)),
            };
        }
        for (step, state) in model.steps(&state) {
            if !seen.contains_key(&state) {
                seen.insert(state.clone(), states.len());
                states.push((state, Some((next, step))));
            }
        }
        next += 1;
    }
    ExplorationResult {
        states: states.len(),
        defect: None,
    }
}
