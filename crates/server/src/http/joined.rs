//! Files of the page as they are sent: without what only people read, and those that are loaded together
//! as one.
//!
//! Sixty modules would be asked for one after the other, and compressed each for itself. So a module
//! comes with all that it imports: [`MAIN`] with what it takes to play, and one that is loaded later
//! with what [`MAIN`] has not. What a module names at its top level, no other beside it may name; a
//! test says which do. A style sheet comes with those that it imports.

use std::collections::BTreeSet;

/// The module that the page begins with.
pub(super) const MAIN: &str = "js/main.js";

/// Where files of the page are found by a browser.
pub(super) const ASSETS: &str = "/assets/";

/// The text of a file by its path.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A script as it is sent.
pub(super) fn script(path: &str, read: Read<'_>) -> Option<String> {
    let mut main = Joined::new(read, BTreeSet::new());
    main.add(MAIN);
    if path == MAIN {
        return Some(main.text);
    }
    if main.seen.contains(path) {
        return Some(without_comments(&read(path)?));
    }
    let mut later = Joined::new(read, main.seen);
    later.add(path);
    Some(later.finish())
}

/// A style sheet as it is sent.
pub(super) fn style_sheet(path: &str, read: Read<'_>) -> Option<String> {
    let mut text = String::new();
    for line in without_comments(&read(path)?).lines() {
        let imported = line.strip_prefix("@import \"");
        match imported.and_then(|rest| rest.strip_suffix("\";")) {
            Some(name) => text.push_str(&without_comments(&read(&named_by(path, name))?)),
            None => push_line(&mut text, line),
        }
    }
    Some(text)
}

/// Modules one after the other, each after those that it imports.
struct Joined<'a> {
    read: Read<'a>,
    /// Those that [`MAIN`] has.
    elsewhere: BTreeSet<String>,
    seen: BTreeSet<String>,
    /// What is imported from [`MAIN`].
    borrowed: BTreeSet<String>,
    text: String,
}

impl<'a> Joined<'a> {
    fn new(read: Read<'a>, elsewhere: BTreeSet<String>) -> Joined<'a> {
        Joined {
            read,
            elsewhere,
            seen: BTreeSet::new(),
            borrowed: BTreeSet::new(),
            text: String::new(),
        }
    }

    /// Adds a module, unless it is there already.
    fn add(&mut self, path: &str) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let Some(source) = (self.read)(path) else {
            return;
        };
        let source = without_comments(&source);
        let mut body = String::new();
        let mut rest = source.as_str();
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            if !line.starts_with("import ") {
                push_line(&mut body, &with_absolute_names(path, line));
            } else if let Some((more, after)) = statement(line, after) {
                rest = after;
                self.follow(path, &format!("{line}{more}"));
            }
        }
        self.text.push_str(&body);
    }

    /// Has what a module imports come before it.
    fn follow(&mut self, path: &str, import: &str) {
        let Some((names, from)) = import.split_once(" from '") else {
            return;
        };
        let target = named_by(path, from.split('\'').next().unwrap_or_default());
        if !self.elsewhere.contains(&target) {
            self.add(&target);
            return;
        }
        let names = names.trim_start_matches("import").split(['{', '}', ',']);
        let names = names.map(str::trim).filter(|name| !name.is_empty());
        self.borrowed.extend(names.map(str::to_owned));
    }

    fn finish(self) -> String {
        if self.borrowed.is_empty() {
            return self.text;
        }
        let names: Vec<String> = self.borrowed.into_iter().collect();
        let names = names.join(", ");
        format!("import {{ {names} }} from '{ASSETS}{MAIN}';\n{}", self.text)
    }
}

/// The rest of a statement that begins with this line, and what comes after it.
fn statement<'a>(line: &str, after: &'a str) -> Option<(&'a str, &'a str)> {
    if line.ends_with(';') {
        return Some(("", after));
    }
    after.split_once(";\n")
}

