//! The public face: compile a ruleset, ask it.

use std::fmt;
use std::sync::Arc;

use crate::coverage::{Coverage, CoverageReport};
use crate::diagnostic::{Diagnostic, InvalidRuleset, Sink};
use crate::evaluate::{Bindings, Evaluator, Fault, Recorder, Usage};
use crate::explain::Explanation;
use crate::matching::{Asked, captures};
use crate::parser::parse;
use crate::program::{AllowRule, MatchRule, Program};
use crate::proof::{Filter, Unknown, alternatives};
use crate::request::{DocumentKey, Documents, Method, Request};
use crate::source::LineMap;
use crate::trace::{Statement, Trace, Verdict};
use crate::value::{Path, Value};
use crate::{compile, diagnostic::Severity};

/// A compiled ruleset. Cheap to clone and to share.
#[derive(Clone)]
pub struct Ruleset {
    program: Arc<Program>,
    warnings: Arc<[Diagnostic]>,
}

impl fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ruleset").field("warnings", &self.warnings).finish_non_exhaustive()
    }
}

/// Verdict of a ruleset on a request.
#[derive(Debug, Clone)]
pub enum Decision {
    /// It may happen.
    Allow,
    /// It may not.
    Deny(Trace),
    /// The document must be added to the [`Documents`] first; then ask again.
    Need(DocumentKey),
}

/// Documents a query covers, for [`Prepared::prove`].
#[derive(Debug, Clone)]
pub enum Scope {
    /// Those of the collection at the request's path.
    Collection,
    /// Those of all collections of the request path's last segment, at any depth below the rest of the path.
    CollectionGroup,
    /// All at any depth below the request's path.
    Everything,
}

impl Ruleset {
    /// Compiles one rules file.
    ///
    /// # Errors
    /// All that is wrong with it, with places.
    pub fn compile(text: &str) -> Result<Self, InvalidRuleset> {
        let mut sink = Sink::default();
        let file = parse(text, &mut sink);
        let text: Arc<str> = text.into();
        if sink.has_errors() {
            return Err(InvalidRuleset { diagnostics: sink.finish(&LineMap::new(text)) });
        }
        let program = compile::compile(text, &file, &mut sink);
        let failed = sink.has_errors();
        let diagnostics = sink.finish(&program.lines);
        if failed {
            return Err(InvalidRuleset { diagnostics });
        }
        debug_assert!(diagnostics.iter().all(|d| d.severity == Severity::Warning));
        Ok(Self { program: Arc::new(program), warnings: diagnostics.into() })
    }

    /// Warnings about the ruleset.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.program.text
    }

    /// Does the work that is the same for every document of a request.
    pub fn prepare(&self, request: &Request) -> Prepared {
        let asked: Vec<_> = request.path.iter().cloned().map(Asked::Known).collect();
        self.prepare_asked(request, &asked)
    }

    /// As [`Self::prepare`], for a query over the collection at, or the collection group named by, the end of
    /// the request's path.
    pub fn prepare_query(&self, request: &Request, scope: &Scope) -> Prepared {
        let mut asked: Vec<_> = request.path.iter().cloned().map(Asked::Known).collect();
        match scope {
            Scope::Collection => {}
            Scope::CollectionGroup => asked.insert(asked.len().saturating_sub(1), Asked::Many),
            Scope::Everything => asked.push(Asked::Many),
        }
        asked.push(Asked::One);
        self.prepare_asked(request, &asked)
    }

    fn prepare_asked(&self, request: &Request, asked: &[Asked]) -> Prepared {
        let mut candidates = Vec::new();
        for (index, rule) in self.program.matches.iter().enumerate() {
            let applies = rule.allows.iter().any(|allow| allow.methods.contains(request.method));
            if rule.service == request.service
                && applies
                && let Some(captures) = captures(&rule.template, asked)
            {
                candidates.push(Candidate { rule: index, captures });
            }
        }
        Prepared {
            program: Arc::clone(&self.program),
            method: request.method,
            service: request.service,
            path: Path::from_segments(request.path.iter().cloned()),
            request: request.to_value(),
            candidates,
        }
    }

    /// An empty coverage of this ruleset.
    pub fn coverage(&self) -> Coverage {
        Coverage::new(Arc::clone(&self.program))
    }

    /// The report of `coverage`, which must come from [`Self::coverage`].
    pub fn report(&self, coverage: &Coverage) -> CoverageReport {
        coverage.report()
    }
}

/// A request made ready to be decided on for many documents.
#[derive(Clone)]
pub struct Prepared {
    program: Arc<Program>,
    method: Method,
    service: crate::request::Service,
    path: Path,
    request: Value,
    candidates: Vec<Candidate>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("request", &self.request).finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Candidate {
    rule: usize,
    captures: Vec<Value>,
}

impl Prepared {
    /// Decides for the existing document `resource`, [`Value::Null`] if there is none.
    pub fn evaluate(&self, resource: &Value, documents: &Documents) -> Decision {
        self.decide(resource, documents, None)
    }

