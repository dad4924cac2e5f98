//! The key by which push services recognise the server.

use data_encoding::BASE64URL_NOPAD;
use event_store::UnixMillis;
use hyper::Uri;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use super::{PushError, Subscription};

/// How long a signature is valid, in seconds; a day is the most that services accept.
const VALID: i64 = 12 * 3600;

/// A key on the curve P-256.
pub(super) struct PushKey(EcdsaKeyPair);

impl PushKey {
    /// A new key, as PKCS#8.
    pub(super) fn generate() -> Result<Vec<u8>, PushError> {
        let random = SystemRandom::new();
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map(|key| key.as_ref().to_vec())
            .map_err(|_| PushError::Key)
    }

    pub(super) fn read(pkcs8: &[u8]) -> Result<PushKey, PushError> {
        let random = SystemRandom::new();
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &random)
            .map(PushKey)
            .map_err(|_| PushError::Key)
    }

    /// The public key as an uncompressed point.
    pub(super) fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.0.public_key().as_ref())
    }

    /// The header `Authorization` of a message.
    ///
    /// CITE: RFC 8292, sections 2 and 3; RFC 7515, section 3.1.
    pub(super) fn authorize(
        &self,
        to: &Subscription,
        now: UnixMillis,
    ) -> Result<String, PushError> {
        let mut claims = json!({"aud": origin_of(&to.endpoint), "exp": now.0 / 1000 + VALID});
        if !to.origin.is_empty() {
            claims["sub"] = to.origin.as_str().into();
        }
        let header = json!({"typ": "JWT", "alg": "ES256"});
        let parts =
            [header, claims].map(|part| BASE64URL_NOPAD.encode(part.to_string().as_bytes()));
        let signed = parts.join(".");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| PushError::Key)?;
        let signature = BASE64URL_NOPAD.encode(signature.as_ref());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

fn origin_of(endpoint: &Uri) -> String {
    let host = endpoint
        .authority()
        .map_or("", |authority| authority.as_str());
    format!("https://{host}")
}

impl std::fmt::Debug for PushKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PushKey").field(&self.public()).finish()
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_header_has_a_signed_claim_for_the_service() {
        let key = PushKey::read(&PushKey::generate().unwrap()).unwrap();
        let to = Subscription {
            endpoint: "https://push.example/send/abc".parse().unwrap(),
            origin: "https://club.example".to_owned(),
        };
        let header = key.authorize(&to, UnixMillis(1_000_000)).unwrap();
        let (token, public) = header
            .strip_prefix("vapid t=")
            .and_then(|rest| rest.split_once(", k="))
            .unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap();
        let claims: Value =
            serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
        assert_eq!(
            claims,
            json!({"aud": "https://push.example", "exp": 1000 + VALID, "sub": "https://club.example"})
        );
        assert_eq!(decode(public).len(), 65);
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public))
            .verify(signed.as_bytes(), &decode(signature))
            .unwrap();
    }

    #[test]
    fn a_damaged_key_is_an_error() {
        assert!(matches!(PushKey::read(b"no key"), Err(PushError::Key)));
    }
}
