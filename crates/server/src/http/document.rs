//! The HTML document of a page, with the metadata for search engines and link previews.

use std::fmt::Write;

/// The name of the site, the end of every title.
const SITE: &str = "Russian draughts";

/// Title and description of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// The title without the name of the site; empty for the front page.
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

    pub(super) fn front() -> Head {
        Head::new("", "Play, watch and analyse Russian draughts.")
    }

    pub(super) fn not_found() -> Head {
        Head::new("Not found", "There is nothing at this address.")
    }

    fn full_title(&self) -> String {
        match &*self.title {
            "" => SITE.to_owned(),
            title => format!("{title} – {SITE}"),
        }
    }

    /// The elements of the HTML head. The picture needs `origin`, the absolute address of the site.
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

/// The content of the page for an unknown address, for browsers without scripts too.
const NOTHING_HERE: &str = "<main id=\"main\" class=\"message\">\
    <h1>There is nothing at this address. · По этому адресу ничего нет.</h1>\
    <p><a href=\"/\">Lobby</a> · <a href=\"/games\">Games</a> · <a href=\"/tv\">Watch</a> · \
    <a href=\"/analysis\">Analysis</a> · <a href=\"/help\">Rules</a></p></main>";

/// Fills `page`, the text of `web/index.html`; without `is_found`, with the content for an unknown
/// address.
pub(super) fn document(page: &str, head: &Head, origin: Option<&str>, is_found: bool) -> String {
    let page = page.replacen("<title>Russian draughts</title>", &head.elements(origin), 1);
    if is_found {
        return page;
    }
    let content = format!("</header>{NOTHING_HERE}");
    page.replacen("</header>", &content, 1)
}

/// Escapes a text for HTML, quoted attributes included.
pub(crate) fn escaped(text: &str) -> String {
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
    fn html_in_names_is_escaped() {
        let head = Head::new("<b> & \"x\"", "");
        let document = document(PAGE, &head, Some("https://club.example"), true);
        let title = "<title>&lt;b&gt; &amp; &quot;x&quot; – Russian draughts</title>";
        assert!(document.contains(title), "{document}");
        assert!(document.contains("content=\"https://club.example/assets/icon-512.png\""));
        assert!(!document.contains("<b>"));
    }

    #[test]
    fn the_page_for_an_unknown_address_has_links() {
        let found = document(PAGE, &Head::front(), None, true);
        assert!(found.contains("<title>Russian draughts</title>"));
        assert!(!found.contains("og:image") && !found.contains("<main"));
        let missing = document(PAGE, &Head::not_found(), None, false);
        assert!(missing.contains("<title>Not found – Russian draughts</title>"));
        assert!(missing.contains("<a href=\"/games\">"), "{missing}");
    }
}
