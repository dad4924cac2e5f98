//! A disk that takes nothing more: writing stops, reading goes on, and all is well when there is
//! room again.

use std::path::PathBuf;
use std::process::Command;

use event_store::{EventLog, Health, Seq, Store, WriteError};
use rlimit::Resource;
use test_support::store::{append, read, texts, write};

use crate::support::{DIRECTORY, child, open};

/// Grows a file until the system refuses, and has the limit lifted. Only does so as a child: the
/// limit is the whole process's.
#[test]
fn full_disk_child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(fill_and_recover(PathBuf::from(directory)));
}

async fn fill_and_recover(directory: PathBuf) {
    let store = open(&directory);
    let mut health = store.health();
    let payload = "x".repeat(10_000);
    write(&store, append("a", 0, &["first"])).await.unwrap();
    limit_files(Some(1 << 20));
    // Whatever is refused for certain is so while the store is failing; what is not certain is
    // answered when there is room again.
    let mut last = 1;
    let unknown = loop {
        let mut batch = store.append(vec![append("a", last, &[&payload])]);
        tokio::select! {
            biased;
            _ = health.wait_for(|health| matches!(health, Health::Failing { .. })) => break batch,
            written = &mut batch => last = written.unwrap().remove(0).unwrap().0,
        }
    };
    assert!(last > 1, "some of it fitted");
    let refused = write(&store, append("b", 0, &["no"])).await;
    assert!(
        matches!(refused, Err(WriteError::Unavailable { .. })),
        "{refused:?}"
    );
    assert_eq!(read(&store, "a").await.last(), Seq(last), "reading goes on");

    limit_files(None);
    let unknown = unknown.await.and_then(|mut outcomes| outcomes.remove(0));
    health.wait_for(Health::is_ready).await.unwrap();
    let found = read(&store, "a").await;
    assert_eq!(
        found.last(),
        unknown.unwrap_or(Seq(last)),
        "the answer is the truth"
    );
    let after = found.last().0;
    assert_eq!(
        write(&store, append("a", after, &["last"])).await,
        Ok(Seq(after + 1))
    );
    assert_eq!(write(&store, append("b", 0, &["yes"])).await, Ok(Seq(1)));
    assert_eq!(store.stats().failures, 1);
    store.close().await;
    let store = open(&directory);
    assert_eq!(texts(&read(&store, "b").await), ["yes"]);
    assert_eq!(store.verify().await.unwrap(), []);
}

/// The largest file that this process may write.
fn limit_files(bytes: Option<u64>) {
    let (_, hard) = Resource::FSIZE.get().unwrap();
    Resource::FSIZE.set(bytes.unwrap_or(hard), hard).unwrap();
}

#[test]
fn a_store_survives_a_disk_that_is_full_for_a_while() {
    let directory = tempfile::tempdir().unwrap();
    let plain = child("full_disk::full_disk_child", directory.path());
    // Without this the signal for files that are too large would end the child.
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args())
        .env(DIRECTORY, directory.path());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}
