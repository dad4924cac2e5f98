//! The paths of games by correspondence and their notifications.

use super::{Operation, Paths, in_path};
use crate::http::api::correspondence::{
    ChallengeAccepted, ChallengeMade, ConditionalMoves, CorrespondenceOverview, NewCorrespondence,
    NewVacation, VacationEntry,
};
use crate::http::api::notifications::{NewSubscription, Notifications};
use crate::http::api::types::Done;

const ERRORS: &[u16] = &[400, 401, 403, 404];
const BODY_ERRORS: &[u16] = &[400, 401, 403, 404, 413];

pub(super) fn add(paths: &mut Paths<'_>) {
    paths.account::<CorrespondenceOverview, ()>(
        "get",
        operation(
            "/api/account/correspondence",
            "getCorrespondence",
            "The games by correspondence, the challenges to them, and the vacation of the account",
            &[401, 403, 404],
        ),
    );
    paths.account::<ChallengeMade, NewCorrespondence>(
        "post",
        operation(
            "/api/account/correspondence/challenges",
            "challengeByCorrespondence",
            "Challenges a player, who need not be connected, to a game by correspondence",
            &[400, 401, 403, 404, 409, 413],
        ),
    );
    paths.account::<ChallengeAccepted, ()>(
        "post",
        about(
            "k3x9w2ab",
            operation(
                "/api/account/correspondence/challenges/{id}/accept",
                "acceptCorrespondence",
                "Accepts a challenge, and starts its game",
                &[400, 401, 403, 404, 409],
            ),
        ),
    );
    paths.account::<Done, ()>(
        "post",
        about(
            "k3x9w2ab",
            operation(
                "/api/account/correspondence/challenges/{id}/decline",
                "declineCorrespondence",
                "Declines a challenge, or withdraws one of the account",
                ERRORS,
            ),
        ),
    );
    paths.account::<VacationEntry, NewVacation>(
        "post",
        operation(
            "/api/account/correspondence/vacation",
            "startVacation",
            "Starts a vacation, in which the time for a move stands still",
            BODY_ERRORS,
        ),
    );
    paths.account::<VacationEntry, ()>(
        "post",
        operation(
            "/api/account/correspondence/vacation/end",
            "endVacation",
            "Ends the vacation now",
            &[401, 403, 404],
        ),
    );
    let path = "/api/account/correspondence/games/{id}/conditional";
    paths.account::<ConditionalMoves, ()>(
        "get",
        about(
            "k3x9w2ab-1",
            operation(
                path,
                "getConditionalMoves",
                "The conditional moves that are left in a game",
                ERRORS,
            ),
        ),
    );
    paths.account::<ConditionalMoves, ConditionalMoves>(
        "post",
        about(
            "k3x9w2ab-1",
            operation(
                path,
                "setConditionalMoves",
                "Replaces the conditional moves in a game, while the opponent is to move",
                BODY_ERRORS,
            ),
        ),
    );
    let path = "/api/account/notifications";
    paths.account::<Notifications, ()>(
        "get",
        operation(
            path,
            "getNotifications",
            "How a browser subscribes to notifications of turns, and whether this session has",
            &[401, 403, 404],
        ),
    );
    paths.account::<Done, NewSubscription>(
        "post",
        operation(
            path,
            "subscribe",
            "Notifies the browser of this session when it is its player's turn in a game by correspondence",
            BODY_ERRORS,
        ),
    );
    paths.account::<Done, ()>(
        "post",
        operation(
            "/api/account/notifications/end",
            "unsubscribe",
            "No longer notifies the browser of this session",
            &[401, 403, 404],
        ),
    );
}

fn operation<'a>(path: &'a str, id: &'a str, summary: &'a str, errors: &'a [u16]) -> Operation<'a> {
    Operation {
        path,
        id,
        summary,
        parameters: Vec::new(),
        errors,
    }
}

/// The operation about the thing with an id.
fn about<'a>(example: &str, operation: Operation<'a>) -> Operation<'a> {
    Operation {
        parameters: vec![in_path("id", example)],
        ..operation
    }
}
