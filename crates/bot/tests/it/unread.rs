//! A bot whose stdout nobody reads.

use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::rc::Rc;

use checkers_bot::report::{Report, ReportFormat, ReportOutput};
use tokio::time::timeout;

use test_support::PATIENCE;

use crate::process;
use crate::script::Script;

/// Both ends of a stream that takes no more from its second one.
fn full_stream() -> (UnixStream, UnixStream) {
    let (reader, mut writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    while writer.write(&[b' '; 1024]).is_ok() {}
    while writer.write(b" ").is_ok() {}
    writer.set_nonblocking(false).unwrap();
    (reader, writer)
}

#[tokio::test]
async fn an_unread_stdout_does_not_stop_the_bot() {
    let script = Script::listen().await;
    let (mut reader, writer) = full_stream();
    let mut bot = process::command()
        .args(["--server", &script.url()])
        .args(["--name", "b1", "--bot", "random", "--json"])
        .stdout(Stdio::from(OwnedFd::from(writer)))
        .spawn()
        .unwrap();
    let mut peer = script.accept().await;
    peer.let_in().await;
    let color = peer.give_seat().await;
    peer.play(5, color).await;
    peer.see_off().await;
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        text
    });
    let text = timeout(PATIENCE, reading).await.unwrap().unwrap();
    let ended = timeout(PATIENCE, bot.wait()).await.unwrap().unwrap();
    assert!(ended.success(), "{ended}");
    assert!(text.trim_start().starts_with(r#"{"type":"started""#));
    assert!(text.ends_with("}\n"), "{text}");
}

/// A writer that has room for so many lines for now.
struct Slow<'a> {
    room: Rc<Cell<usize>>,
    taken: &'a mut Vec<u8>,
}

impl Write for Slow<'_> {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let room = self.room.get().checked_sub(1);
        self.room.set(room.ok_or(ErrorKind::WouldBlock)?);
        self.taken.write(line)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn missed_reports_are_counted_and_reported() {
    let failed = |code| Report::Failed {
        code,
        message: String::new(),
    };
    let line = |code| format!("{{\"type\":\"failed\",\"code\":{code},\"message\":\"\"}}\n");
    let missed = |reports| format!("{{\"type\":\"missed\",\"reports\":{reports}}}\n");
    let (room, mut taken) = (Rc::new(Cell::new(0)), Vec::new());
    let slow = Slow {
        room: Rc::clone(&room),
        taken: &mut taken,
    };
    // Room for one line before every third report, then for all.
    let mut output = ReportOutput::new(slow, ReportFormat::Json);
    for code in 0..6 {
        room.set(usize::from(code % 3 == 0));
        output.write(&failed(code)).unwrap();
    }
    room.set(usize::MAX);
    output.write(&failed(6)).unwrap();
    output.write(&failed(7)).unwrap();
    let told = [line(0), missed(2), missed(3), line(6), line(7)];
    assert_eq!(String::from_utf8(taken).unwrap(), told.concat());
}
