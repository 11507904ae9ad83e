//! One line of the table, and what it is meant to be.

use serde_json::{Value, json};

/// Goal of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn parts(self) -> (f64, &'static str) {
        match self {
            Self::AtLeast(goal) => (goal, "at least"),
            Self::AtMost(goal) => (goal, "at most"),
        }
    }

    fn met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(goal) => value >= goal,
            Self::AtMost(goal) => value <= goal,
        }
    }
}

/// One line of the table. Lines that belong to the one before are indented.
pub(crate) struct Measure {
    name: String,
    value: f64,
    unit: &'static str,
    goal: Option<Goal>,
}

impl Measure {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, goal: None }
    }

    pub(crate) fn at_least(self, goal: f64) -> Self {
        Self { goal: Some(Goal::AtLeast(goal)), ..self }
    }

    pub(crate) fn at_most(self, goal: f64) -> Self {
        Self { goal: Some(Goal::AtMost(goal)), ..self }
    }

    /// For a program, and for the process that prints the table.
    pub(crate) fn json(&self) -> Value {
        let Self { name, value, unit, goal } = self;
        let (bound, which) = goal.map(Goal::parts).unzip();
        let met = goal.map(|goal| goal.met(*value));
        json!({ "name": name, "value": value, "unit": unit, "goal": bound, "bound": which, "met": met })
    }
}

/// A line of the table, from [`Measure::json`].
pub(crate) fn line(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let value = row["value"].as_f64().unwrap_or(f64::NAN);
    let goal = row["goal"].as_f64().map(|goal| {
        let verdict = if row["met"] == true { "yes" } else { "NO" };
        format!("   {verdict:<3} goal: {} {goal}", text("bound"))
    });
    format!("{:<62} {value:>12.2} {:<3}{}", text("name"), text("unit"), goal.unwrap_or_default())
}

/// Number of goals, and of those that were met.
pub(crate) fn verdict(rows: &[Value]) -> String {
    let goals: Vec<&Value> = rows.iter().filter(|row| !row["met"].is_null()).collect();
    let met = goals.iter().filter(|row| row["met"] == true).count();
    format!("{met} of {} goals met", goals.len())
}
