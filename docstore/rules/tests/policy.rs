//! The product's own rules, sentence by sentence. The format is described at the top of `tests/policy/firestore.txt`.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on should fail")]

#[path = "policy/changes.rs"]
mod changes;
#[path = "policy/page.rs"]
mod page;
#[path = "policy/sentences.rs"]
mod sentences;
#[path = "policy/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::path::Path;

use docstore_rules::{Decision, Ruleset, Service};

use page::Page;

const POLICIES: [(&str, Service, &str); 2] = [
    ("firestore.rules", Service::Firestore, "firestore.txt"),
    ("storage.rules", Service::Storage, "storage.txt"),
];

/// Collections whose documents count for an account, by `functions-host/src/product/plans/sizes.rs`.
const COUNTED: [&str; 3] = ["projects", "shares", "users"];

/// Rows tried first before the one that noticed the last change.
const NEAR: usize = 40;

fn policies() -> [(String, Page); 2] {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    POLICIES.map(|(rules, service, page)| {
        let text = std::fs::read_to_string(here.join("../..").join(rules)).expect("the rules");
        let page = std::fs::read_to_string(here.join("tests/policy").join(page)).expect("the policy");
        (text, Page::parse(service, &page))
    })
}

#[test]
fn every_row_is_decided_as_it_says() {
    for (text, page) in policies() {
        let ruleset = Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(ruleset.warnings(), &[], "the product's rules have no warnings");
        let mut wrong = Vec::new();
        for sentence in &page.sentences {
            for row in &sentence.rows {
                let decision = row.decide(&ruleset, &page.world);
                if matches!(decision, Decision::Allow) != row.allowed {
                    let why =
                        if let Decision::Deny(trace) = decision { trace.to_string() } else { String::new() };
                    wrong.push(format!("{}\n  {}\n  {why}", sentence.text, row.told()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn a_get_of_a_members_layout_or_image_reads_the_project_and_nothing_else() {
    let [(text, page), _] = policies();
    let ruleset = Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"));
    let rows = || page.sentences.iter().flat_map(|sentence| &sentence.rows).filter(|row| row.allowed);
    for operation in [
        "get projects/d1/layouts/used",
        "get projects/d1/layouts/used/versions/v",
        "get projects/d1/images/i0",
        "get projects/d1/fonts/f0",
        "get projects/d1/components/c1/cards/k1",
        "list projects/d1/layouts",
        "list projects/d1/images",
    ] {
        let mut members = 0;
        for row in rows().filter(|row| row.is(operation)) {
            assert_eq!(row.reads(&ruleset, &page.world), ["projects/d1"], "{}", row.told());
            members += 1;
        }
        assert!(members >= 5, "{operation}: {members} members may");
    }
}

/// The rows hold every statement of the rules, so that a new collection has a row that writes into it.
#[test]
fn only_admins_write_documents_that_count_for_no_account() {
    let [(text, mut page), _] = policies();
    let ruleset = Ruleset::compile(&text).unwrap_or_else(|e| panic!("{e}"));
    let elsewhere = |path: &str| format!("elsewhere-{path}");
    let copies: Vec<_> =
        page.world.documents.iter().map(|(path, fields)| (elsewhere(path), fields.clone())).collect();
    page.world.documents.extend(copies);
    let mut counted = BTreeSet::new();
    for row in page.sentences.iter().flat_map(|sentence| &sentence.rows).filter(|row| row.allowed) {
        let Some(path) = row.written() else { continue };
        let collection = path.split('/').next().unwrap_or_default();
        if COUNTED.contains(&collection) {
            counted.insert(collection);
        } else {
            assert!(row.claims("admin"), "{}", row.told());
        }
        let moved = row.at(&page.world, &elsewhere(path));
        assert!(matches!(moved.decide(&ruleset, &page.world), Decision::Deny(_)), "{}", moved.told());
    }
    assert_eq!(counted, BTreeSet::from(COUNTED));
}

#[test]
fn every_sentence_of_the_rules_has_a_row_for_it_and_one_against() {
    for (text, page) in policies() {
        let missing = sentences::missing(&text, &page);
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}

#[test]
fn a_sentence_without_rows_both_ways_is_found() {
    let rules = "
        // ---- Heading ----
        // First is said here. Second may be said
        // over two lines; and half of it.
        //
        // A word is explained.";
    let rows = |first: &str| {
        format!("{first}\n= Second may be said over two lines;\nas ann\nallow get a/b\ndeny get a/c\n")
    };
    let missing = |page: &str| sentences::missing(rules, &Page::parse(Service::Firestore, page));
    let first = "= First is said here.\nas ann\nallow get a/b\ndeny get a/c";
    let rest = "= and half of it.\nas ann\nallow get a/b\ndeny get a/c\n~ A word is explained.\n";
    assert_eq!(missing(&(rows(first) + rest)), Vec::<String>::new());
    assert_eq!(
        missing(&rows(first)).len(),
        2,
        "half a sentence, and an explanation that is not marked as one"
    );
    assert_eq!(missing(&(rows("") + rest)).len(), 1);
    let one_way = "= First is said here.\nas ann\nallow get a/b";
    assert_eq!(missing(&(rows(one_way) + rest)).len(), 1);
    let invented = format!("{first}\n= Never said.\nallow get a/b\ndeny get a/c");
    assert_eq!(missing(&(rows(&invented) + rest)).len(), 1);
    let hidden = rest.replace("= and half of it.\nas ann\nallow get a/b\ndeny get a/c", "~ and half of it.");
    assert_eq!(missing(&(rows(first) + &hidden)), Vec::<String>::new());
    let policy = (rows(first) + rest).replace("= Second", "~ Second");
    assert_eq!(missing(&policy).len(), 1, "who may do what is never a mere explanation");
}

/// Changes of the rules that no row notices.
fn unnoticed(text: &str, page: &Page) -> Vec<String> {
    let rows: Vec<_> = page.sentences.iter().flat_map(|sentence| &sentence.rows).collect();
    // The page follows the order of the rules, so the row that notices the next change is near the one that noticed the
    // last.
    let mut near = 0_usize;
    let mut unnoticed = Vec::new();
    for change in changes::all(text) {
        let ruleset = Ruleset::compile(&change.applied(text));
        let ruleset = ruleset.unwrap_or_else(|e| panic!("{}: {e}", change.told(text)));
        let mut order = (0..rows.len()).map(|step| (near.saturating_sub(NEAR) + step) % rows.len());
        let noticed = order.find(|at| {
            let row = rows[*at];
            matches!(row.decide(&ruleset, &page.world), Decision::Allow) != row.allowed
        });
        match noticed {
            Some(at) => near = at,
            None => unnoticed.push(change.told(text)),
        }
    }
    unnoticed
}

/// The rows pin the rules: every statement taken away or widened is noticed by a row.
#[test]
fn every_statement_word_and_number_is_held_by_a_row() {
    for (text, page) in policies() {
        let unnoticed = unnoticed(&text, &page);
        assert!(unnoticed.is_empty(), "no row notices:\n{}", unnoticed.join("\n"));
    }
}

#[test]
fn a_change_that_no_row_notices_is_found() {
    let rules = "service cloud.firestore { match /databases/{d}/documents { match /a/{b} {
        allow get, delete: if request.auth.uid in ['ann', 'eve'] && (b == 'b' || b == 'c');
    } } }";
    let page = |more: &str| {
        let text = format!(
            "everybody ann eve bob\n= It is so.\nonly ann eve may get a/b\nonly ann eve may delete a/b\n{more}"
        );
        Page::parse(Service::Firestore, &text)
    };
    let held = page("only ann eve may get a/c\nonly none may get a/d");
    assert_eq!(unnoticed(rules, &held), Vec::<String>::new());
    let names_of_c = unnoticed(rules, &page("only none may get a/d"));
    assert_eq!(names_of_c.len(), 2, "its operand and its name: {names_of_c:?}");
    let everywhere = unnoticed(rules, &page("only ann eve may get a/c"));
    assert_eq!(everywhere.len(), 1, "the whole bracket: {everywhere:?}");
}
