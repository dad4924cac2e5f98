//! The functions that a page calls, and the one that it provides.
//!
//! Texts are UTF-8 in linear memory. The page writes a question to [`input`], calls [`ask`], and reads the
//! answer at [`output`].

#![expect(
    unsafe_code,
    reason = "functions that the host calls, and one that it provides"
)]

use std::cell::RefCell;

use crate::Session;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes the result of a search so far, `length` bytes of text. The page has to copy it.
    fn report(text: *const u8, length: usize);
}

#[derive(Default)]
struct Page {
    session: Session,
    input: Vec<u8>,
    output: String,
    tables: Vec<Vec<u8>>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Allocates `length` bytes for a question or for tables.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input = vec![0; length];
        page.input.as_mut_ptr()
    })
}

/// Answers the question in the input; returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    PAGE.with_borrow_mut(|page| {
        let added = match std::mem::take(&mut page.tables) {
            none if none.is_empty() => Ok(()),
            tables => Session::add_tables(tables),
        };
        let question = String::from_utf8_lossy(&page.input);
        let answer = added.and_then(|()| {
            page.session.answer(&question, &mut |text| {
                // SAFETY: the text is there until the call returns, and the page copies it.
                unsafe { report(text.as_ptr(), text.len()) }
            })
        });
        page.output = answer.unwrap_or_else(|mistake| mistake);
        page.output.len()
    })
}

/// Where the answer begins.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    PAGE.with_borrow(|page| page.output.as_ptr())
}

/// Keeps the input as a file of tables, for the first question.
#[unsafe(no_mangle)]
extern "C" fn add_tables() {
    PAGE.with_borrow_mut(|page| {
        let file = std::mem::take(&mut page.input);
        page.tables.push(file);
    });
}
