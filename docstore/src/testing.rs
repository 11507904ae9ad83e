//! Generators and a failing engine, for the tests of this crate and of those that build on it.

#![allow(clippy::unwrap_used, reason = "what is parsed here is written here")]

use std::sync::Arc;

use proptest::prelude::*;

use crate::clock::{Clock as _, SystemClock};
use crate::engine::{AnyEngine, FaultyEngine};
use crate::model::{DatabaseId, DocPath, GeoPoint, Reference, Timestamp, Value};
use crate::{Result, Store};

pub use crate::engine::Faults;

/// A store in memory whose reads fail as `faults` says.
///
/// # Errors
/// As [`Store::open`].
pub async fn faulty_store(faults: &Faults) -> Result<Store> {
    let engine = FaultyEngine::new(SystemClock.now(), faults.clone());
    Store::on(AnyEngine::Faulty(Box::new(engine)), Arc::new(SystemClock)).await
}

fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        (-4i32..4).prop_map(f64::from),
        Just(f64::NAN),
        Just(-0.0),
        Just(9_007_199_254_740_993.0),
        Just(9.223_372_036_854_776e18),
    ]
}

/// Values of every type, with the edges of each.
pub fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        (-3i64..3).prop_map(Value::Integer),
        any::<i64>().prop_map(Value::Integer),
        (9_007_199_254_740_990i64..9_007_199_254_740_997).prop_map(Value::Integer),
        doubles().prop_map(Value::Double),
        any::<i64>().prop_map(|micros| Value::Timestamp(Timestamp(micros))),
        "[ab\u{0}\u{1}\u{ff}é😀]{0,4}".prop_map(Value::String),
        proptest::collection::vec(prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()], 0..4)
            .prop_map(|bytes| Value::Bytes(bytes.into())),
        ("[a-c]{1,2}", prop_oneof!["[a-c]{1,2}", (-5i64..5).prop_map(|n| format!("__id{n}__"))]).prop_map(
            |(collection, id)| Value::Reference(Reference {
                database: DatabaseId::default_of("p"),
                path: DocPath::parse(&format!("{collection}/{id}")).unwrap(),
            })
        ),
        (doubles(), doubles())
            .prop_map(|(latitude, longitude)| Value::GeoPoint(GeoPoint { latitude, longitude })),
        proptest::collection::vec(doubles(), 0..3).prop_map(Value::Vector),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            proptest::collection::btree_map("[ab\u{0}]{1,2}", inner, 0..3).prop_map(Value::Map),
        ]
    })
}
