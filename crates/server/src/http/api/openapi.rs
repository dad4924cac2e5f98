//! The description of the API in OpenAPI, generated from the types.

mod correspondence;
mod moderation;
mod parameters;
pub(super) mod texts;

use checkers_engine::tablebase::Report;
use checkers_lib::protocol::{GameRecord, TableList};
use hyper::StatusCode;
use position_api::{Analysis, LegalMoves, Premoves};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::account::{
    Account, Deletion, Link, LinkRequest, NewPassword, RecoveryCodes, SignIn, SignedIn,
};
use super::analysis::AnalysisQuery;
use super::games::PDN;
use super::import::ImportQuery;
use super::ladder::{LadderEntry, LadderQuery, LadderStandings, NewLadder, Similarity};
use super::legal::{LegalQuery, PremovesQuery};
use super::problem::Problem;
use super::programs::{BotRequest, BotToken, TokenRenewal};
use super::query::GamesQuery;
use super::ratings::{Leaderboard, LeaderboardQuery, PlayerRating, RatingQuery};
use super::tablebase::TablebaseQuery;
use super::tables::TablesQuery;
use super::tournaments::{
    CorrectedGame, Entry, NewTournament, Removal, TournamentEntry, TournamentList, TournamentPage,
    TournamentQuery,
};
use super::types::{Done, GameList, ImportedGame, PlayerPage, PlayersHere};
use crate::ladder::SeasonLine;

/// The place of the types in the description.
const SCHEMAS: &str = "/components/schemas";

/// The text of the description.
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
            "description": "Finished games, players, ratings, tables, legal moves, tablebases and analyses of \
                a server for Russian draughts. Games are played over the WebSocket at /ws.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "admin": {"type": "http", "scheme": "bearer"},
                "session": {"type": "http", "scheme": "bearer"},
            },
        },
    });
    serde_json::to_string_pretty(&description).expect("JSON has no key but strings")
}

/// An operation without its answer.
struct Operation<'a> {
    path: &'a str,
    /// Its name in generated clients.
    id: &'a str,
    summary: &'a str,
    parameters: Vec<Value>,
    /// The statuses of problems that are specific to it.
    errors: &'a [u16],
}

/// The statuses of problems that every operation may have.
const ANYWHERE: [u16; 2] = [429, 503];

