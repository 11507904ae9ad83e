//! The pages beside this file: sentences of the rules, and rows that test them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use docstore_rules::{Auth, Decision, Map, Ruleset, Service};

use crate::world::{Case, World, fields};

pub(crate) struct Page {
    pub(crate) world: World,
    pub(crate) sentences: Vec<Sentence>,
    /// Sentences that explain a word and grant or deny nothing.
    pub(crate) explanations: Vec<String>,
}

pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) rows: Vec<Row>,
}

pub(crate) struct Row {
    case: Case,
    /// Documents that are otherwise than the page begins with, `None` for one that is not there.
    meanwhile: BTreeMap<String, Option<Map>>,
    pub(crate) allowed: bool,
    uid: String,
    claims: Map,
    operation: String,
}

impl Row {
    /// Path of the document that the row creates or changes.
    pub(crate) fn written(&self) -> Option<&str> {
        let mut words = self.operation.split(' ');
        words.next().filter(|word| ["create", "update", "patch"].contains(word)).and_then(|_| words.next())
    }

    /// True if a caller with these claims asks.
    pub(crate) fn claims(&self, name: &str) -> bool {
        self.claims.iter().any(|(claim, _)| &**claim == name)
    }

    /// The same request, of another path.
    pub(crate) fn at(&self, world: &World, path: &str) -> Self {
        let from = self.written().expect("a row that writes");
        let operation = self.operation.replacen(from, path, 1);
        let who = Person { uid: self.uid.clone(), claims: self.claims.clone() };
        who.row(world, &self.meanwhile, self.allowed, &operation)
    }

    /// True for this operation.
    pub(crate) fn is(&self, operation: &str) -> bool {
        self.operation == operation
    }

    /// Paths of the documents that the rules read to decide.
    pub(crate) fn reads(&self, ruleset: &Ruleset, world: &World) -> Vec<String> {
        let read = RefCell::new(Vec::new());
        self.case.decide(ruleset, |path| {
            read.borrow_mut().push(path.to_owned());
            world.documents.get(path).cloned()
        });
        read.into_inner()
    }

    /// Verdict of the rules.
    pub(crate) fn decide(&self, ruleset: &Ruleset, world: &World) -> Decision {
        let document = |path: &str| match self.meanwhile.get(path) {
            Some(other) => other.clone(),
            None => world.documents.get(path).cloned(),
        };
        self.case.decide(ruleset, document)
    }

    pub(crate) fn told(&self) -> String {
        let may = if self.allowed { "may" } else { "may not" };
        format!("{} {may} {}", self.uid, self.operation)
    }
}

#[derive(Clone)]
struct Person {
    uid: String,
    claims: Map,
}

impl Person {
    fn row(
        &self,
        world: &World,
        meanwhile: &BTreeMap<String, Option<Map>>,
        allowed: bool,
        operation: &str,
    ) -> Row {
        let operation = operation.replace("$self", &self.uid);
        let auth = (self.uid != "nobody")
            .then(|| Auth { uid: self.uid.as_str().into(), token: self.claims.clone() });
        let case = world.case(auth, &operation);
        let (uid, claims) = (self.uid.clone(), self.claims.clone());
        Row { case, meanwhile: meanwhile.clone(), allowed, uid, claims, operation }
    }
}

impl Page {
    pub(crate) fn parse(service: Service, text: &str) -> Self {
        let world = World { service, documents: BTreeMap::new(), objects: BTreeMap::new() };
        let mut page = Self { world, sentences: Vec::new(), explanations: Vec::new() };
        let mut who = Person { uid: "nobody".to_owned(), claims: Map::default() };
        let mut everybody = Vec::new();
        let mut meanwhile = BTreeMap::new();
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "" | "#" => {}
                "~" => page.explanations.push(rest.to_owned()),
                "=" => {
                    page.sentences.push(Sentence { text: rest.to_owned(), rows: Vec::new() });
                    meanwhile.clear();
                }
                "meanwhile" => {
                    let (path, json) =
                        rest.split_once(' ').map_or((rest, None), |(path, json)| (path, Some(json)));
                    assert!(page.world.documents.contains_key(path), "{line}: it is no other than it was");
                    meanwhile.insert(path.to_owned(), json.map(fields));
                }
                "document" | "object" => {
                    assert!(page.sentences.is_empty(), "{line}: what there is comes first");
                    let (path, json) = rest.split_once(' ').expect("a path and fields");
                    let world = &mut page.world;
                    let store = if word == "document" { &mut world.documents } else { &mut world.objects };
                    store.insert(path.to_owned(), fields(json));
                }
                "as" => {
                    let (uid, claims) = rest.split_once(' ').unwrap_or((rest, "{}"));
                    who = Person { uid: uid.to_owned(), claims: fields(claims) };
                }
                "allow" | "deny" => {
                    let row = who.row(&page.world, &meanwhile, word == "allow", rest);
                    page.sentences.last_mut().expect("a sentence").rows.push(row);
                }
                "everybody" => everybody = rest.split(' ').map(str::to_owned).collect::<Vec<_>>(),
                "only" => {
                    let (names, operation) = rest.split_once(" may ").expect("who may what");
                    let names: Vec<_> = names.split(' ').filter(|name| *name != "none").collect();
                    assert!(
                        names.iter().all(|name| everybody.iter().any(|uid| uid == name)),
                        "{line}: a name nobody has"
                    );
                    for uid in &everybody {
                        let one = Person { uid: uid.clone(), claims: Map::default() };
                        let row = one.row(&page.world, &meanwhile, names.contains(&uid.as_str()), operation);
                        page.sentences.last_mut().expect("a sentence").rows.push(row);
                    }
                }
                other => panic!("unknown word {other}"),
            }
        }
        page
    }
}
