//! Scopes: the names visible at a place.

use std::sync::Arc;

use crate::program::FunctionId;
use crate::request::Service;

/// Meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    Request,
    Resource,
    Local(u32),
    Capture(u32),
    Nothing,
}

/// Meaning of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callable {
    Declared(FunctionId),
    /// Not declared in the ruleset; perhaps part of the language.
    Undeclared,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) service: Option<Service>,
    /// Functions of the blocks around, outermost first.
    functions: Vec<Vec<(Arc<str>, FunctionId)>>,
    captures: Vec<Arc<str>>,
    /// Parameters and lets of the function around, and whether they are used.
    locals: Vec<(Arc<str>, bool)>,
}

impl Scope {
    pub(super) fn open(&mut self) {
        self.functions.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.functions.pop();
    }

    /// False if the innermost block has the function already.
    pub(super) fn declare(&mut self, name: Arc<str>, id: FunctionId) -> bool {
        let Some(block) = self.functions.last_mut() else { return false };
        let new = block.iter().all(|(known, _)| *known != name);
        block.push((name, id));
        new
    }

    pub(super) fn captures(&self) -> usize {
        self.captures.len()
    }

    pub(super) fn bind_capture(&mut self, name: Arc<str>) {
        self.captures.push(name);
    }

    pub(super) fn unbind_captures(&mut self, keep: usize) {
        self.captures.truncate(keep);
    }

    pub(super) fn enter_function(&mut self) -> Vec<(Arc<str>, bool)> {
        std::mem::take(&mut self.locals)
    }

    /// Returns for each local whether it was used.
    pub(super) fn leave_function(
        &mut self,
        outer: Vec<(Arc<str>, bool)>,
    ) -> impl Iterator<Item = bool> + use<> {
        std::mem::replace(&mut self.locals, outer).into_iter().map(|(_, used)| used)
    }

    /// False if the function has the name already.
    pub(super) fn bind_local(&mut self, name: Arc<str>) -> bool {
        let new = self.locals.iter().all(|(known, _)| *known != name);
        self.locals.push((name, false));
        new
    }

    pub(super) fn binding(&mut self, name: &str) -> Binding {
        let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        if let Some(at) = self.locals.iter().rposition(|(local, _)| **local == *name) {
            if let Some((_, used)) = self.locals.get_mut(at) {
                *used = true;
            }
            return Binding::Local(index(at));
        }
        if let Some(at) = self.captures.iter().rposition(|capture| **capture == *name) {
            return Binding::Capture(index(at));
        }
        match name {
            "request" => Binding::Request,
            "resource" => Binding::Resource,
            _ => Binding::Nothing,
        }
    }

    pub(super) fn callable(&self, name: &str) -> Callable {
        let declared = |block: &Vec<(Arc<str>, FunctionId)>| {
            block.iter().find(|(known, _)| **known == *name).map(|(_, id)| *id)
        };
        self.functions.iter().rev().find_map(declared).map_or(Callable::Undeclared, Callable::Declared)
    }
}

/// Groups of functions that call each other in a circle, each group once, its members in order of declaration.
pub(super) fn cycles(count: usize, calls: &[(FunctionId, FunctionId)]) -> Vec<Vec<FunctionId>> {
    let mut callees = vec![Vec::new(); count];
    for (caller, callee) in calls {
        if let Some(list) = callees.get_mut(caller.0 as usize) {
            list.push(*callee);
        }
    }
    let reachable = |from: FunctionId| {
        let mut seen = vec![false; count];
        let mut open = callees.get(from.0 as usize).cloned().unwrap_or_default();
        while let Some(id) = open.pop() {
            if let Some(mark) = seen.get_mut(id.0 as usize).filter(|mark| !**mark) {
                *mark = true;
                open.extend(callees.get(id.0 as usize).into_iter().flatten());
            }
        }
        seen
    };
    // Only functions that call another can be in a circle, so that many leaves cost nothing.
    let callers = (0..count).filter(|at| callees.get(*at).is_some_and(|list| !list.is_empty()));
    let ids: Vec<_> = callers.map(|at| FunctionId(u32::try_from(at).unwrap_or(u32::MAX))).collect();
    let reach: Vec<_> = ids.iter().map(|id| (*id, reachable(*id))).collect();
    let reaches = |seen: &[bool], id: FunctionId| seen.get(id.0 as usize).copied().unwrap_or(false);
    let mut groups: Vec<Vec<FunctionId>> = Vec::new();
    for (id, seen) in &reach {
        if reaches(seen, *id) && !groups.iter().flatten().any(|member| member == id) {
            let members = reach.iter().filter(|(other, back)| reaches(seen, *other) && reaches(back, *id));
            groups.push(members.map(|(other, _)| *other).collect());
        }
    }
    groups
}
