//! The functions that a page calls, and the one that it provides.
//!
//! Texts are UTF-8 in linear memory. The page writes a question to [`input`], calls [`ask`], and reads the
//! answer at [`output`].

#![expect(
    unsafe_code,
    reason = "functions that the host calls, and one that it provides"
)]

use std::cell::RefCell;

use crate::{EngineReply, Session};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes the result of a search so far, `length` bytes of text. The page has to copy it.
    fn report(text: *const u8, length: usize);
}

#[derive(Default)]
struct Page {
    session: Session,
    input: Vec<u8>,
    /// Attached to the next question.
    files: Vec<Vec<u8>>,
    output: EngineReply,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Allocates `length` bytes for a question or for a file.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input = vec![0; length];
        page.input.as_mut_ptr()
    })
}

/// Attaches the input, a file, to the next question.
#[unsafe(no_mangle)]
extern "C" fn attach() {
    PAGE.with_borrow_mut(|page| {
        let file = std::mem::take(&mut page.input);
        page.files.push(file);
    });
}

/// Answers the question in the input; returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    PAGE.with_borrow_mut(|page| {
        let question = String::from_utf8_lossy(&page.input);
        let files = std::mem::take(&mut page.files);
        let answer = page.session.answer(&question, files, &mut |text| {
            // SAFETY: the text is there until the call returns, and the page copies it.
            unsafe { report(text.as_ptr(), text.len()) }
        });
        page.output = answer.unwrap_or_else(|mistake| EngineReply {
            text: mistake,
            file: Vec::new(),
        });
        page.output.text.len()
    })
}

/// Where the answer begins.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    PAGE.with_borrow(|page| page.output.text.as_ptr())
}

/// The length of the file that is attached to the answer.
#[unsafe(no_mangle)]
extern "C" fn attached() -> usize {
    PAGE.with_borrow(|page| page.output.file.len())
}

/// Where that file begins.
#[unsafe(no_mangle)]
extern "C" fn attachment() -> *const u8 {
    PAGE.with_borrow(|page| page.output.file.as_ptr())
}
