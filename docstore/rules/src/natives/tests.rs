//! The tables of the language leave nothing out: they are held against the list of functions and the operators.

use std::path::Path;

use super::*;

/// Rows of all tables, `(expression, outcome)`.
fn rows() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    let files =
        std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()));
    let lines: Vec<String> =
        files.flat_map(|text| text.unwrap().lines().map(ToOwned::to_owned).collect::<Vec<_>>()).collect();
    let row = |line: &String| line.split_once("  =>  ").map(|(from, to)| (from.to_owned(), to.to_owned()));
    lines.iter().filter_map(row).collect()
}

fn signature(native: &Native) -> String {
    let parameters = native.parameters.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    match native.home {
        Home::Global => format!("{}({parameters})", native.name),
        Home::Namespace(home) => format!("{home}.{}({parameters})", native.name),
        Home::Method(receiver) => format!("{}.{}({parameters})", receiver.name(), native.name),
    }
}

/// Source text of a call of it.
fn written(native: &Native) -> String {
    match native.home {
        Home::Global => format!("{}(", native.name),
        Home::Namespace(home) => format!("{home}.{}(", native.name),
        Home::Method(_) => format!(".{}(", native.name),
    }
}

#[test]
fn every_function_and_method_is_called_rightly_and_wrongly() {
    let rows = rows();
    let mut missing = Vec::new();
    for native in TABLES.iter().copied().flatten() {
        let (signature, written) = (signature(native), written(native));
        let right = |(from, to): &(String, String)| from.contains(&written) && !to.starts_with('!');
        let wrong = |(_, to): &(String, String)| {
            to.split_once("Expected: ").is_some_and(|(_, expected)| expected.contains(&signature))
        };
        if !rows.iter().any(right) {
            missing.push(format!("{signature} is never called"));
        }
        if !rows.iter().any(wrong) {
            missing.push(format!("{signature} is never refused other arguments"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_operator_holds_and_fails_in_the_tables() {
    let rows = rows();
    let spelt = [
        " + ", " - ", " * ", " / ", " % ", " < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || ",
        " in ", " is ", " ? ", "!", "-", "[", ":",
    ];
    for operator in spelt {
        let (mut right, mut wrong) = (0, 0);
        for (_, to) in rows.iter().filter(|(from, _)| from.contains(operator)) {
            *if to.starts_with('!') { &mut wrong } else { &mut right } += 1;
        }
        assert!(right > 1 && wrong > 1, "{operator}: {right} with a value, {wrong} without");
    }
}
