//! Syntax tree to [`Program`]: resolves names and runs all checks that need no evaluation.

mod calls;
mod names;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::Sink;
use crate::limits::{MAX_CAPTURES, MAX_PATH_SEGMENTS};
use crate::program::{AllowRule, Function, FunctionId, MatchRule, Node, NodeId, Op, Program, TemplatePiece};
use crate::request::{MethodSet, Service};
use crate::source::{LineMap, Span};
use crate::syntax::{self, Body, ExprId, File, Name, Segment, Version};

use names::{Binding, Callable, Scope};

/// Resolves `file`. Use the program only if `sink` has no errors.
pub(crate) fn compile(text: Arc<str>, file: &File, sink: &mut Sink) -> Program {
    let mut compiler = Compiler {
        file,
        sink,
        nodes: Vec::with_capacity(file.expressions.len()),
        functions: Vec::new(),
        matches: Vec::new(),
        scope: Scope::default(),
        calling: None,
        calls: Vec::new(),
    };
    for expression in &file.expressions {
        compiler.nodes.push(Node { span: expression.span, op: Op::Nameless });
    }
    let declared = compiler.declare(&file.functions);
    compiler.define(&file.functions, &declared);
    for service in &file.services {
        compiler.service(service);
    }
    compiler.finish_functions(&file.functions, &declared);
    compiler.refuse_recursion();
    let Compiler { nodes, functions, matches, .. } = compiler;
    let functions = functions.into_iter().map(|declared| declared.function).collect();
    Program { lines: LineMap::new(Arc::clone(&text)), text, nodes, functions, matches }
}

struct Compiler<'f, 'd> {
    file: &'f File,
    sink: &'d mut Sink,
    nodes: Vec<Node>,
    functions: Vec<Declared>,
    matches: Vec<MatchRule>,
    scope: Scope,
    /// The function whose body is being resolved.
    calling: Option<FunctionId>,
    /// Call graph: pairs of caller and callee.
    calls: Vec<(FunctionId, FunctionId)>,
}

struct Declared {
    function: Function,
    span: Span,
    used: bool,
}

impl Compiler<'_, '_> {
    fn service(&mut self, service: &syntax::Service) {
        let kind = match &*service.name.text {
            "cloud.firestore" => Service::Firestore,
            "firebase.storage" => Service::Storage,
            _ => return,
        };
        self.scope.service = Some(kind);
        self.body(&service.body, kind, &mut Vec::new());
        self.scope.service = None;
    }

    /// `template` holds the segments of the match blocks around.
    fn body(&mut self, body: &Body, service: Service, template: &mut Vec<Segment>) {
        let declared = self.declare(&body.functions);
        self.define(&body.functions, &declared);
        let allows: Vec<_> = body.allows.iter().map(|allow| self.allow(allow)).collect();
        if !allows.is_empty() {
            let template = template.iter().map(|segment| self.piece(segment)).collect();
            self.matches.push(MatchRule { service, template, allows });
        }
        for inner in &body.matches {
            self.match_block(inner, service, template);
        }
        self.finish_functions(&body.functions, &declared);
    }

    fn match_block(&mut self, block: &syntax::Match, service: Service, template: &mut Vec<Segment>) {
        let (outer_segments, outer_captures) = (template.len(), self.scope.captures());
        let mut own: Vec<Arc<str>> = Vec::new();
        let mut recursive_seen = self.file.version == Version::Two
            && template.iter().any(|outer| matches!(outer, Segment::Recursive(_)));
        let last = block.segments.len().saturating_sub(1);
        for (index, segment) in block.segments.iter().enumerate() {
            let name = match segment {
                Segment::Literal(_) => None,
                Segment::Single(name) | Segment::Recursive(name) => Some(name),
            };
            if let Some(name) = name {
                if own.contains(&name.text) {
                    let message = format!("Variable {} already exists in the PathTemplate.", name.text);
                    self.sink.error(name.span, message);
                }
                own.push(name.text.clone());
                self.scope.bind_capture(name.text.clone());
            }
            if let Segment::Recursive(name) = segment {
                if recursive_seen {
                    let message = "Invalid glob match expression. Only one glob match is permitted in a \
                                   match declaration path.";
                    self.sink.error(name.span, message);
                }
                if self.file.version == Version::One && index != last {
                    let message = "Invalid glob match expression. Glob matches are permitted as the last \
                                   segment in a match declaration path.";
                    self.sink.error(name.span, message);
                }
                recursive_seen = true;
            }
            template.push(segment.clone());
        }
        let span = block.segments.first().map_or_else(Span::default, segment_span);
        if template.len() > MAX_PATH_SEGMENTS {
            let message =
                format!("Match paths inside one another have more than {MAX_PATH_SEGMENTS} segments.");
            self.sink.error(span, message);
        }
        if self.scope.captures() > MAX_CAPTURES {
            let message = format!("Match paths inside one another have more than {MAX_CAPTURES} wildcards.");
            self.sink.error(span, message);
        }
        self.body(&block.body, service, template);
        template.truncate(outer_segments);
        self.scope.unbind_captures(outer_captures);
    }

