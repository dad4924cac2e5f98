//! Joins the page's files for release builds; other builds read them from `web/` as they are.

#![expect(clippy::print_stdout, reason = "Cargo reads it")]

use std::env;
use std::error::Error;
use std::path::Path;

mod page;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-check-cfg=cfg(embedded_page)");
    println!("cargo::rerun-if-changed=build");
    if env::var("PROFILE")? == "release" {
        println!("cargo::rerun-if-changed=web");
        println!("cargo::rustc-cfg=embedded_page");
        page::build(
            Path::new("web"),
            &Path::new(&env::var("OUT_DIR")?).join("page"),
        )?;
    }
    Ok(())
}
