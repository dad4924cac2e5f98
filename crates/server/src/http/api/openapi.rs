//! The interface described for programs, generated from the types.

use std::sync::OnceLock;

use axum::response::Response;
use checkers_engine::tablebase::Report;
use checkers_lib::protocol::{GameRecord, TableList};
use hyper::StatusCode;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::analysis::AnalysisQuery;
use super::games::PDN;
use super::legal::{LegalQuery, PremovesQuery};
use super::problem::Problem;
use super::query::GamesQuery;
use super::tablebase::TablebaseQuery;
use super::tables::TablesQuery;
use super::types::{
    Analysis, Done, GameList, ImportedGame, LegalMoves, PlayerPage, PlayersHere, Premoves,
};
use crate::http::json_text;

/// Where the description keeps the types.
const SCHEMAS: &str = "/components/schemas";

/// `GET /api/openapi.json`.
pub(super) async fn document() -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let body = TEXT.get_or_init(openapi);
    json_text(StatusCode::OK, body)
}

/// The description as it is committed.
fn openapi() -> String {
    let settings = SchemaSettings::draft2020_12();
    let mut types = settings
        .with(|settings| settings.definitions_path = SCHEMAS.into())
        .into_generator();
    let paths = paths(&mut types);
    let schemas = types.take_definitions(true);
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "checkers-server",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Finished games, players, tables, legal moves, endings and analyses of \
                a server for Russian draughts. Games are played over the WebSocket at /ws.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"admin": {"type": "http", "scheme": "bearer"}},
        },
    });
    serde_json::to_string_pretty(&description).expect("JSON has no key but strings")
}

fn paths(types: &mut SchemaGenerator) -> Map<String, Value> {
    let mut paths = Paths {
        types,
        items: Map::new(),
    };
    let summary = "Finished games, the latest first, page by page";
    let wanted = paths.parameters::<GamesQuery>();
    let is_of_pages =
        |parameter: &Value| parameter["name"] == "cursor" || parameter["name"] == "limit";
    let exported = wanted
        .iter()
        .filter(|&parameter| !is_of_pages(parameter))
        .cloned()
        .collect();
    paths.read::<GameList>("/api/games", summary, wanted);
    paths.read_pdn(
        "/api/games.pdn",
        "All finished games that are wanted, as PDN",
        exported,
    );
    let summary = "A finished game with its moves; as PDN if `Accept` asks for that";
    paths.read::<GameRecord>("/api/games/{id}", summary, vec![in_path("id")]);
    paths.read_pdn(
        "/api/games/{id}.pdn",
        "A finished game as PDN",
        vec![in_path("id")],
    );
    paths.read::<PlayersHere>("/api/players", "Who is connected", Vec::new());
    paths.read::<PlayerPage>(
        "/api/players/{name}",
        "How a player's games ended",
        vec![in_path("name")],
    );
    let wanted = paths.parameters::<TablesQuery>();
    paths.read::<TableList>(
        "/api/tables",
        "Public tables, the most watched first",
        wanted,
    );
    let summary = "The legal moves of a position, or how the game is over there";
    let wanted = paths.parameters::<LegalQuery>();
    paths.read::<LegalMoves>("/api/legal", summary, wanted);
    let summary = "Where the side that waits may move to after one reply or another";
    let wanted = paths.parameters::<PremovesQuery>();
    paths.read::<Premoves>("/api/premoves", summary, wanted);
    let summary = "What perfect play makes of a position of few pieces, and of each of its moves";
    let wanted = paths.parameters::<TablebaseQuery>();
    paths.read::<Report>("/api/tablebase", summary, wanted);
    let summary = "What a position is worth, and the best moves there";
    let wanted = paths.parameters::<AnalysisQuery>();
    paths.read::<Analysis>("/api/analysis", summary, wanted.clone());
    let summary = "What every position of a game is worth, a line of JSON each as they are found";
    paths.read_lines::<Analysis>("/api/analysis/game", summary, wanted);
    let summary = "The first game of the PDN text in the body";
    paths.import::<ImportedGame>("/api/pdn", summary);
    let summary = "The table is no more, and what is played there is broken off";
    paths.admin("/api/admin/tables/{id}/end", summary, vec![in_path("id")]);
    let summary = "The connection of whoever is called so is closed";
    paths.admin(
        "/api/admin/clients/{name}/drop",
        summary,
        vec![in_path("name")],
    );
    paths.admin(
        "/api/admin/drain",
        "The server takes nobody new; games go on",
        Vec::new(),
    );
    paths.items
}