fn paths(types: &mut SchemaGenerator) -> Map<String, Value> {
    let mut paths = Paths {
        types,
        items: Map::new(),
    };
    let wanted = parameters::of::<GamesQuery>();
    let is_of_pages =
        |parameter: &Value| parameter["name"] == "cursor" || parameter["name"] == "limit";
    let exported = wanted
        .iter()
        .filter(|&parameter| !is_of_pages(parameter))
        .cloned()
        .collect();
    paths.read::<GameList>(Operation {
        path: "/api/games",
        id: "listGames",
        summary: "Finished games, the latest first, page by page",
        parameters: wanted,
        errors: &[400, 404, 500],
    });
    paths.read_pdn(Operation {
        path: "/api/games.pdn",
        id: "exportGames",
        summary: "All finished games that match the query, as PDN",
        parameters: exported,
        errors: &[400, 404],
    });
    paths.read::<GameRecord>(Operation {
        path: "/api/games/{id}",
        id: "getGame",
        summary: "A finished game with its moves; as PDN if `Accept` prefers it",
        parameters: vec![in_path("id", "main-1")],
        errors: &[400, 404, 500],
    });
    paths.read_pdn(Operation {
        path: "/api/games/{id}.pdn",
        id: "getGamePdn",
        summary: "A finished game as PDN",
        parameters: vec![in_path("id", "main-1")],
        errors: &[400, 404, 500],
    });
    paths.read::<PlayersHere>(Operation {
        path: "/api/players",
        id: "listPlayers",
        summary: "The connected players",
        parameters: Vec::new(),
        errors: &[],
    });
    paths.read::<PlayerPage>(Operation {
        path: "/api/players/{name}",
        id: "getPlayer",
        summary: "The results of a player",
        parameters: vec![in_path("name", "anna")],
        errors: &[400, 404],
    });
    let for_clock = parameters::of::<RatingQuery>();
    paths.read::<PlayerRating>(Operation {
        path: "/api/players/{name}/rating",
        id: "getRating",
        summary: "The rating of a player for a time control",
        parameters: [in_path("name", "anna")]
            .into_iter()
            .chain(for_clock)
            .collect(),
        errors: &[400, 404],
    });
    paths.read::<Leaderboard>(Operation {
        path: "/api/ratings/{speed}",
        id: "listBestPlayers",
        summary: "The best players of a class of time controls: `blitz`, `rapid`, `classic` or `correspondence`",
        parameters: [in_path("speed", "rapid")]
            .into_iter()
            .chain(parameters::of::<LeaderboardQuery>())
            .collect(),
        errors: &[400, 404],
    });
    paths.read::<LadderStandings>(Operation {
        path: "/api/ladder/{speed}",
        id: "getLadder",
        summary: "The standings of the ladder of bots in a class of time controls: `blitz`, `rapid` or `classic`",
        parameters: [in_path("speed", "rapid")]
            .into_iter()
            .chain(parameters::of::<LadderQuery>())
            .collect(),
        errors: &[400, 404],
    });
    paths.read_lines::<SeasonLine>(Operation {
        path: "/api/ladder/seasons/{season}",
        id: "getLadderSeason",
        summary: "The games of a season of the ladder and the standings that follow from them",
        parameters: vec![in_path("season", "2026-11")],
        errors: &[400, 404],
    });
    paths.read::<TableList>(Operation {
        path: "/api/tables",
        id: "listTables",
        summary: "Public tables, the most watched first",
        parameters: parameters::of::<TablesQuery>(),
        errors: &[400],
    });
    paths.read::<LegalMoves>(Operation {
        path: "/api/legal",
        id: "getLegalMoves",
        summary: "The legal moves of a position, or the result if the game is over",
        parameters: parameters::of::<LegalQuery>(),
        errors: &[400],
    });
    paths.read::<Premoves>(Operation {
        path: "/api/premoves",
        id: "getPremoves",
        summary: "The moves that the waiting side can prepare",
        parameters: parameters::of::<PremovesQuery>(),
        errors: &[400],
    });
    paths.read::<Report>(Operation {
        path: "/api/tablebase",
        id: "probeTablebase",
        summary: "The result of a position with few pieces with perfect play, and of each move",
        parameters: parameters::of::<TablebaseQuery>(),
        errors: &[400, 404, 500],
    });
    let wanted = parameters::of::<AnalysisQuery>();
    paths.read::<Analysis>(Operation {
        path: "/api/analysis",
        id: "analysePosition",
        summary: "The value of a position, and its best moves",
        parameters: wanted.clone(),
        errors: &[400, 403],
    });
    paths.read_lines::<Analysis>(Operation {
        path: "/api/analysis/game",
        id: "analyseGame",
        summary: "The value of every position of a game, a line of JSON each, streamed",
        parameters: wanted,
        errors: &[400, 403],
    });
    paths.import::<ImportedGame>(Operation {
        path: "/api/pdn",
        id: "readPdn",
        summary: "The games of the PDN text in the body, and one of them with its moves",
        parameters: parameters::of::<ImportQuery>(),
        errors: &[400, 404, 413],
    });
    paths.account::<Account, ()>(
        "get",
        Operation {
            path: "/api/account",
            id: "getAccount",
            summary: "The account of the session",
            parameters: Vec::new(),
            errors: &[401, 404],
        },
    );
    paths.account_archive(Operation {
        path: "/api/account/export",
        id: "exportAccount",
        summary: "All stored data of the account: a zip archive with account.json and games.pdn",
        parameters: Vec::new(),
        errors: &[401, 403, 404],
    });
    paths.account::<Done, Deletion>(
        "post",
        Operation {
            path: "/api/account/delete",
            id: "deleteAccount",
            summary: "Deletes the account; its games stay, under another name",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<LadderEntry, NewLadder>(
        "post",
        Operation {
            path: "/api/account/ladders",
            id: "createLadder",
            summary: "Creates a private ladder, which bots join with its code",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/ladders/{id}/end",
            id: "endLadder",
            summary: "Ends a private ladder now; its standings stay",
            parameters: vec![in_path("id", "k3x9w2ab")],
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/ladders/{id}/delete",
            id: "deleteLadder",
            summary: "Deletes a private ladder; its games stay",
            parameters: vec![in_path("id", "k3x9w2ab")],
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Similarity, ()>(
        "get",
        Operation {
            path: "/api/account/ladders/{id}/similarity",
            id: "compareBots",
            summary: "How alike the players of a private ladder play",
            parameters: vec![in_path("id", "k3x9w2ab")],
            errors: &[400, 401, 403, 404],
        },
    );
    tournament_paths(&mut paths);
    moderation::paths(&mut paths);
    correspondence::add(&mut paths);
    paths.account::<SignedIn, SignIn>(
        "post",
        Operation {
            path: "/api/account/sign-in",
            id: "signIn",
            summary: "Starts a session with a name and password, or with a code",
            parameters: Vec::new(),
            errors: &[400, 403, 404, 413],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/sign-out",
            id: "signOut",
            summary: "Ends the session",
            parameters: Vec::new(),
            errors: &[401, 404],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/sessions/{id}/end",
            id: "endSession",
            summary: "Ends a session of the account",
            parameters: vec![in_path("id", "1")],
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Link, LinkRequest>(
        "post",
        Operation {
            path: "/api/account/link",
            id: "makeLink",
            summary: "Creates a single-use code that signs in on another device within a day",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<Done, NewPassword>(
        "post",
        Operation {
            path: "/api/account/password",
            id: "setPassword",
            summary: "Sets the password; all other sessions end",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<BotToken, BotRequest>(
        "post",
        Operation {
            path: "/api/account/bots",
            id: "createBot",
            summary: "Creates a bot, for a program to play as",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<BotToken, TokenRenewal>(
        "post",
        Operation {
            path: "/api/account/bots/{name}/token",
            id: "renewBotToken",
            summary: "Replaces the token of a bot; its program is disconnected",
            parameters: vec![in_path("name", "kestrel[bot]")],
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/bots/{name}/delete",
            id: "deleteBot",
            summary: "Deletes a bot; its games stay, under another name",
            parameters: vec![in_path("name", "kestrel[bot]")],
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<RecoveryCodes, ()>(
        "post",
        Operation {
            path: "/api/account/recovery",
            id: "renewRecoveryCodes",
            summary: "Replaces the recovery codes",
            parameters: Vec::new(),
            errors: &[401, 403, 404],
        },
    );
    paths.admin(Operation {
        path: "/api/admin/tables/{id}/end",
        id: "endTable",
        summary: "Closes the table; a running game there ends as interrupted",
        parameters: vec![in_path("id", "main")],
        errors: &[400, 401, 404, 409],
    });
    paths.admin(Operation {
        path: "/api/admin/clients/{name}/drop",
        id: "dropClient",
        summary: "Closes the connection of the client with this name",
        parameters: vec![in_path("name", "anna")],
        errors: &[400, 401, 404],
    });
    paths.admin(Operation {
        path: "/api/admin/drain",
        id: "drain",
        summary: "The server accepts no new clients; games continue",
        parameters: Vec::new(),
        errors: &[401, 404],
    });
    paths.items
}

/// The paths of tournaments.
fn tournament_paths(paths: &mut Paths<'_>) {
    let id = || vec![in_path("id", "k3x9w2ab")];
    paths.read::<TournamentList>(Operation {
        path: "/api/tournaments",
        id: "listTournaments",
        summary: "The tournaments that run, that are to come, and that are over",
        parameters: Vec::new(),
        errors: &[404],
    });
    let mut parameters = id();
    parameters.extend(parameters::of::<TournamentQuery>());
    paths.read::<TournamentPage>(Operation {
        path: "/api/tournaments/{id}",
        id: "getTournament",
        summary: "A tournament with its standings, its running games and the pairings of a round",
        parameters,
        errors: &[400, 404],
    });
    paths.account::<TournamentList, ()>(
        "get",
        Operation {
            path: "/api/account/tournaments",
            id: "listOwnTournaments",
            summary: "The latest tournaments that the account organises",
            parameters: Vec::new(),
            errors: &[401, 403, 404],
        },
    );
    paths.account::<TournamentEntry, NewTournament>(
        "post",
        Operation {
            path: "/api/account/tournaments",
            id: "createTournament",
            summary: "Creates a tournament",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<TournamentEntry, Entry>(
        "post",
        Operation {
            path: "/api/account/tournaments/{id}/enter",
            id: "enterTournament",
            summary: "Enters a tournament",
            parameters: id(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    for (action, operation, summary) in [
        (
            "leave",
            "leaveTournament",
            "Leaves a tournament; a running game goes on",
        ),
        (
            "start",
            "startTournament",
            "Starts a tournament of the account now, and not later",
        ),
        (
            "pause",
            "pauseTournament",
            "Pauses a tournament of the account: no games begin",
        ),
        (
            "resume",
            "resumeTournament",
            "Resumes a tournament of the account",
        ),
        (
            "end",
            "endTournament",
            "Ends a tournament of the account now; running games of an arena do not count",
        ),
    ] {
        let path = format!("/api/account/tournaments/{{id}}/{action}");
        let operation = Operation {
            path: &path,
            id: operation,
            summary,
            parameters: id(),
            errors: &[400, 401, 403, 404],
        };
        match action {
            "leave" => paths.account::<Done, ()>("post", operation),
            _ => paths.account::<TournamentEntry, ()>("post", operation),
        }
    }
    paths.account::<Done, Removal>(
        "post",
        Operation {
            path: "/api/account/tournaments/{id}/remove",
            id: "removePlayer",
            summary: "Removes a player, who cannot enter again, from a tournament of the account",
            parameters: id(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<Done, CorrectedGame>(
        "post",
        Operation {
            path: "/api/account/tournaments/{id}/correct",
            id: "correctGame",
            summary: "Corrects the result of a finished game in a tournament of the account, or decides one of a round",
            parameters: id(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
}

/// The operations by path.
struct Paths<'a> {
    types: &'a mut SchemaGenerator,
    items: Map<String, Value>,
}

impl Paths<'_> {
    fn read<T: JsonSchema>(&mut self, operation: Operation<'_>) {
        let content = json!({"application/json": {"schema": self.of::<T>()}});
        self.add("get", &operation, content);
    }

    fn read_pdn(&mut self, operation: Operation<'_>) {
        let content = json!({PDN: {"schema": {"type": "string"}}});
        self.add("get", &operation, content);
    }

    fn read_lines<T: JsonSchema>(&mut self, operation: Operation<'_>) {
        let content = json!({"application/x-ndjson": {"schema": self.of::<T>()}});
        self.add("get", &operation, content);
    }

    fn import<T: JsonSchema>(&mut self, operation: Operation<'_>) {
        let content = json!({"application/json": {"schema": self.of::<T>()}});
        self.add("post", &operation, content);
        let text = json!({"type": "string", "minLength": 1, "format": "pdn"});
        let content = json!({"text/plain": {"schema": text}});
        self.items[operation.path]["post"]["requestBody"] =
            json!({"required": true, "content": content});
    }

    /// An operation on accounts with this answer and body; `()` is none.
    fn account<T: JsonSchema, B: JsonSchema>(&mut self, method: &str, operation: Operation<'_>) {
        let content = json!({"application/json": {"schema": self.of::<T>()}});
        self.add(method, &operation, content);
        let item = &mut self.items[operation.path][method];
        if operation.errors.contains(&401) {
            item["security"] = json!([{"session": []}]);
        }
        if B::schema_name() != <()>::schema_name() {
            let content = json!({"application/json": {"schema": self.types.subschema_for::<B>()}});
            item["requestBody"] = json!({"required": true, "content": content});
        }
    }

    fn account_archive(&mut self, operation: Operation<'_>) {
        let content =
            json!({"application/zip": {"schema": {"type": "string", "format": "binary"}}});
        self.add("get", &operation, content);
        self.items[operation.path]["get"]["security"] = json!([{"session": []}]);
    }

    fn admin(&mut self, operation: Operation<'_>) {
        let content = json!({"application/json": {"schema": self.of::<Done>()}});
        self.add("post", &operation, content);
        self.items[operation.path]["post"]["security"] = json!([{"admin": []}]);
    }

    fn add(&mut self, method: &str, operation: &Operation<'_>, content: Value) {
        let problem = json!({"application/json": {"schema": self.of::<Problem>()}});
        let mut responses = Map::new();
        responses.insert(
            "200".to_owned(),
            json!({"description": "OK", "content": content}),
        );
        for &status in operation.errors.iter().chain(&ANYWHERE) {
            let description = StatusCode::from_u16(status).ok();
            let description = description.and_then(|status| status.canonical_reason());
            let error = json!({"description": description, "content": problem});
            responses.insert(status.to_string(), error);
        }
        let rest = json!({"description": "Another problem", "content": problem});
        responses.insert("default".to_owned(), rest);
        let described = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "parameters": operation.parameters,
            "responses": responses,
        });
        let item = self.items.entry(operation.path).or_insert(json!({}));
        item[method] = described;
    }

    /// A reference to the schema of a type.
    fn of<T: JsonSchema>(&mut self) -> Value {
        self.types.subschema_for::<T>().to_value()
    }
}

fn in_path(name: &str, example: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "example": example,
           "schema": {"type": "string", "minLength": 1}})
}

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