    fn piece(&self, segment: &Segment) -> TemplatePiece {
        match segment {
            Segment::Literal(name) => TemplatePiece::Literal(name.text.clone()),
            Segment::Single(name) => TemplatePiece::Single(name.text.clone()),
            Segment::Recursive(name) => {
                let greedy = self.file.version == Version::One;
                TemplatePiece::Recursive { name: name.text.clone(), greedy }
            }
        }
    }

    fn allow(&mut self, allow: &syntax::Allow) -> AllowRule {
        let mut methods = MethodSet::NONE;
        for method in &allow.methods {
            match MethodSet::named(&method.text) {
                Some(named) => methods = methods.with(named),
                None => self.sink.warning(method.span, format!("Invalid method name: {}.", method.text)),
            }
        }
        if let Some(condition) = allow.condition {
            self.resolve(condition);
            self.check_condition(condition);
        }
        AllowRule { methods, condition: allow.condition.map(node_id), span: allow.span }
    }

    fn check_condition(&mut self, condition: ExprId) {
        let Some(Node { span, op: Op::Constant(value) }) = self.nodes.get(condition.0 as usize) else {
            return;
        };
        if value.type_of() != crate::value::Type::Bool {
            let message = format!(
                "Invalid type. Permission statements expect a boolean value. Received one of [{}].",
                value.type_of().name()
            );
            self.sink.warning(*span, message);
        }
    }

    /// Makes the functions of one block callable in it.
    fn declare(&mut self, functions: &[syntax::Function]) -> Vec<FunctionId> {
        let mut declared = Vec::new();
        self.scope.open();
        for function in functions {
            let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
            let Name { text, span } = &function.name;
            if !self.scope.declare(text.clone(), id) {
                self.sink.error(*span, format!("Function {text} is already defined."));
            }
            self.functions.push(Declared {
                function: Function {
                    name: text.clone(),
                    parameters: function.parameters.len(),
                    lets: function.lets.iter().map(|(_, value)| node_id(*value)).collect(),
                    result: node_id(function.result),
                },
                span: *span,
                used: false,
            });
            declared.push(id);
        }
        declared
    }

    fn define(&mut self, functions: &[syntax::Function], ids: &[FunctionId]) {
        for (function, id) in functions.iter().zip(ids) {
            self.calling = Some(*id);
            let outer = self.scope.enter_function();
            for parameter in &function.parameters {
                if !self.scope.bind_local(parameter.text.clone()) {
                    let message = format!("Variable {} is already defined.", parameter.text);
                    self.sink.error(parameter.span, message);
                }
            }
            for (name, value) in &function.lets {
                self.resolve(*value);
                if !self.scope.bind_local(name.text.clone()) {
                    let message =
                        format!("The identifier [{}] is already bound in the current scope.", name.text);
                    self.sink.error(name.span, message);
                }
            }
            self.resolve(function.result);
            let names = function.parameters.iter().chain(function.lets.iter().map(|(name, _)| name));
            for (name, used) in names.zip(self.scope.leave_function(outer)) {
                if !used {
                    self.sink.warning(name.span, format!("Unused variable: {}.", name.text));
                }
            }
            self.calling = None;
        }
    }

    /// Ends a block: warns of its unused functions and removes them from scope.
    fn finish_functions(&mut self, functions: &[syntax::Function], ids: &[FunctionId]) {
        for (function, id) in functions.iter().zip(ids) {
            if self.functions.get(id.0 as usize).is_some_and(|declared| !declared.used) {
                let message = format!("Unused function: {}.", function.name.text);
                self.sink.warning(function.name.span, message);
            }
        }
        self.scope.close();
    }

    fn refuse_recursion(&mut self) {
        let message_of = |cycle: &[FunctionId], functions: &[Declared]| {
            if cycle.len() == 1 {
                return "Recursive call is not allowed.".to_owned();
            }
            let name = |id: &FunctionId| functions.get(id.0 as usize).map_or("", |d| &*d.function.name);
            let names: Vec<_> = cycle.iter().map(name).collect();
            format!("Detected a call cycle between [{}] functions.", names.join(","))
        };
        for cycle in names::cycles(self.functions.len(), &self.calls) {
            let span = cycle.first().and_then(|id| self.functions.get(id.0 as usize)).map(|d| d.span);
            let message = message_of(&cycle, &self.functions);
            self.sink.error(span.unwrap_or_default(), message);
        }
    }

    /// Resolves a name in the current scope.
    fn binding(&mut self, name: &str) -> Binding {
        self.scope.binding(name)
    }

    /// Resolves a called name in the current scope.
    fn callable(&mut self, name: &str) -> Callable {
        let callable = self.scope.callable(name);
        if let Callable::Declared(id) = callable {
            if let Some(declared) = self.functions.get_mut(id.0 as usize) {
                declared.used = true;
            }
            if let Some(caller) = self.calling {
                self.calls.push((caller, id));
            }
        }
        callable
    }
}

fn node_id(id: ExprId) -> NodeId {
    NodeId(id.0)
}

fn segment_span(segment: &Segment) -> Span {
    match segment {
        Segment::Literal(name) | Segment::Single(name) | Segment::Recursive(name) => name.span,
    }
}
