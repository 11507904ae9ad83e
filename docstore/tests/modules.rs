//! The top-level modules of the packages below import each other without a circle.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests fail the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The packages that are checked, as folders of the workspace.
const PACKAGES: [&str; 7] = [
    "docstore",
    "docstore/postgres",
    "docstore/wire",
    "auth-emu",
    "storage-emu",
    "functions-host",
    "functions-host/table",
];

/// Module to the modules it refers to.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Removes comments, string contents and items under `#[cfg(test)]`.
fn product_code(source: &str) -> String {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut rest = lines.collect::<Vec<_>>().join("\n");
    while let Some(start) = rest.find("#[cfg(test)]") {
        let tail = &rest[start..];
        let (brace, semicolon) = (tail.find('{'), tail.find(';'));
        let end = match (brace, semicolon) {
            (Some(brace), semicolon) if semicolon.is_none_or(|semicolon| brace < semicolon) => {
                let mut depth = 0_usize;
                let closing = tail.char_indices().skip_while(|(at, _)| *at < brace).find(|(_, c)| {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                });
                closing.map_or(tail.len(), |(at, _)| at + 1)
            }
            (_, semicolon) => semicolon.map_or(tail.len(), |at| at + 1),
        };
        rest.replace_range(start..start + end, "");
    }
    rest
}

/// The first names of the paths behind `prefix`: `prefix::a::b` and `prefix::{a::b, c}` name `a`, and `a` and `c`.
fn names_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let mut depth = 0_usize;
        let mut is_first = true;
        let mut name = String::new();
        for c in code[at + prefix.len()..].chars().chain(['\0']) {
            match c {
                '{' => depth += 1,
                c if c.is_alphanumeric() || c == '_' => name.push(c),
                c => {
                    if is_first && !name.is_empty() {
                        names.insert(name.clone());
                    }
                    name.clear();
                    is_first = c == ',' && depth == 1 || (is_first && c.is_whitespace());
                    if c == '}' {
                        depth = depth.saturating_sub(1);
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
    }
    names
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    all
}

/// The modules that `root` re-exports names from: `pub use store::{Store, …}`.
fn reexports(root: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for statement in root.split(';').filter_map(|part| part.trim().strip_prefix("pub use ")) {
        let Some((module, names)) = statement.split_once("::") else { continue };
        for name in names.trim_matches(['{', '}']).split(',').map(str::trim) {
            all.insert(name.to_owned(), module.to_owned());
        }
    }
    all
}

fn graph(package: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let root = product_code(&fs::read_to_string(folder.join("lib.rs")).unwrap());
    let reexported = reexports(&root);
    let mut graph = Graph::new();
    for path in sources(&folder) {
        let within = path.strip_prefix(&folder).unwrap().with_extension("");
        let parts: Vec<_> = within.iter().map(|part| part.to_str().unwrap()).collect();
        let is_test = parts.iter().any(|part| *part == "tests" || part.ends_with("_tests"));
        // Generated code names its own packages.
        let is_generated = parts[0] == "pb" && parts.len() > 1;
        if is_test || is_generated || matches!(parts[0], "lib" | "main") {
            continue;
        }
        let code = product_code(&fs::read_to_string(&path).unwrap());
        let mut names = names_after(&code, "crate::");
        names.extend(names_after(&code, &"super::".repeat(parts.len())));
        let targets = names.into_iter().map(|name| reexported.get(&name).cloned().unwrap_or(name));
        graph.entry(parts[0].to_owned()).or_default().extend(targets.filter(|target| target != parts[0]));
    }
    let modules: BTreeSet<_> = graph.keys().cloned().collect();
    graph.values_mut().for_each(|targets| targets.retain(|target| modules.contains(target)));
    graph
}

/// A circle of the graph, its first module at the end again.
fn circle(graph: &Graph) -> Option<Vec<String>> {
    fn visit(graph: &Graph, at: &str, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if done.contains(at) {
            return false;
        }
        let seen = path.iter().position(|module| module == at);
        path.push(at.to_owned());
        if let Some(seen) = seen {
            path.drain(..seen);
            return true;
        }
        if graph.get(at).is_some_and(|targets| targets.iter().any(|next| visit(graph, next, path, done))) {
            return true;
        }
        path.pop();
        done.insert(at.to_owned());
        false
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|module| {
        let mut path = Vec::new();
        visit(graph, module, &mut path, &mut done).then_some(path)
    })
}

#[test]
fn modules_form_no_circle() {
    let circles: Vec<_> = PACKAGES
        .iter()
        .filter_map(|package| Some(format!("{package}: {}", circle(&graph(package))?.join(" → "))))
        .collect();
    assert!(circles.is_empty(), "modules import each other in a circle; cut it:\n{}", circles.join("\n"));
}

#[test]
fn the_check_sees_the_modules_of_this_package() {
    let graph = graph("docstore");
    assert!(graph["session"].contains("database") && graph["database"].contains("store"));
    assert!(graph["store"].contains("engine") && graph["query"].contains("engine"));
    let code = "use crate::{Code, model::{a, b}, store};\n#[cfg(test)]\nmod tests { use crate::watch; }\n crate::txn::x()";
    let names = names_after(&product_code(code), "crate::");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["Code", "model", "store", "txn"]);
    let circular = [("a", "b"), ("b", "c"), ("c", "b")]
        .map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    assert_eq!(circle(&Graph::from(circular)).unwrap(), ["b", "c", "b"]);
}
