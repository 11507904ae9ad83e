//! Finds the parts of a condition that made it fail.

use std::collections::HashMap;

use crate::evaluate::{Fault, Outcome, Recorder};
use crate::program::{NodeId, Op, Program};
use crate::trace::{Cause, cut};
use crate::value::Value;

/// At most so many causes are shown for a condition.
const MAX_CAUSES: usize = 16;

/// The result of each expression.
#[derive(Default)]
pub(crate) struct Explanation {
    seen: HashMap<NodeId, Outcome>,
}

impl Recorder for Explanation {
    fn record(&mut self, node: NodeId, outcome: &Outcome) {
        self.seen.insert(node, outcome.clone());
    }
}

impl Explanation {
    /// The innermost parts that decided, each after the values it was computed from.
    pub(crate) fn causes(&self, program: &Program, condition: NodeId) -> Vec<Cause> {
        let mut causes = Vec::new();
        self.collect(program, condition, &mut causes);
        causes.truncate(MAX_CAUSES);
        causes
    }

    fn collect(&self, program: &Program, id: NodeId, causes: &mut Vec<Cause>) {
        if causes.len() >= MAX_CAUSES {
            return;
        }
        match &program.node(id).op {
            Op::And(left, right) => {
                // The side that is false; or, if none is, those without a value.
                let is_false = |side: &&NodeId| matches!(self.seen.get(side), Some(Ok(Value::Bool(false))));
                match [left, right].into_iter().find(is_false) {
                    Some(side) => self.collect(program, *side, causes),
                    None => self.collect_faults(program, &[*left, *right], causes),
                }
            }
            Op::Or(left, right) => {
                self.collect(program, *left, causes);
                self.collect(program, *right, causes);
            }
            Op::Call { function, .. } => {
                if let Some(function) = program.functions.get(function.0 as usize) {
                    self.collect(program, function.result, causes);
                }
            }
            _ => {
                program.node(id).for_each_child(&mut |child| self.show_operand(program, child, causes));
                self.show(program, id, causes);
            }
        }
    }

    fn collect_faults(&self, program: &Program, sides: &[NodeId], causes: &mut Vec<Cause>) {
        for side in sides {
            if matches!(self.seen.get(side), Some(Err(_))) {
                self.collect(program, *side, causes);
            }
        }
    }

    /// Shows an operand unless its text is its value.
    fn show_operand(&self, program: &Program, id: NodeId, causes: &mut Vec<Cause>) {
        if !matches!(program.node(id).op, Op::Constant(_) | Op::Request) {
            self.show(program, id, causes);
        }
    }

    fn show(&self, program: &Program, id: NodeId, causes: &mut Vec<Cause>) {
        let Some(outcome) = self.seen.get(&id) else { return };
        let value = match outcome {
            Ok(value) => value.to_string(),
            Err(Fault::Failed(message) | Fault::Limit(message)) => message.to_string(),
            Err(Fault::Unproven) => "<not known from the query>".to_owned(),
            Err(Fault::Need(key)) => format!("<needs {key}>"),
        };
        let span = program.node(id).span;
        causes.push(Cause {
            expression: cut(program.text_of(span)),
            position: program.lines.position(span),
            value: cut(&value),
        });
    }
}
