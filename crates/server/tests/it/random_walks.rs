//! Random walks of the table and its fuzzing model.

#[path = "../../fuzz/fuzz_targets/model.rs"]
mod model;

use model::{FuzzAction, Model, Step};
use proptest::prelude::*;

fn action() -> impl Strategy<Value = FuzzAction> {
    prop_oneof![
        Just(FuzzAction::Draw),
        Just(FuzzAction::Takeback),
        Just(FuzzAction::Rematch)
    ]
}

/// Mostly moves of two clients, so that games are played.
fn step() -> impl Strategy<Value = Step> {
    let client = 0..4_u8;
    prop_oneof![
        4 => client.clone().prop_map(Step::Enter),
        1 => client.clone().prop_map(Step::Disconnect),
        1 => client.clone().prop_map(Step::Exit),
        6 => (client.clone(), any::<bool>()).prop_map(|(client, is_white)| Step::TakeSeat(client, is_white)),
        1 => client.clone().prop_map(Step::LeaveSeat),
        40 => (client.clone(), any::<u8>()).prop_map(|(client, choice)| Step::Move(client, choice)),
        1 => client.clone().prop_map(Step::Resign),
        1 => client.clone().prop_map(Step::Abort),
        4 => (client.clone(), action()).prop_map(|(client, action)| Step::Offer(client, action)),
        3 => (client.clone(), action()).prop_map(|(client, action)| Step::Accept(client, action)),
        2 => (client.clone(), action()).prop_map(|(client, action)| Step::Decline(client, action)),
        1 => client.prop_map(Step::Sync),
        1 => any::<u16>().prop_map(Step::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_table_agrees_with_the_model(steps in prop::collection::vec(step(), 1..400)) {
        let mut model = Model::new();
        for step in steps {
            model.take(step);
        }
    }
}
