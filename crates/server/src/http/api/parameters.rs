//! The parameters of queries, checked against the description of the API.

use std::collections::HashMap;
use std::sync::LazyLock;

use checkers_lib::did_you_mean;
use serde_json::Value;

use super::DESCRIPTION;

/// The largest number that JSON carries without loss everywhere.
pub(super) const LARGEST: i64 = (1 << 53) - 1;

/// The parameters of each query that is described, by method in lower case and path.
static DESCRIBED: LazyLock<HashMap<String, Vec<Value>>> = LazyLock::new(|| {
    let description: Value = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    let paths = description["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    let in_query = |operation: &Value| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters
            .filter(|parameter| parameter["in"] == "query")
            .cloned()
            .collect()
    };
    operations
        .map(|(name, operation)| (name, in_query(operation)))
        .collect()
});

/// The parameters of the queries of an operation in OpenAPI; none if it is not described.
pub(super) fn of(method: &str, path: &str) -> &'static [Value] {
    let method = match method {
        "HEAD" => "GET",
        method => method,
    };
    let name = format!("{} {path}", method.to_lowercase());
    DESCRIBED.get(&name).map_or(&[], Vec::as_slice)
}

/// Checks the names and values of a query against their description.
///
/// # Errors
/// A message for people.
pub(super) fn check(known: &[Value], query: &[(String, String)]) -> Result<(), String> {
    let named = |name: &str| known.iter().find(|parameter| parameter["name"] == name);
    for (index, (name, value)) in query.iter().enumerate() {
        let Some(parameter) = named(name) else {
            let names: Vec<&str> = known.iter().filter_map(|p| p["name"].as_str()).collect();
            let meant = did_you_mean(name, names.iter().copied());
            let expected = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            return Err(format!(
                "unknown parameter {name:?}{meant}; expected {expected}"
            ));
        };
        if query[..index].iter().any(|(other, _)| other == name) {
            return Err(format!("{name} is given twice"));
        }
        check_value(&parameter["schema"], value)
            .map_err(|expected| format!("{name}: expected {expected}, found {value:?}"))?;
    }
    let given = |name: &Value| query.iter().any(|(given, _)| name == given);
    let mut missing = known
        .iter()
        .filter(|p| p["required"] == true && !given(&p["name"]));
    match missing
        .next()
        .and_then(|parameter| parameter["name"].as_str())
    {
        Some(name) => Err(format!("{name} is missing")),
        None => Ok(()),
    }
}

/// Checks a value; the error says what is expected instead.
fn check_value(schema: &Value, value: &str) -> Result<(), String> {
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return match words.contains(&value) {
            true => Ok(()),
            false => Err(words.join(" or ")),
        };
    }
    match schema["type"].as_str() {
        Some("integer") => {
            let bound = |name: &str| schema[name].as_i64();
            let (low, high) = (
                bound("minimum").unwrap_or(0),
                bound("maximum").unwrap_or(LARGEST),
            );
            let digits = value.strip_prefix('-').unwrap_or(value);
            let is_plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
            let number = value.parse().ok().filter(|_| is_plain);
            match number.is_some_and(|number: i64| (low..=high).contains(&number)) {
                true => Ok(()),
                false if high >= i64::from(u32::MAX) => {
                    Err(format!("a whole number, {low} or more"))
                }
                false => Err(format!("a whole number from {low} to {high}")),
            }
        }
        Some("boolean") if !matches!(value, "true" | "false") => Err("true or false".to_owned()),
        Some("string") => {
            let length = value.chars().count() as u64;
            let (low, high) = (schema["minLength"].as_u64(), schema["maxLength"].as_u64());
            match (low, high) {
                (Some(low), _) if length < low => Err(format!("at least {low} characters")),
                (_, Some(high)) if length > high => Err(format!("at most {high} characters")),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(path: &str, query: &[(&str, &str)]) -> String {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let query: Vec<_> = query.iter().map(owned).collect();
        check(of("HEAD", path), &query).unwrap_err()
    }

    #[test]
    fn messages_name_the_parameter() {
        let games = |query| complaint("/api/games", query);
        assert!(
            games(&[("playr", "anna")])
                .starts_with("unknown parameter \"playr\": did you mean player?; expected ")
        );
        assert_eq!(
            games(&[("limit", "101")]),
            "limit: expected a whole number from 1 to 100, found \"101\""
        );
        assert_eq!(
            games(&[("limit", "+5")]),
            "limit: expected a whole number from 1 to 100, found \"+5\""
        );
        assert_eq!(
            games(&[("limit", "5"), ("limit", "6")]),
            "limit is given twice"
        );
        assert_eq!(
            games(&[("result", "won")]),
            "result: expected white_won or black_won or draw or interrupted, found \"won\""
        );
        let tables = |query| complaint("/api/tables", query);
        assert_eq!(
            tables(&[("state", "busy")]),
            "state: expected open or live or all, found \"busy\""
        );
    }
}
