use std::fmt::Write as _;

use proptest::prelude::*;

use crate::diagnostic::Sink;
use crate::source::LineMap;
use crate::syntax::{ExprId, ExprKind, File, PathPart};

use super::parse;

fn parsed(text: &str) -> (File, Vec<String>) {
    let mut sink = Sink::default();
    let file = parse(text, &mut sink);
    let found = sink.finish(&LineMap::new(text.into()));
    (file, found.iter().map(ToString::to_string).collect())
}

/// The expression with every grouping written out.
fn shape(file: &File, id: ExprId) -> String {
    let Some(expr) = file.expression(id) else { return "?".into() };
    let list = |ids: &[ExprId]| ids.iter().map(|id| shape(file, *id)).collect::<Vec<_>>().join(" ");
    match &expr.kind {
        ExprKind::Null => "null".into(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::Bytes(value) => format!("b{value:?}"),
        ExprKind::Variable(name) => name.to_string(),
        ExprKind::List(items) => format!("[{}]", list(items)),
        ExprKind::Map(entries) => {
            let mut out = String::from("{");
            for (key, value) in entries {
                let _ = write!(out, "{}:{} ", shape(file, *key), shape(file, *value));
            }
            out + "}"
        }
        ExprKind::Path(parts) => parts
            .iter()
            .map(|part| match part {
                PathPart::Literal(text) => format!("/{text}"),
                PathPart::Capture(name) => format!("/{{{name}}}"),
                PathPart::RecursiveCapture(name) => format!("/{{{name}=**}}"),
                PathPart::Value(id) => format!("/$({})", shape(file, *id)),
            })
            .collect(),
        ExprKind::Member { object, name } => format!("(. {} {})", shape(file, *object), name.text),
        ExprKind::Index { object, index } => format!("(at {} {})", shape(file, *object), shape(file, *index)),
        ExprKind::Slice { object, from, to } => {
            let bound = |b: &Option<ExprId>| b.map_or_else(|| "_".to_owned(), |id| shape(file, id));
            format!("(slice {} {} {})", shape(file, *object), bound(from), bound(to))
        }
        ExprKind::Call { name, arguments } => format!("({}! {})", name.text, list(arguments)),
        ExprKind::MethodCall { object, name, arguments } => {
            format!("({}.{}! {})", shape(file, *object), name.text, list(arguments))
        }
        ExprKind::Unary { operator, operand } => format!("({operator:?} {})", shape(file, *operand)),
        ExprKind::Binary { operator, left, right, .. } => {
            format!("({} {} {})", operator.symbol(), shape(file, *left), shape(file, *right))
        }
        ExprKind::Is { value, type_name } => format!("(is {} {})", shape(file, *value), type_name.text),
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("(? {} {} {})", shape(file, *condition), shape(file, *then), shape(file, *otherwise))
        }
        ExprKind::Error => "ERROR".into(),
    }
}

fn in_rule(condition: &str) -> String {
    format!("rules_version = '2'; service cloud.firestore {{ match /a {{ allow read: if\n{condition}; }} }}")
}

fn expression(condition: &str) -> String {
    let (file, errors) = parsed(&in_rule(condition));
    assert_eq!(errors, Vec::<String>::new(), "{condition}");
    let id = file.services[0].body.matches[0].body.allows[0].condition.expect("a condition");
    shape(&file, id)
}

