//! A client that adds up what it is sent.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tuckbox_table::ids::{Handle, SeatNo};
use tuckbox_table::view::{Patch, Place, Shown};

use super::super::live::{LiveTables, Seated};
use super::super::messages::{Asked, Frame, Have, Refused};

/// Positions of pieces that only lie elsewhere.
#[derive(Deserialize)]
struct Put {
    #[serde(default)]
    put: BTreeMap<Handle, (i32, i32, u64)>,
}

pub(super) struct Client {
    seated: Seated,
    pub(super) pieces: BTreeMap<Handle, Shown>,
    pub(super) epoch: String,
    pub(super) n: u64,
    pub(super) seat: Option<SeatNo>,
    c: u64,
    /// Every byte that was sent.
    pub(super) bytes: String,
    /// Messages that are no patches.
    pub(super) others: Vec<Value>,
}

#[derive(Deserialize)]
struct Head {
    epoch: String,
    seat: Option<SeatNo>,
    commitment: String,
}

impl Client {
    pub(super) async fn enter(
        live: &LiveTables,
        id: &str,
        uid: &str,
        have: Option<Have>,
    ) -> Result<Self, Refused> {
        let is_new = have.is_none();
        let (epoch, n) = have.clone().map_or_else(Default::default, |have| (have.epoch, have.n));
        let seated = live.enter(id, uid, None, have).await?;
        let mut client = Self {
            seated,
            pieces: BTreeMap::new(),
            epoch,
            n,
            seat: None,
            c: 0,
            bytes: String::new(),
            others: Vec::new(),
        };
        if is_new {
            client.read().await.unwrap();
        }
        Ok(client)
    }

    pub(super) fn have(&self) -> Have {
        Have { epoch: self.epoch.clone(), n: self.n }
    }

    /// Reads a message; `None` once the table has let go.
    pub(super) async fn read(&mut self) -> Option<Value> {
        let frame = self.seated.next().await?;
        Some(self.take(&frame))
    }

    pub(super) fn take(&mut self, frame: &Frame) -> Value {
        self.bytes.push_str(frame);
        let value: Value = serde_json::from_str(frame).unwrap();
        if value.get("state").is_some() {
            let inner = frame.strip_prefix("{\"state\":").unwrap().strip_suffix('}').unwrap();
            let head: Head = serde_json::from_str(inner).unwrap();
            let patch: Patch = serde_json::from_str(inner).unwrap();
            assert_eq!(head.commitment.len(), 64);
            (self.epoch, self.seat, self.n) = (head.epoch, head.seat, patch.n);
            self.pieces.clear();
            self.apply(&patch);
        } else if value.get("n").is_some() {
            let patch: Patch = serde_json::from_str(frame).unwrap();
            let Put { put } = serde_json::from_str(frame).unwrap();
            assert_eq!(patch.n, self.n + 1, "patches follow each other");
            self.n = patch.n;
            self.apply(&patch);
            for (handle, (x, y, z)) in put {
                let mut shown = serde_json::to_value(&self.pieces[&handle]).unwrap();
                (shown["x"], shown["y"], shown["z"]) = (json!(x), json!(y), json!(z));
                self.pieces.insert(handle, serde_json::from_value(shown).unwrap());
            }
            if let Some(check) = value.get("check") {
                assert_eq!(*check, json!(self.hash()));
            }
        } else {
            self.others.push(value.clone());
        }
        value
    }

    fn apply(&mut self, patch: &Patch) {
        for (handle, shown) in &patch.set {
            match shown {
                Some(shown) => drop(self.pieces.insert(*handle, shown.clone())),
                None => drop(self.pieces.remove(handle)),
            }
        }
    }

    /// The hash of the view, as a browser works it out: values' maps have their keys in order.
    fn hash(&self) -> u32 {
        let text = |shown: &Shown| serde_json::to_value(shown).unwrap().to_string();
        let mut texts: Vec<_> =
            self.pieces.iter().map(|(handle, shown)| handle.to_string() + &text(shown)).collect();
        texts.sort();
        let bytes = texts.iter().flat_map(|text| text.bytes());
        bytes.fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    /// Asks for an act and reads up to its answer.
    pub(super) async fn asks(&mut self, mut act: Value) -> Value {
        self.c += 1;
        act["c"] = json!(self.c);
        let asked: Asked = serde_json::from_value(act).unwrap();
        assert!(self.seated.act(asked).await);
        loop {
            let message = self.read().await.unwrap();
            if message.get("ack") == Some(&json!(self.c)) || message.get("no") == Some(&json!(self.c)) {
                return message;
            }
        }
    }

    /// Asks for an act and reads nothing.
    pub(super) async fn sends(&self, asked: Asked) {
        assert!(self.seated.act(asked).await);
    }

    /// The piece on top of a stack.
    pub(super) fn top_of(&self, stack: Handle) -> Handle {
        let inside = |shown: &&Shown| matches!(shown.on, Place::In { holder, .. } if holder == stack);
        let mut found = self.pieces.iter().filter(|(_, shown)| inside(shown)).map(|(handle, _)| *handle);
        found.next().unwrap()
    }

    /// An act that is accepted.
    pub(super) async fn does(&mut self, act: Value) -> Value {
        let answer = self.asks(act).await;
        assert!(answer.get("ack").is_some(), "{answer}");
        answer
    }

    pub(super) async fn spawn(&mut self, kind: &str, name: &str, owner: Option<u8>) {
        let what = json!({"container": {"kind": kind, "name": name, "owner": owner}});
        self.does(json!({"verb": "spawn", "what": what, "to": {"surface": 0, "x": 0, "y": 0}})).await;
    }

    /// Reads until the view is that of entry `n`.
    pub(super) async fn reach(&mut self, n: u64) {
        while self.n < n {
            self.read().await.unwrap();
        }
    }

    /// Reads until a message has `key`.
    pub(super) async fn until(&mut self, key: &str) -> Value {
        loop {
            let message = self.read().await.unwrap();
            if let Some(value) = message.get(key) {
                return value.clone();
            }
        }
    }

    pub(super) fn point(&self, x: i32, y: i32) {
        self.seated.point(super::super::messages::Pointer { at: (x, y), drag: None, ping: false });
    }

    pub(super) fn ping(&self, x: i32, y: i32) {
        self.seated.point(super::super::messages::Pointer { at: (x, y), drag: None, ping: true });
    }

    pub(super) async fn look(&self, seat: u8) {
        assert!(self.seated.look(SeatNo(seat)).await);
    }

    pub(super) async fn refresh(&self) {
        assert!(self.seated.refresh().await);
    }

    pub(super) fn named(&self, name: &str) -> Handle {
        let found = self.pieces.iter().find(|(_, shown)| shown.name.as_deref() == Some(name));
        *found.unwrap().0
    }

    pub(super) fn loose_cards(&self) -> Vec<Handle> {
        self.pieces.iter().filter(|(_, shown)| shown.container.is_none()).map(|(handle, _)| *handle).collect()
    }
}
