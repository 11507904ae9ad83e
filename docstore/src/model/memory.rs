//! Memory taken by decoded documents, for bounding how many are kept.

use std::mem::size_of;

use super::{Document, Fields, Value};

/// Overhead of an allocation, in bytes.
const PIECE: usize = 16;
/// Capacity of a node of [`Fields`], in fields.
const NODE_FIELDS: usize = 11;
/// Least fields in a node where there are several nodes.
const NODE_FIELDS_LEAST: usize = 5;

/// The bytes a document takes in memory, its own allocation included: an estimate from above, to a quarter or so.
pub(crate) fn document_memory(document: &Document) -> usize {
    size_of::<Document>() + PIECE + document.path.as_str().len() + PIECE + fields_memory(&document.fields)
}

fn fields_memory(fields: &Fields) -> usize {
    let nodes = match fields.len() {
        0 => 0,
        1..=NODE_FIELDS => 1,
        many => many.div_ceil(NODE_FIELDS_LEAST),
    };
    let node = NODE_FIELDS * (size_of::<String>() + size_of::<Value>()) + PIECE;
    let held = fields.iter().map(|(name, value)| name.len() + PIECE + value_memory(value));
    nodes * node + held.sum::<usize>()
}

/// Heap memory of a value, in bytes.
fn value_memory(value: &Value) -> usize {
    match value {
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Double(_)
        | Value::Timestamp(_)
        | Value::GeoPoint(_) => 0,
        Value::String(text) => text.len() + PIECE,
        Value::Bytes(bytes) => bytes.len() + PIECE,
        Value::Reference(reference) => reference.path.as_str().len() + PIECE,
        Value::Array(values) => {
            values.len() * size_of::<Value>() + PIECE + values.iter().map(value_memory).sum::<usize>()
        }
        Value::Vector(values) => size_of_val(values.as_slice()) + PIECE,
        Value::Map(fields) => fields_memory(fields),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::value::fields_size;

    fn nested(inner: Fields) -> Fields {
        Fields::from([("map".to_owned(), Value::Map(inner))])
    }

    proptest! {
        /// Nothing counts for less than what is in it, and a field more never makes it less.
        #[test]
        fn fields_count_for_what_they_hold(
            names in prop::collection::btree_set("[a-z]{1,12}", 0..40),
            text in "[a-z]{0,200}",
        ) {
            let mut fields = Fields::new();
            let mut before = 0;
            for name in names {
                fields.insert(name, Value::String(text.clone()));
                let now = fields_memory(&fields);
                prop_assert!(now > before);
                prop_assert!(now > fields_size(&fields));
                before = now;
            }
            prop_assert!(fields_memory(&nested(fields)) > before);
        }
    }

    #[test]
    fn a_map_of_one_field_counts_for_its_whole_node() {
        let one = Fields::from([("n".to_owned(), Value::Integer(1))]);
        let node = fields_memory(&one);
        assert!(node >= NODE_FIELDS * size_of::<(String, Value)>());
        assert!(fields_memory(&nested(one)) >= 2 * (node - PIECE));
    }
}