    /// Like [`Self::evaluate`], and adds the computed values to `coverage`.
    pub fn evaluate_covered(
        &self,
        resource: &Value,
        documents: &Documents,
        coverage: &mut Coverage,
    ) -> Decision {
        self.decide(resource, documents, Some(coverage))
    }

    /// True if the rules surely allow the request, for every existing document and every [`Request::resource`], without
    /// reading any document. False decides nothing.
    pub fn allows_regardless(&self) -> bool {
        let (resource, documents) = (Value::Unknown(Unknown::Anything), Documents::for_single());
        matches!(self.judge(&resource, &documents, None), Some(Decision::Allow))
    }

    /// Decides on a query: the rules must allow every document that could pass `filter`, with any content of the
    /// collection. As in Firestore, it reads no documents but those the rules name.
    pub fn prove(&self, filter: &Filter, documents: &Documents) -> Decision {
        self.prove_with(filter, documents, None)
    }

    /// Like [`Self::prove`], and adds the computed values to `coverage`.
    pub fn prove_covered(&self, filter: &Filter, documents: &Documents, coverage: &mut Coverage) -> Decision {
        self.prove_with(filter, documents, Some(coverage))
    }

    fn prove_with(
        &self,
        filter: &Filter,
        documents: &Documents,
        mut coverage: Option<&mut Coverage>,
    ) -> Decision {
        for resource in alternatives(filter) {
            let decision = self.decide(&resource, documents, coverage.as_deref_mut());
            if !matches!(decision, Decision::Allow) {
                return decision;
            }
        }
        Decision::Allow
    }

    fn decide(&self, resource: &Value, documents: &Documents, coverage: Option<&mut Coverage>) -> Decision {
        self.judge(resource, documents, coverage)
            .unwrap_or_else(|| Decision::Deny(self.explain(resource, documents)))
    }

    /// `None` is a denial yet to be explained.
    fn judge(
        &self,
        resource: &Value,
        documents: &Documents,
        coverage: Option<&mut Coverage>,
    ) -> Option<Decision> {
        let mut usage = Usage::default();
        let mut coverage = coverage;
        for (candidate, allow) in self.statements() {
            let Some(condition) = allow.condition else { return Some(Decision::Allow) };
            let recorder = coverage.as_deref_mut().map(|coverage| coverage as &mut dyn Recorder);
            let bindings = self.bindings(candidate, resource, documents);
            let outcome = Evaluator::new(&self.program, bindings, &mut usage, recorder).condition(condition);
            match outcome {
                Ok(true) => return Some(Decision::Allow),
                Err(Fault::Need(key)) => return Some(Decision::Need(DocumentKey::clone(&key))),
                Err(Fault::Limit(_)) => break,
                Ok(false) | Err(Fault::Failed(_) | Fault::Unproven) => {}
            }
        }
        None
    }

    /// The allow statements for the method, in source order.
    fn statements(&self) -> impl Iterator<Item = (&Candidate, &AllowRule)> {
        self.candidates.iter().flat_map(|candidate| {
            let rule = self.program.matches.get(candidate.rule);
            let allows = rule.into_iter().flat_map(|rule| &rule.allows);
            let applies = |allow: &&AllowRule| allow.methods.contains(self.method);
            allows.filter(applies).map(move |allow| (candidate, allow))
        })
    }

    fn bindings<'a>(
        &'a self,
        candidate: &'a Candidate,
        resource: &'a Value,
        documents: &'a Documents,
    ) -> Bindings<'a> {
        Bindings {
            service: self.service,
            request: &self.request,
            resource,
            captures: &candidate.captures,
            documents,
        }
    }

    /// Evaluates again, this time recording the values of each condition's parts. Only denials pay for their trace.
    fn explain(&self, resource: &Value, documents: &Documents) -> Trace {
        let mut usage = Usage::default();
        let mut statements = Vec::new();
        for (candidate, allow) in self.statements() {
            let Some(condition) = allow.condition else { continue };
            let mut explanation = Explanation::default();
            let bindings = self.bindings(candidate, resource, documents);
            let outcome = Evaluator::new(&self.program, bindings, &mut usage, Some(&mut explanation))
                .condition(condition);
            let (verdict, ends) = match outcome {
                Ok(_) => (Verdict::False, false),
                Err(Fault::Failed(message)) => (Verdict::Failed(message.to_string()), false),
                Err(Fault::Limit(message)) => (Verdict::Failed(message.to_string()), true),
                Err(Fault::Unproven | Fault::Need(_)) => (Verdict::Unproven, false),
            };
            statements.push(Statement {
                match_path: self
                    .program
                    .matches
                    .get(candidate.rule)
                    .map_or_else(String::new, MatchRule::path),
                line: self.program.line_of(allow),
                position: self.program.lines.position(self.program.node(condition).span),
                condition: self.program.text_of(self.program.node(condition).span).to_owned(),
                verdict,
                causes: explanation.causes(&self.program, condition),
            });
            if ends {
                break;
            }
        }
        Trace { method: self.method, path: self.path.to_string(), statements }
    }
}
