use crate::Ruleset;

fn diagnostics(text: &str) -> Vec<String> {
    let found = match Ruleset::compile(text) {
        Ok(ruleset) => ruleset.warnings().to_vec(),
        Err(invalid) => invalid.diagnostics,
    };
    found.iter().map(|d| format!("{} {d}", &d.severity.as_str()[..1])).collect()
}

fn within(body: &str) -> String {
    format!(
        "rules_version = '2';\nservice cloud.firestore {{\n  match /databases/{{db}}/documents {{\n{body}\n  }}\n}}\n"
    )
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let table: &[(&str, &[&str])] = &[
        ("match /a/{b} { allow reed: if true; }", &["W L4:22 Invalid method name: reed."]),
        ("match /a/{b}/c/{b} { allow read; }", &["E L4:17 Variable b already exists in the PathTemplate."]),
        (
            "match /a/{b=**}/c/{d=**} { allow read; }",
            &[
                "E L4:20 Invalid glob match expression. Only one glob match is permitted in a match declaration path.",
            ],
        ),
        (
            "match /a/{b=**} { match /c/{d=**} { allow read; } }",
            &[
                "E L4:29 Invalid glob match expression. Only one glob match is permitted in a match declaration path.",
            ],
        ),
        ("match /a/{b} { match /c/{b} { allow read; } }", &[]),
        (
            "function f(x) { return f(x); } match /a/{b} { allow read: if f(1); }",
            &["E L4:10 Recursive call is not allowed."],
        ),
        (
            "function f(x) { return g(x); } function g(x) { return f(x); } match /a/{b} { allow read: if f(1); }",
            &["E L4:10 Detected a call cycle between [f,g] functions."],
        ),
        (
            "function f() { return true; } function f() { return true; } match /a/{b} { allow read: if f(); }",
            &["E L4:40 Function f is already defined.", "W L4:40 Unused function: f."],
        ),
        (
            "function f(x, x) { return x; } match /a/{b} { allow read: if f(1, 2); }",
            &["W L4:12 Unused variable: x.", "E L4:15 Variable x is already defined."],
        ),
        (
            "function f() { let a = 1; let a = 2; return a == 2; } match /a/{b} { allow read: if f(); }",
            &[
                "W L4:20 Unused variable: a.",
                "E L4:31 The identifier [a] is already bound in the current scope.",
            ],
        ),
        (
            "function f(a) { return true; } match /a/{b} { allow read: if true; }",
            &["W L4:10 Unused function: f.", "W L4:12 Unused variable: a."],
        ),
        ("match /a/{b} { allow read: if f(); function f() { return true; } }", &[]),
        (
            "match /a/{b} { function f() { return b == 'x'; } } match /c/{d} { allow read: if f(); }",
            &["W L4:25 Unused function: f.", "W L4:82 Invalid function name: f."],
        ),
        ("match /a/{b} { allow read: if reqest.auth != null; }", &["W L4:31 Invalid variable name: reqest."]),
        ("match /a/{b} { allow read: if b.foo(); }", &["W L4:33 Invalid function name: foo."]),
        ("match /a/{b} { allow read: if math.foo(1) == 1; }", &["W L4:36 Invalid function name: math.foo."]),
        (
            "match /a/{b} { allow read: if b.size(1) == 2; }",
            &["W L4:33 Incorrect number of arguments supplied to function: size."],
        ),
        (
            "function f(x) { return x; } match /a/{b} { allow read: if f(); }",
            &["W L4:59 Incorrect number of arguments supplied to function: f."],
        ),
        (
            "match /a/{b} { allow read: if 1; }",
            &["W L4:31 Invalid type. Permission statements expect a boolean value. Received one of [int]."],
        ),
        (
            "match /a/{b} { allow read: if 1 == 'a'; }",
            &["W L4:33 The sub-expressions are not comparable, so this comparison will always return false."],
        ),
        (
            "match /a/{b} { allow read: if b.matches('('); }",
            &["E L4:41 Invalid regular expression pattern. Pattern: (."],
        ),
        (
            "function f(a,b,c,d,e,f,g,h) { return a+b+c+d+e+f+g+h == 1; } match /a/{x} { allow read: if f(1,2,3,4,5,6,7,8); }",
            &["E L4:10 Function f has more than 7 parameters."],
        ),
    ];
    for (body, expected) in table {
        assert_eq!(diagnostics(&within(body)), *expected, "{body}");
    }
}

#[test]
fn limits_of_match_paths_hold() {
    let captures: String = (0..21).map(|n| format!("/{{v{n}}}")).collect();
    let found = diagnostics(&within(&format!("match {captures} {{ allow read; }}")));
    assert!(found[0].contains("more than 20 wildcards"), "{found:?}");
    let segments = "/a".repeat(101);
    let found = diagnostics(&within(&format!("match {segments} {{ allow read; }}")));
    assert!(found[0].contains("more than 100 segments"), "{found:?}");
}

#[test]
fn version_1_is_warned_of_and_keeps_its_wildcards_last() {
    let v1 = |path: &str| format!("service cloud.firestore {{ match {path} {{ allow read; }} }}");
    assert_eq!(
        diagnostics(&v1("/a/{b=**}")),
        ["W L1:1 Ruleset uses old version (version [1]). Please update to the latest version (version [2])."]
    );
    assert!(diagnostics(&v1("/a/{b=**}/c")).iter().any(|d| d.contains("permitted as the last segment")));
}

#[test]
fn a_thousand_functions_that_call_each_other_compile_quickly() {
    let functions: String =
        (0..1_000).map(|n| format!("function f{n}() {{ return f{}(); }}\n", (n + 1) % 1_000)).collect();
    let found = diagnostics(&within(&format!("{functions} match /a/{{b}} {{ allow read: if f0(); }}")));
    assert!(found.iter().any(|d| d.contains("call cycle")), "{found:?}");
}
