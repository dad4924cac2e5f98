//! The push services to which the server sends notifications.

use std::str::FromStr;

use hyper::Uri;

/// Hosts of push services: `push.example,.push.example:8443`. One that begins with a dot allows every host in that
/// domain. The list may be empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PushServices(Vec<String>);

/// A text that is not the host of a push service.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a host like push.example, or .push.example for all in this domain, not {0:?}")]
pub struct BadPushService(String);

impl PushServices {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an address is one of these services, over HTTPS.
    pub fn allow(&self, address: &Uri) -> bool {
        let Some(authority) = address.authority() else {
            return false;
        };
        let host = authority.as_str().to_ascii_lowercase();
        let host = host.strip_suffix(":443").unwrap_or(&host);
        let is_service = |service: &String| {
            host == service || (service.starts_with('.') && host.ends_with(service.as_str()))
        };
        let has_user = host.contains('@');
        address.scheme_str() == Some("https") && !has_user && self.0.iter().any(is_service)
    }
}

impl FromStr for PushServices {
    type Err = BadPushService;

    fn from_str(text: &str) -> Result<PushServices, BadPushService> {
        let items = text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        items
            .map(parse_host)
            .collect::<Result<_, _>>()
            .map(PushServices)
    }
}

fn parse_host(text: &str) -> Result<String, BadPushService> {
    let host = text.strip_prefix('.').unwrap_or(text);
    let is_host = |uri: &Uri| {
        let authority = uri.authority();
        authority.is_some_and(|authority| authority == host) && !host.contains('@')
    };
    let uri = host.parse().ok().filter(is_host);
    let service = uri.map(|_| text.to_ascii_lowercase());
    service.ok_or_else(|| BadPushService(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_hosts_are_allowed_and_only_over_https() {
        let services: PushServices = "fcm.example, .push.example,localhost:8443".parse().unwrap();
        for (address, allowed) in [
            ("https://fcm.example/send/abc", true),
            ("https://FCM.example:443/send", true),
            ("https://fcm.example:8443/send", false),
            ("https://eu.push.example/x", true),
            ("https://push.example/x", false),
            ("https://evilpush.example/x", false),
            ("https://localhost:8443/x", true),
            ("https://localhost/x", false),
            ("http://fcm.example/send", false),
            ("https://fcm.example@evil.example/send", false),
            ("https://evil.example@fcm.example/send", false),
            ("https://169.254.169.254/latest", false),
            ("/send", false),
        ] {
            let uri: Uri = address.parse().unwrap();
            assert_eq!(services.allow(&uri), allowed, "{address}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "https://push.example",
            "push.example/x",
            "a b",
            "u@push.example",
            ".",
        ] {
            assert_eq!(
                text.parse::<PushServices>(),
                Err(BadPushService(text.to_owned()))
            );
        }
        assert!("".parse::<PushServices>().unwrap().is_empty());
    }
}
