//! The page: its logic, without a browser, and how it is served.

mod built;
mod contrast;
mod files;
mod scripts;

use std::path::{Path, PathBuf};

/// What a module means by the name of another, which is told from the module's own place.
fn named_by(module: &Path, name: &str) -> PathBuf {
    let mut path = module.to_path_buf();
    path.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}
