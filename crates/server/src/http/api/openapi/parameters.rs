//! The description of the parameters of a query, from its type.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::http::api::parameters::LARGEST;

/// The parameters of a query type.
pub(super) fn of<T: JsonSchema>() -> Vec<Value> {
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