/// What can be asked for, by path.
struct Paths<'a> {
    types: &'a mut SchemaGenerator,
    items: Map<String, Value>,
}

impl Paths<'_> {
    fn read<T: JsonSchema>(&mut self, path: &str, summary: &str, parameters: Vec<Value>) {
        let content = json!({"application/json": {"schema": self.of::<T>()}});
        self.add(path, "get", summary, parameters, content);
    }

    fn read_pdn(&mut self, path: &str, summary: &str, parameters: Vec<Value>) {
        let content = json!({PDN: {"schema": {"type": "string"}}});
        self.add(path, "get", summary, parameters, content);
    }

    fn read_lines<T: JsonSchema>(&mut self, path: &str, summary: &str, parameters: Vec<Value>) {
        let content = json!({"application/x-ndjson": {"schema": self.of::<T>()}});
        self.add(path, "get", summary, parameters, content);
    }

    fn import<T: JsonSchema>(&mut self, path: &str, summary: &str) {
        let content = json!({"application/json": {"schema": self.of::<T>()}});
        self.add(path, "post", summary, Vec::new(), content);
        let text = json!({"text/plain": {"schema": {"type": "string"}}});
        self.items[path]["post"]["requestBody"] = json!({"required": true, "content": text});
    }

    fn admin(&mut self, path: &str, summary: &str, parameters: Vec<Value>) {
        let content = json!({"application/json": {"schema": self.of::<Done>()}});
        self.add(path, "post", summary, parameters, content);
        self.items[path]["post"]["security"] = json!([{"admin": []}]);
    }

    fn add(
        &mut self,
        path: &str,
        method: &str,
        summary: &str,
        parameters: Vec<Value>,
        content: Value,
    ) {
        let problem = json!({"application/json": {"schema": self.of::<Problem>()}});
        let operation = json!({
            "summary": summary,
            "parameters": parameters,
            "responses": {
                "200": {"description": "OK", "content": content},
                "default": {"description": "What is wrong", "content": problem},
            },
        });
        self.items
            .insert(path.to_owned(), json!({method: operation}));
    }

    /// The place of a type in the description.
    fn of<T: JsonSchema>(&mut self) -> Value {
        self.types.subschema_for::<T>().to_value()
    }

    /// The parameters that a query's type has.
    fn parameters<T: JsonSchema>(&mut self) -> Vec<Value> {
        let schema = T::json_schema(self.types).to_value();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let required = schema["required"].as_array();
        let parameter = |(name, property): (&String, &Value)| {
            let mut schema = property.clone();
            let description = schema.as_object_mut().and_then(|s| s.remove("description"));
            let mut parameter = json!({
                "name": name, "in": "query", "description": description, "schema": schema
            });
            if required.is_some_and(|required| required.iter().any(|r| r == name)) {
                parameter["required"] = true.into();
            }
            parameter
        };
        properties.map(parameter).collect()
    }
}

fn in_path(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_description_is_current() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let current = openapi() + "\n";
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(file, &current).unwrap();
        }
        let committed = std::fs::read_to_string(file).unwrap_or_default();
        assert!(
            committed == current,
            "docs/openapi.json is not what the types say; write it with \
             UPDATE_DOCS=1 cargo test -p checkers-server --lib openapi"
        );
    }
}
