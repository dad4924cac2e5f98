//! The page's document: what browsers, search engines and previews of links read before any script
//! runs.

use std::fmt::Write;

/// The name of the site, with which every title ends.
const SITE: &str = "Russian draughts";

/// What a page says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// What tells the page from the others; empty for the front page.
    pub(super) title: String,
    pub(super) description: String,
}

impl Head {
    pub(super) fn new(title: impl Into<String>, description: impl Into<String>) -> Head {
        Head {
            title: title.into(),
            description: description.into(),
        }
    }

    /// The front page's.
    pub(super) fn front() -> Head {
        Head::new("", "Play, watch and analyse Russian draughts.")
    }

    /// Of an address with nothing behind it.
    pub(super) fn not_found() -> Head {
        Head::new("Not found", "There is nothing at this address.")
    }

    fn full_title(&self) -> String {
        match &*self.title {
            "" => SITE.to_owned(),
            title => format!("{title} – {SITE}"),
        }
    }

    /// The elements of the head. The picture needs the address of the site, which may be unknown.
    fn elements(&self, origin: Option<&str>) -> String {
        let title = escaped(&self.full_title());
        let description = escaped(&self.description);
        let mut elements = format!(
            "<title>{title}</title>\n  \
             <meta name=\"description\" content=\"{description}\">\n  \
             <meta property=\"og:title\" content=\"{title}\">\n  \
             <meta property=\"og:description\" content=\"{description}\">\n  \
             <meta property=\"og:site_name\" content=\"{SITE}\">\n  \
             <meta property=\"og:type\" content=\"website\">"
        );
        if let Some(origin) = origin {
            let _ = write!(
                elements,
                "\n  <meta property=\"og:image\" content=\"{origin}/assets/icon-512.png\">"
            );
        }
        elements
    }
}

/// What is shown at an address with nothing behind it until scripts run, and where none do.
const NOTHING_HERE: &str = "<main id=\"main\" class=\"message\">\
    <h1>There is nothing at this address. · По этому адресу ничего нет.</h1>\
    <p><a href=\"/\">Lobby</a> · <a href=\"/games\">Games</a> · <a href=\"/tv\">Watch</a> · \
    <a href=\"/analysis\">Analysis</a> · <a href=\"/help\">Rules</a></p></main>";

/// The document from what lies in `web/index.html`.
pub(super) fn document(page: &str, head: &Head, origin: Option<&str>, is_there: bool) -> String {
    let page = page.replacen("<title>Russian draughts</title>", &head.elements(origin), 1);
    if is_there {
        return page;
    }
    let content = format!("</header>{NOTHING_HERE}");
    page.replacen("</header>", &content, 1)
}

/// A text as a document has it, within quotes too.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../web/index.html");

    #[test]
    fn names_are_text_and_nothing_else() {
        let head = Head::new("<b> & \"x\"", "");
        let document = document(PAGE, &head, Some("https://club.example"), true);
        let title = "<title>&lt;b&gt; &amp; &quot;x&quot; – Russian draughts</title>";
        assert!(document.contains(title), "{document}");
        assert!(document.contains("content=\"https://club.example/assets/icon-512.png\""));
        assert!(!document.contains("<b>"));
    }

    #[test]
    fn a_page_that_is_not_there_has_links() {
        let found = document(PAGE, &Head::front(), None, true);
        assert!(found.contains("<title>Russian draughts</title>"));
        assert!(!found.contains("og:image") && !found.contains("<main"));
        let missing = document(PAGE, &Head::not_found(), None, false);
        assert!(missing.contains("<title>Not found – Russian draughts</title>"));
        assert!(missing.contains("<a href=\"/games\">"), "{missing}");
    }
}
