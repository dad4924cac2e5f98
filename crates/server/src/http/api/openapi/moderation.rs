//! The operations with tokens, blocks, reports and moderation.

use super::{Operation, Paths, in_path, parameters};
use crate::http::api::account::{Claim, Link};
use crate::http::api::moderation::{
    Appointment, BlockRequest, Blocked, Invitation, LogPage, ModerationLog, ReportQueue,
    ReportRequest, Sanction, Staff,
};
use crate::http::api::programs::{NewToken, TokenRequest};
use crate::http::api::types::Done;

/// The paths of tokens, blocks, reports and moderation.
pub(super) fn paths(paths: &mut Paths<'_>) {
    let player = || vec![in_path("name", "anna")];
    paths.account::<NewToken, TokenRequest>(
        "post",
        Operation {
            path: "/api/account/tokens",
            id: "createToken",
            summary: "Creates a token, for a script of a person",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/tokens/{id}/revoke",
            id: "revokeToken",
            summary: "Revokes a token of the account",
            parameters: vec![in_path("id", "1")],
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Done, Claim>(
        "post",
        Operation {
            path: "/api/account/administrator",
            id: "claimAdministration",
            summary: "Makes the account the first administrator, by the code that the server has printed",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 413],
        },
    );
    paths.account::<Done, BlockRequest>(
        "post",
        Operation {
            path: "/api/account/blocks",
            id: "blockPlayer",
            summary: "Blocks a player: the two do not meet in quick games, by challenges or at tables",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<Blocked, ()>(
        "get",
        Operation {
            path: "/api/account/blocks/{name}",
            id: "isBlocked",
            summary: "Whether the account blocks a player, who has an account too",
            parameters: player(),
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Done, ()>(
        "post",
        Operation {
            path: "/api/account/blocks/{name}/end",
            id: "unblockPlayer",
            summary: "Ends a block",
            parameters: player(),
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Done, ReportRequest>(
        "post",
        Operation {
            path: "/api/account/reports",
            id: "reportPlayer",
            summary: "Reports a player to the moderators",
            parameters: Vec::new(),
            errors: &[400, 401, 403, 404, 409, 413],
        },
    );
    paths.account::<ReportQueue, ()>(
        "get",
        Operation {
            path: "/api/moderation/reports",
            id: "listReports",
            summary: "The players with open reports; for moderators, as all that follows",
            parameters: Vec::new(),
            errors: &[401, 403, 404],
        },
    );
    paths.account::<ModerationLog, ()>(
        "get",
        Operation {
            path: "/api/moderation/log",
            id: "getModerationLog",
            summary: "What moderators have done",
            parameters: parameters::of::<LogPage>(),
            errors: &[400, 401, 403, 404],
        },
    );
    paths.account::<Staff, ()>(
        "get",
        Operation {
            path: "/api/moderation/staff",
            id: "listStaff",
            summary: "The moderators and administrators",
            parameters: Vec::new(),
            errors: &[401, 403, 404],
        },
    );
    paths.account::<Invitation, ()>(
        "post",
        Operation {
            path: "/api/moderation/invitations",
            id: "invitePlayer",
            summary: "Creates a code for one new account; for administrators",
            parameters: Vec::new(),
            errors: &[401, 403, 404],
        },
    );
    let about = |path, id, summary| Operation {
        path,
        id,
        summary,
        parameters: player(),
        errors: &[400, 401, 403, 404, 413],
    };
    paths.account::<Done, Sanction>(
        "post",
        about(
            "/api/moderation/players/{name}/mute",
            "mutePlayer",
            "The player cannot say anything for a time",
        ),
    );
    paths.account::<Done, Sanction>(
        "post",
        about(
            "/api/moderation/players/{name}/suspend",
            "suspendPlayer",
            "The player cannot begin games for a time",
        ),
    );
    paths.account::<Done, Appointment>(
        "post",
        about(
            "/api/moderation/players/{name}/role",
            "setRole",
            "Gives a player a role, or takes it; for administrators",
        ),
    );
    let about = |path, id, summary| Operation {
        errors: &[400, 401, 403, 404],
        ..about(path, id, summary)
    };
    paths.account::<Done, ()>(
        "post",
        about(
            "/api/moderation/players/{name}/lift",
            "liftSanctions",
            "Ends the mute and the suspension of a player",
        ),
    );
    paths.account::<Done, ()>(
        "post",
        about(
            "/api/moderation/players/{name}/dismiss",
            "dismissReports",
            "Closes the reports about a player",
        ),
    );
    paths.account::<Link, ()>(
        "post",
        about(
            "/api/moderation/players/{name}/link",
            "makeLinkFor",
            "Creates a single-use code that signs in to the account of a player; for administrators",
        ),
    );
}
