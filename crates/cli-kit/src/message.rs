//! Error messages for people.

use std::error::Error;
use std::io;

/// An error with all its causes on one line: `cannot read x.pdn: No such file or directory`.
pub fn explain(error: &(dyn Error + 'static)) -> String {
    let mut text = words(error);
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&words(cause));
        source = cause.source();
    }
    text
}

fn words(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<io::Error>() {
        Some(error) => io_reason(error),
        None => error.to_string(),
    }
}

/// What the system says, without what libraries add to it: no error number, no temporary file.
pub fn io_reason(error: &io::Error) -> String {
    let code = error.raw_os_error().or_else(|| {
        // Libraries wrap the system's error in one of their own.
        let inner = error.get_ref().and_then(|inner| inner.source())?;
        inner.downcast_ref::<io::Error>()?.raw_os_error()
    });
    let text = match code {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.to_string(),
    };
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_error_is_told_without_its_number() {
        let error = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(io_reason(&error), "No such file or directory");
        assert_eq!(explain(&error), "No such file or directory");
    }
}