#[test]
fn operators_group_by_precedence() {
    let table = [
        ("1 + 2 * 3 - 4", "(- (+ 1 (* 2 3)) 4)"),
        ("10 - 2 - 3", "(- (- 10 2) 3)"),
        ("1 in [1] == true", "(in 1 (== [1] true))"),
        ("true == 1 in [1]", "(in (== true 1) [1])"),
        ("1 in [1] in [true]", "(in (in 1 [1]) [true])"),
        ("1 in [1] && true", "(&& (in 1 [1]) true)"),
        ("1 < 2 is bool", "(is (< 1 2) bool)"),
        ("1 is int == true", "(== (is 1 int) true)"),
        ("1 == 1 is bool", "(is (== 1 1) bool)"),
        ("!true || true", "(|| (Not true) true)"),
        ("a || b && c", "(|| a (&& b c))"),
        ("a && b || c && d", "(|| (&& a b) (&& c d))"),
        ("true || false ? 1 : 2", "(? (|| true false) 1 2)"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ? b ? 1 : 2 : 3", "(? a (? b 1 2) 3)"),
        ("-a.b", "(Minus (. a b))"),
        ("!a.b(1)", "(Not (a.b! 1))"),
        ("- -1", "(Minus (Minus 1))"),
        ("(a || b) && c", "(&& (|| a b) c)"),
        ("a.b['c'][0:2].d(e, 1,)", "((slice (at (. a b) \"c\") 0 2).d! e 1)"),
        ("a[:1][1:][:]", "(slice (slice (slice a _ 1) 1 _) _ _)"),
        ("f(1) / 2", "(/ (f! 1) 2)"),
        ("a / b", "(/ a b)"),
        ("6/2", "(/ 6 2)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("1.5 + .5 + 1.", "(+ (+ 1.5 0.5) 1.0)"),
        ("{'a': [1, 2,], 'b': {}}", "{\"a\":[1 2] \"b\":{} }"),
        (r#"'a\'\n\x41B' + "q\"""#, r#"(+ "a'\nAB" "q\"")"#),
        (r"b'\x41\xffé'", "b[65, 255, 195, 169]"),
        ("get(/a/$(b.c)/(default)/d-e_f.g).data", "(. (get! /a/$((. b c))/(default)/d-e_f.g) data)"),
        ("/a/{b}/{c=**} == d", "(== /a/{b}/{c=**} d)"),
        ("a.match.in", "(. (. a match) in)"),
        ("/* x */ true // y\n", "true"),
    ];
    for (text, expected) in table {
        assert_eq!(expression(text), expected, "{text}");
    }
}

#[test]
fn errors_name_the_place_and_parsing_goes_on() {
    let table: &[(&str, &[&str])] = &[
        ("", &["L1:1 Rules content empty. Compilation aborted."]),
        (
            "hello world",
            &[
                "L1:1 Ruleset uses old version (version [1]). Please update to the latest version (version [2]).",
                "L1:1 mismatched input 'hello' expecting {'function', 'service'}",
            ],
        ),
        (
            "rules_version = '3'; service cloud.firestore { }",
            &[
                "L1:17 Unsupported rules version '3'. Write rules_version = '2';",
                "L1:46 The 'service' body must contain at least one declaration.",
            ],
        ),
        ("rules_version = '2';", &["L1:21 mismatched input '<EOF>' expecting {'function', 'service'}"]),
        (
            "rules_version = '2'; service foo.bar { match /a { allow read; } }",
            &["L1:30 Unknown service 'foo.bar'. Expected cloud.firestore or firebase.storage."],
        ),
        (
            "rules_version = '2';\nservice cloud.firestore {\n  match /a/{b} {\n    allow read: true;\n    allow : if true;\n    allow write: if ;\n  }\n  match /c { }\n}",
            &[
                "L4:17 Missing 'if' before conditional expression.",
                "L5:11 Expected at least one 'operation' after 'allow'.",
                "L6:21 Missing conditional expression after 'if'.",
                "L8:12 The 'match' body must contain at least one declaration.",
            ],
        ),
        (
            "rules_version = '2';\nservice cloud.firestore {\n  /a/{b} { allow read; }\n  match c { allow read; }\n  match / { allow read; }\n",
            &[
                "L3:3 Missing 'match' keyword before path.",
                "L4:9 Unexpected 'c'.",
                "L5:9 Forward slash '/' found where identifier or binding expected.",
                "L6:1 missing '}' at '<EOF>'",
            ],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(parsed(text).1, *expected, "{text}");
    }
    let conditions: &[(&str, &[&str])] = &[
        ("--1", &["L2:1 Increment (++) and decrement (--) operators are not supported."]),
        (
            "1 is nope",
            &[
                "L2:6 An unsupported type identifier was used with the 'is' operator. Received nope. Expected one of bool,bytes,constraint,duration,float,int,latlng,list,vector,set,number,map,string,timestamp,path,map_diff",
            ],
        ),
        ("9223372036854775808", &["L2:1 Invalid number literal 9223372036854775808."]),
        ("007", &["L2:1 Invalid number literal 007. Leave out the leading zeros."]),
        ("1e3", &["L2:2 Unexpected 'e3'."]),
        (r"'\q'", &["L2:2 Unexpected '\\q'. Write \\\\ for a backslash."]),
        ("'abc", &["L2:1 Missing a closing '", "L2:7 Unexpected ';'."]),
        ("a b", &["L2:3 Unexpected 'b'."]),
        ("a # b", &["L2:3 Unexpected '#'."]),
        ("(a", &["L2:3 missing ')' at ';'"]),
        ("[a, b", &["L2:6 missing ']' at ';'"]),
        ("a.", &["L2:3 Unexpected ';'."]),
    ];
    for (condition, expected) in conditions {
        let errors = parsed(&in_rule(condition)).1;
        assert_eq!(errors.first().map(String::as_str), expected.first().copied(), "{condition}: {errors:?}");
    }
}

#[test]
fn depth_is_bounded_however_it_is_made() {
    let n = 3_000;
    for deep in [
        "(".repeat(n) + "1" + &")".repeat(n),
        "[".repeat(n) + &"]".repeat(n),
        "!".repeat(n) + "true",
        "a".to_owned() + &".b".repeat(n),
        "a".to_owned() + &"[0]".repeat(n),
        "1".to_owned() + &" + 1".repeat(n),
        "true".to_owned() + &" ? true : true".repeat(n),
        "/a/$(".repeat(n) + "1" + &")".repeat(n),
        "a(".repeat(n) + &")".repeat(n),
    ] {
        let errors = parsed(&in_rule(&deep)).1;
        assert!(errors.iter().any(|e| e.contains("levels deep")), "{}: {errors:?}", &deep[..20]);
    }
    let blocks = "match /a { ".repeat(n) + &"}".repeat(n);
    let errors = parsed(&format!("rules_version='2'; service cloud.firestore {{ {blocks} }}")).1;
    assert!(errors.iter().any(|e| e.contains("levels deep")), "{errors:?}");
    let long = in_rule(&"a".repeat(crate::limits::MAX_SOURCE_BYTES));
    assert!(parsed(&long).1[0].contains("Rules are too long"));
}

#[test]
fn a_conjunction_of_two_hundred_conditions_is_not_too_deep() {
    let long = vec!["a == b"; 200].join(" && ");
    assert_eq!(parsed(&in_rule(&long)).1, Vec::<String>::new());
}

/// Pieces that make the parser go far before it fails.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "rules_version",
        "=",
        "'2'",
        ";",
        "service",
        "cloud.firestore",
        "{",
        "}",
        "match",
        "/a",
        "/{b}",
        "/{c=**}",
        "allow",
        "read",
        ",",
        "write",
        ":",
        "if",
        "true",
        "false",
        "null",
        "function",
        "f",
        "(",
        ")",
        "let",
        "x",
        "return",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "!",
        "in",
        "is",
        "string",
        ".",
        "[",
        "]",
        "?",
        "$(",
        "\"s\"",
        "'",
        "b'\\xff'",
        "1",
        "1.5",
        "\\",
        "\n",
        "//",
        "/*",
        "*/",
        "é",
        "\0",
        "request",
    ];
    prop_oneof![
        8 => prop::sample::select(words.to_vec()).prop_map(|word| format!("{word} ")),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_tree_or_errors(text in any::<String>()) {
        let (file, errors) = parsed(&text);
        prop_assert!(!errors.is_empty() || !file.services.is_empty());
    }

    #[test]
    fn any_words_give_a_tree_or_errors(pieces in prop::collection::vec(piece(), 0..60), within in any::<bool>()) {
        let words: String = pieces.concat();
        let text = if within { in_rule(&words) } else { words };
        let (file, errors) = parsed(&text);
        prop_assert!(!errors.is_empty() || !file.services.is_empty());
        for error in errors {
            prop_assert!(error.starts_with('L'));
        }
    }
}