/// The line with the modules that it loads later named from the root, for it stands in another file.
fn with_absolute_names(path: &str, line: &str) -> String {
    const LOADING: &str = "import('";
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(LOADING) {
        kept.push_str(before);
        kept.push_str(LOADING);
        let (name, after) = after.split_once('\'').unwrap_or((after, ""));
        kept.push_str(ASSETS);
        kept.push_str(&named_by(path, name));
        kept.push('\'');
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// What a file means by the name of another, which is told from its own place.
fn named_by(path: &str, name: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A script or style sheet without its indentation and comments: a browser reads a quarter less.
/// Of comments beside code those that begin with `/**` are left out. Scripts have no text that goes
/// over several lines, and none that holds a comment.
fn without_comments(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let begins = !in_comment && line.starts_with("/*");
        let is_code_after = begins && line.contains("*/") && !line.ends_with("*/");
        in_comment = (in_comment || begins) && !is_code_after;
        let is_comment = in_comment || line.starts_with("//");
        if in_comment && line.ends_with("*/") {
            in_comment = false;
        }
        if !is_comment && !line.is_empty() {
            push_code(&mut kept, line);
        }
    }
    kept
}

/// The line without its comments for the type checker.
fn push_code(kept: &mut String, line: &str) {
    let mut rest = line;
    while let Some((code, after)) = rest.split_once("/**") {
        let Some((_, after)) = after.split_once("*/") else {
            break;
        };
        kept.push_str(code);
        rest = after.trim_start();
    }
    push_line(kept, rest);
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of a few modules.
    fn read(path: &str) -> Option<String> {
        let text = match path {
            MAIN => {
                "/** Begins. */\nimport { a } from './core/a.js';\nimport { b } from './core/b.js';\n\
                 export const late = () => import('./views/late.js');\na(b);\n"
            }
            "js/core/a.js" => "import {\n  b,\n} from './b.js';\nexport const a = () => b;\n",
            "js/core/b.js" => "export const b = 1;\n",
            "js/views/late.js" => {
                "import { b } from '../core/b.js';\nimport { c } from './c.js';\nexport const d = b + c;\n"
            }
            "js/views/c.js" => "import { a, b } from '../core/a.js';\nexport const c = a() + b;\n",
            "css/page.css" => "/* All. */\n@import \"one.css\";\np { top: 0; }\n",
            "css/one.css" => "a {\n  left: 0;\n}\n",
            _ => return None,
        };
        Some(text.to_owned())
    }

    #[test]
    fn a_module_comes_with_all_that_it_imports_once_and_in_order() {
        let main = script(MAIN, &read).unwrap();
        let wanted = "export const b = 1;\nexport const a = () => b;\n\
             export const late = () => import('/assets/js/views/late.js');\na(b);\n";
        assert_eq!(main, wanted);
    }

    #[test]
    fn what_is_loaded_later_brings_only_what_is_not_there() {
        let late = script("js/views/late.js", &read).unwrap();
        let wanted = "import { a, b } from '/assets/js/main.js';\nexport const c = a() + b;\n\
             export const d = b + c;\n";
        assert_eq!(late, wanted);
        let alone = script("js/core/b.js", &read).unwrap();
        assert_eq!(alone, "export const b = 1;\n");
        assert_eq!(script("js/nothing.js", &read).unwrap_or_default(), "");
    }

    #[test]
    fn style_sheets_are_put_in_where_they_are_imported() {
        let sheet = style_sheet("css/page.css", &read).unwrap();
        assert_eq!(sheet, "a {\nleft: 0;\n}\np { top: 0; }\n");
        assert_eq!(style_sheet("css/nothing.css", &read), None);
    }

    #[test]
    fn comments_are_left_out() {
        let source = "/** One line. */\nconst a = 1;\n\n/**\n * Several.\n * @type {x}\n */\n\
            // Why.\n  const b = /** @type {y} */ (a);\n/** @type {z} */ (b).c();\n/* d */ e();\n\
            f(/** @type {p} */ q, /** @type {r} */ s);\n";
        let left = "const a = 1;\nconst b = (a);\n(b).c();\n/* d */ e();\nf(q, s);\n";
        assert_eq!(without_comments(source), left);
    }
}
