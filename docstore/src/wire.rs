//! The Firestore protocol: one service, three skins.

pub mod pb;
