//! The parameters of a query: their description in OpenAPI, and the check against it.
//!
//! Both are derived from the type of the query, so the server accepts exactly what it describes.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use checkers_lib::did_you_mean;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// The largest number that JSON carries without loss everywhere.
const LARGEST: i64 = (1 << 53) - 1;

/// The parameters of a query type in OpenAPI.
pub(super) fn of<T: JsonSchema + 'static>() -> Arc<Vec<Value>> {
    type Known = HashMap<TypeId, Arc<Vec<Value>>>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let made = known.entry(TypeId::of::<T>());
    Arc::clone(made.or_insert_with(|| Arc::new(describe::<T>())))
}

fn describe<T: JsonSchema>() -> Vec<Value> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let schema = Schema::to_value(schema);
    let properties = schema["properties"].as_object().into_iter().flatten();
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    let parameter = |(name, property): (&String, &Value)| {
        let mut parameter = json!({
            "name": name, "in": "query", "description": property["description"],
            "schema": of_text(property),
        });
        if is_required(name) {
            parameter["required"] = true.into();
        }
        parameter
    };
    properties.map(parameter).collect()
}

/// The schema of a value in a query: never null, enums as lists of words, numbers with bounds.
fn of_text(property: &Value) -> Value {
    let mut schema = Map::new();
    for (key, value) in property.as_object().into_iter().flatten() {
        match key.as_str() {
            "description" | "default" => {}
            "type" if value.is_array() => {
                let types = value.as_array().into_iter().flatten();
                let kind = types.into_iter().find(|kind| **kind != "null");
                schema.insert(key.clone(), kind.cloned().unwrap_or_default());
            }
            "format"
                if value
                    .as_str()
                    .is_some_and(|format| format.starts_with("uint")) => {}
            _ => {
                schema.insert(key.clone(), value.clone());
            }
        }
    }
    let mut words = Vec::new();
    collect_words(property, &mut words);
    if !words.is_empty() {
        return json!({"type": "string", "enum": words});
    }
    if schema.get("type").is_some_and(|kind| kind == "integer") {
        schema.entry("minimum").or_insert(0.into());
        schema.entry("maximum").or_insert(LARGEST.into());
    }
    Value::Object(schema)
}

/// Collects the words of an enum.
fn collect_words(schema: &Value, words: &mut Vec<Value>) {
    words.extend(schema.get("const").filter(|word| word.is_string()).cloned());
    let listed = schema["enum"].as_array().into_iter().flatten();
    words.extend(listed.filter(|word| word.is_string()).cloned());
    for part in ["oneOf", "anyOf"] {
        for schema in schema[part].as_array().into_iter().flatten() {
            collect_words(schema, words);
        }
    }
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
    use super::super::query::GamesQuery;
    use super::super::tables::TablesQuery;
    use super::*;

    fn complaint<T: JsonSchema + 'static>(query: &[(&str, &str)]) -> String {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let query: Vec<_> = query.iter().map(owned).collect();
        check(&of::<T>(), &query).unwrap_err()
    }

    #[test]
    fn messages_name_the_parameter() {
        let games = complaint::<GamesQuery>;
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
        let tables = complaint::<TablesQuery>;
        assert_eq!(
            tables(&[("state", "busy")]),
            "state: expected open or live or all, found \"busy\""
        );
    }
}
