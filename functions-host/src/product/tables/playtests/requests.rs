//! Requests and replies of the functions of tables.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tuckbox_table::game_box::GameBox;
use tuckbox_table::ids::SeatNo;
use tuckbox_table::model::Follow;

use crate::table::messages::Have;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Open {
    pub(super) project_id: String,
    pub(super) name: String,
    #[serde(rename = "box")]
    pub(super) game_box: GameBox,
    /// The first is the caller's, as host.
    pub(super) seats: Vec<NewSeat>,
    #[serde(default = "one")]
    pub(super) surfaces: u8,
    /// True if the host may look into hands; everybody at the table sees that it is so.
    #[serde(default)]
    pub(super) designer_view: bool,
    /// True if a seat may look again at what it has seen and can follow.
    #[serde(default)]
    pub(super) remembers: bool,
    /// The way it takes changes of the project's cards: at once where the server can, otherwise when a host says so.
    #[serde(default)]
    pub(super) follow: Option<Follow>,
    /// The version of the project whose cards are in the box; such a table keeps them.
    #[serde(default)]
    pub(super) version: Option<String>,
}

const fn one() -> u8 {
    1
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSeat {
    pub(super) name: String,
    #[serde(default)]
    pub(super) colour: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fork {
    pub(super) table: String,
    /// The entry after which it begins; the last one if it is missing.
    #[serde(default)]
    pub(super) n: Option<u64>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Opened {
    pub(super) table: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActRequest {
    pub(super) table: String,
    pub(super) act: Json,
    /// The seat to act from, of several.
    #[serde(default)]
    pub(super) seat: Option<SeatNo>,
    #[serde(default)]
    pub(super) have: Option<Have>,
}

/// Of a view once, or of all that follows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ViewRequest {
    pub(super) table: String,
    /// The seat to look from, of several.
    #[serde(default)]
    pub(super) seat: Option<SeatNo>,
    #[serde(default)]
    pub(super) have: Option<Have>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateRequest {
    pub(super) table: String,
    /// The project's cards as they are now, under any numbers.
    #[serde(rename = "box")]
    pub(super) game_box: GameBox,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Updated {
    /// False if the table had them already.
    pub(super) changed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteRequest {
    pub(super) table: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Messages {
    pub(super) messages: Vec<Json>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Deleted {
    pub(super) deleted: u64,
}
