//! Origins of web pages, and the check of the header `Origin`.

use std::str::FromStr;

use hyper::Uri;

/// Origins of web pages: `https://club.example,http://localhost:8080`. It may be empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Origins(Vec<Origin>);

/// A text that is not an origin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected an origin like https://club.example or http://localhost:8080, not {0:?}")]
pub struct BadOrigin(String);

/// Scheme, host and port; the port may be the default of the scheme.
///
/// CITE: RFC 6454, section 4.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origins {
    /// Whether a page of `origin` may connect to the server, which it addresses as `host`: a page of the
    /// server itself, or of an origin in the list.
    pub fn allow(&self, origin: &str, host: Option<&str>) -> bool {
        let Ok(origin) = origin.parse::<Origin>() else {
            return false;
        };
        let own = host.and_then(|host| format!("{}://{host}", origin.scheme).parse().ok());
        own.as_ref() == Some(&origin) || self.0.contains(&origin)
    }
}

impl FromStr for Origins {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Origins, BadOrigin> {
        let items = text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        items.map(str::parse).collect::<Result<_, _>>().map(Origins)
    }
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Origin, BadOrigin> {
        parse_origin(text).ok_or_else(|| BadOrigin(text.to_owned()))
    }
}

fn parse_origin(text: &str) -> Option<Origin> {
    let uri: Uri = text.parse().ok()?;
    let scheme = uri.scheme_str()?.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let is_bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    let has_user = uri.authority()?.as_str().contains('@');
    (is_bare && !has_user && !text.ends_with('/')).then_some(Origin {
        scheme,
        host: uri.host()?.to_ascii_lowercase(),
        port: uri.port_u16().unwrap_or(default_port),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_and_listed_origins_are_allowed() {
        let origins: Origins = "https://club.example, http://localhost:8080"
            .parse()
            .unwrap();
        for (origin, host, allowed) in [
            ("http://place.example", Some("place.example"), true),
            ("http://place.example:80", Some("PLACE.example"), true),
            ("https://place.example", Some("place.example:443"), true),
            (
                "http://place.example:43210",
                Some("place.example:43210"),
                true,
            ),
            ("http://place.example:1", Some("place.example:43210"), false),
            ("http://[::1]:43210", Some("[::1]:43210"), true),
            ("https://club.example", Some("place.example"), true),
            ("http://club.example", Some("place.example"), false),
            ("http://localhost:8080", None, true),
            ("http://evil.example", Some("place.example"), false),
            ("http://place.example.evil", Some("place.example"), false),
            ("null", Some("place.example"), false),
            ("null", Some("null"), false),
            ("", Some(""), false),
        ] {
            assert_eq!(origins.allow(origin, host), allowed, "{origin} {host:?}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "club.example",
            "https://club.example/page",
            "ftp://club.example",
            "*",
        ] {
            assert_eq!(text.parse::<Origins>(), Err(BadOrigin(text.to_owned())));
        }
        assert_eq!("".parse(), Ok(Origins::default()));
    }
}
