//! Cards with which the owners of new accounts sign in.

use std::fmt::Write;

use qrcode::QrCode;
use qrcode::render::svg;
use qrcode::types::QrError;

use super::NewLink;
use crate::http::escaped;

/// What a browser shows and prints.
const HEAD: &str = "<!doctype html>
<meta charset=\"utf-8\">
<title>Cards</title>
<style>
body { margin: 1cm; font: 11pt sans-serif; display: grid; grid-template-columns: 1fr 1fr; gap: 0.5cm; }
section { border: 1px dashed #888; padding: 0.4cm; text-align: center; break-inside: avoid; overflow-wrap: anywhere; }
h1 { font-size: 15pt; margin: 0; }
svg { width: 4.5cm; height: 4.5cm; }
code { font-size: 8pt; }
</style>
";

/// A page of cards, each with a name, a QR code and the address that it contains.
pub(super) fn html(page: &str, links: &[NewLink]) -> Result<String, QrError> {
    let mut text = HEAD.to_owned();
    for NewLink { name, code } in links {
        let address = address(page, code);
        let qr = QrCode::new(&address)?;
        let drawn = qr.render::<svg::Color<'_>>().build();
        // Without the declaration of an XML file, which has no place within a page.
        let drawn = drawn.find("<svg").map_or("", |at| &drawn[at..]);
        let (name, address) = (escaped(name), escaped(&address));
        // A string takes everything.
        let _ = writeln!(
            text,
            "<section><h1>{name}</h1>{drawn}<br><code>{address}</code></section>"
        );
    }
    Ok(text)
}

/// The address at which a code signs in, on a server with this address.
fn address(page: &str, code: &str) -> String {
    format!("{}/sign-in#{code}", page.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_the_name_and_the_address() {
        let link = NewLink {
            name: "Anna <3".into(),
            code: "abc".into(),
        };
        let text = html("http://club.example/", &[link]).unwrap();
        assert!(text.contains("<h1>Anna &lt;3</h1><svg"), "{text}");
        assert!(text.contains("<code>http://club.example/sign-in#abc</code>"));
        let long = NewLink {
            name: "a".into(),
            code: "x".repeat(5000),
        };
        assert_eq!(html("", &[long]), Err(QrError::DataTooLong));
    }
}
