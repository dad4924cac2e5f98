//! The body of a request: JSON, or a form. Clients send either.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Form, FromRequest, Request};
use hyper::header;
use serde_json::{Map, Value};

use super::error::BotApiError;
use crate::http::HttpState;
use crate::http::api::{MAX_BODY, read_body};

/// The fields of a body, which may be empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Fields(Map<String, Value>);

impl FromRequest<Arc<HttpState>> for Fields {
    type Rejection = BotApiError;

    async fn from_request(request: Request, _: &Arc<HttpState>) -> Result<Fields, BotApiError> {
        Fields::read(request).await
    }
}

impl Fields {
    async fn read(request: Request) -> Result<Fields, BotApiError> {
        let is_form = (request.headers().get(header::CONTENT_TYPE))
            .is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-form"));
        let (head, body) = request.into_parts();
        let body = read_body(body, MAX_BODY).await?;
        if body.is_empty() {
            return Ok(Fields::default());
        }
        let bad = || BotApiError::bad("the body is neither a JSON object nor a form");
        if !is_form {
            return serde_json::from_slice(&body).map(Fields).map_err(|_| bad());
        }
        let form = Request::from_parts(head, Body::from(body));
        let Form(fields) = Form::<HashMap<String, String>>::from_request(form, &())
            .await
            .map_err(|_| bad())?;
        let fields = fields.into_iter();
        Ok(Fields(
            fields.map(|(key, value)| (key, value.into())).collect(),
        ))
    }

    /// A text; `None` if it is missing, `null` or empty.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, BotApiError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other @ (Value::Bool(_) | Value::Number(_))) => Ok(Some(other.to_string())),
            Some(Value::Array(_) | Value::Object(_)) => {
                Err(BotApiError::bad(format!("{name} is not a text")))
            }
        }
    }

    /// A whole number.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, BotApiError> {
        let text = self.text(name)?;
        let number = text.map(|text| text.parse());
        number
            .transpose()
            .map_err(|_| BotApiError::bad(format!("{name} is not a whole number")))
    }

    /// A switch, which is off without the field.
    pub(super) fn switch(&self, name: &str) -> Result<bool, BotApiError> {
        match self.text(name)?.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(BotApiError::bad(format!(
                "{name} is neither true nor false"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(kind: &str, body: &str) -> Result<Fields, BotApiError> {
        let request = Request::post("/").header(header::CONTENT_TYPE, kind);
        Fields::read(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    #[tokio::test]
    async fn json_and_forms_have_the_same_fields() {
        let json = r#"{"rated": true, "clock.limit": 300, "days": null, "color": "white"}"#;
        let form = "rated=true&clock.limit=300&days=&color=white";
        for fields in [
            read("application/json", json).await.unwrap(),
            read("application/x-www-form-urlencoded", form)
                .await
                .unwrap(),
        ] {
            assert_eq!(fields.switch("rated"), Ok(true));
            assert_eq!(fields.number("clock.limit"), Ok(Some(300)));
            assert_eq!(fields.number("days"), Ok(None));
            assert_eq!(fields.text("color"), Ok(Some("white".into())));
            assert_eq!(fields.switch("casual"), Ok(false));
            assert!(fields.number("color").is_err() && fields.switch("color").is_err());
        }
    }

    #[tokio::test]
    async fn a_body_may_be_empty_but_not_something_else() {
        assert_eq!(read("text/plain", "").await, Ok(Fields::default()));
        for body in ["[1]", "7", "{", "rated=true"] {
            assert!(read("application/json", body).await.is_err(), "{body}");
        }
        let nested = read("application/json", r#"{"color": ["white"]}"#).await;
        assert!(nested.unwrap().text("color").is_err());
    }
}
