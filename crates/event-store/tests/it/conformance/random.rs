//! Random appends have the same outcomes in every store as in the one in memory.

use test_support::store::{compare, random_batches};

use super::{Backend, Memory};

async fn random_appends_have_the_outcomes_of_the_store_in_memory(backend: &dyn Backend) {
    let model = Memory::new();
    let batches = random_batches(&model).await;
    let store = backend.open();
    for (batch, expected) in batches {
        assert_eq!(store.append(batch.clone()).await, expected, "{batch:?}");
    }
    compare(&model, &*store).await;
    store.close().await;
    compare(&model, &*backend.open()).await;
}

super::tests! {
    random_appends_have_the_outcomes_of_the_store_in_memory
}
