//! The questions of a project's feedback form, and answers to them.

use docstore::model::{Fields, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tuckbox_names::is_blank;

/// Questions of a form: more are not answered.
const QUESTIONS: usize = 12;
/// Characters of a question, of an end of a scale and of a choice.
const QUESTION_CHARS: usize = 200;
const CHOICE_CHARS: usize = 80;
/// Choices of a question.
const CHOICES: usize = 8;
/// Steps of a scale.
const STEPS: i64 = 5;
/// Characters of an answer in words.
const TEXT_CHARS: usize = 2_000;
/// Cards that one picks.
const CARDS: usize = 20;
/// Characters of a card's name.
const CARD_CHARS: usize = 200;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) ask: String,
    #[serde(flatten)]
    pub(super) kind: Kind,
}

/// The kind of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Kind {
    /// A step from one end to the other.
    Scale {
        #[serde(default)]
        low: String,
        #[serde(default)]
        high: String,
    },
    /// One of several.
    Choice { choices: Vec<String> },
    /// Words.
    Text,
    /// Names of cards that one saw.
    Cards,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Number(i64),
    Text(String),
    Several(Vec<String>),
}

/// The questions of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// Number of its last change.
    pub(super) rev: i64,
    pub(super) questions: Vec<Question>,
}

impl Form {
    /// The form of a project that has none of its own.
    pub(super) fn usual() -> Self {
        let ask = |ask: &str, kind| Question { ask: ask.to_owned(), kind };
        let scale = |low: &str, high: &str| Kind::Scale { low: low.to_owned(), high: high.to_owned() };
        let lengths = ["Much too short", "A little too short", "Right", "A little too long", "Much too long"];
        Self {
            rev: 0,
            questions: vec![
                ask("How much did you enjoy the game?", scale("Not at all", "Very much")),
                ask("How clear were the rules?", scale("Confusing", "Clear")),
                ask("How long did it feel?", Kind::Choice { choices: lengths.map(str::to_owned).to_vec() }),
                ask("Which cards stood out, for better or worse?", Kind::Cards),
                ask("What would you change first?", Kind::Text),
            ],
        }
    }

    pub(super) fn read(fields: &Fields) -> Self {
        let questions = match fields.get("questions") {
            Some(Value::String(text)) => serde_json::from_str(text).ok(),
            _ => None,
        };
        match (fields.get("rev"), questions) {
            (Some(Value::Integer(rev)), Some(questions)) => Self { rev: *rev, questions },
            _ => Self::usual(),
        }
    }

    /// The form as it is stored.
    ///
    /// # Errors
    /// In words, the first thing that is not as a form has it.
    pub(super) fn fields(&self) -> Result<Fields, String> {
        if self.questions.len() > QUESTIONS {
            return Err(format!("A form has at most {QUESTIONS} questions."));
        }
        for question in &self.questions {
            text(&question.ask, "A question", QUESTION_CHARS)?;
            match &question.kind {
                Kind::Scale { low, high } => {
                    for end in [low, high] {
                        if !end.is_empty() {
                            text(end, "An end of a scale", CHOICE_CHARS)?;
                        }
                    }
                }
                Kind::Choice { choices } => {
                    if choices.len() < 2 || choices.len() > CHOICES {
                        return Err(format!("A question with choices has 2 to {CHOICES} of them."));
                    }
                    for choice in choices {
                        text(choice, "A choice", CHOICE_CHARS)?;
                    }
                }
                Kind::Text | Kind::Cards => {}
            }
        }
        let questions = serde_json::to_string(&self.questions).map_err(|error| error.to_string())?;
        Ok(Fields::from([
            ("rev".to_owned(), Value::Integer(self.rev)),
            ("questions".to_owned(), Value::String(questions)),
        ]))
    }

    /// Answers as they are stored: each with its question, so that they are read after the form has changed.
    ///
    /// # Errors
    /// In words, the first answer that fits no question.
    pub(super) fn check(&self, answers: &[Option<Answer>]) -> Result<String, String> {
        if answers.len() != self.questions.len() {
            return Err(format!(
                "The form has {} questions; answer each, or none with null.",
                self.questions.len()
            ));
        }
        if answers.iter().all(Option::is_none) {
            return Err("Answer at least one question.".to_owned());
        }
        let mut all = Vec::new();
        for (question, answer) in self.questions.iter().zip(answers) {
            if let Some(answer) = answer {
                fits(&question.kind, answer).map_err(|why| format!("“{}”: {why}", question.ask))?;
            }
            let mut entry = json!(question);
            entry["answer"] = json!(answer);
            all.push(entry);
        }
        serde_json::to_string(&all).map_err(|error| error.to_string())
    }

    /// Answers that were stored, if they are to this form.
    pub(super) fn answers_of(&self, fields: &Fields) -> Option<Vec<Option<Answer>>> {
        let Some(Value::String(text)) = fields.get("answers") else { return None };
        if fields.get("rev") != Some(&Value::Integer(self.rev)) {
            return None;
        }
        let all: Vec<serde_json::Value> = serde_json::from_str(text).ok()?;
        all.into_iter().map(|mut entry| serde_json::from_value(entry["answer"].take()).ok()).collect()
    }
}

fn fits(kind: &Kind, answer: &Answer) -> Result<(), String> {
    match (kind, answer) {
        (Kind::Scale { .. }, Answer::Number(step)) if (1..=STEPS).contains(step) => Ok(()),
        (Kind::Scale { .. }, _) => Err(format!("answer with a number from 1 to {STEPS}.")),
        (Kind::Choice { choices }, Answer::Text(choice)) if choices.contains(choice) => Ok(()),
        (Kind::Choice { .. }, _) => Err("answer with one of its choices.".to_owned()),
        (Kind::Text, Answer::Text(words)) if !is_blank(words) && words.chars().count() <= TEXT_CHARS => {
            Ok(())
        }
        (Kind::Text, _) => Err(format!("answer with 1 to {TEXT_CHARS} characters.")),
        (Kind::Cards, Answer::Several(cards)) if !cards.is_empty() && cards.len() <= CARDS => {
            cards.iter().try_for_each(|card| text(card, "a card's name", CARD_CHARS).map(drop))
        }
        (Kind::Cards, _) => Err(format!("answer with the names of 1 to {CARDS} cards.")),
    }
}

fn text<'a>(text: &'a str, what: &str, most: usize) -> Result<&'a str, String> {
    if is_blank(text) || text.chars().count() > most || text.chars().any(char::is_control) {
        return Err(format!("{what} has 1 to {most} characters on one line."));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(questions: serde_json::Value) -> Form {
        Form { rev: 3, questions: serde_json::from_value(questions).unwrap() }
    }

    #[test]
    fn a_form_is_read_as_it_was_stored() {
        let form = form(json!([
            {"ask": "Fun?", "kind": "scale", "low": "No", "high": "Yes"},
            {"ask": "Length?", "kind": "choice", "choices": ["Short", "Long"]},
            {"ask": "More?", "kind": "text"},
            {"ask": "Cards?", "kind": "cards"},
        ]));
        assert_eq!(Form::read(&form.fields().unwrap()), form);
        assert!(Form::usual().fields().is_ok());
        let long = "x".repeat(QUESTION_CHARS + 1);
        for bad in [
            json!([{"ask": "", "kind": "text"}]),
            json!([{"ask": long, "kind": "text"}]),
            json!([{"ask": "a\nb", "kind": "text"}]),
            json!([{"ask": "One?", "kind": "choice", "choices": ["Only"]}]),
            json!([{"ask": "Nine?", "kind": "choice", "choices": vec!["x"; 9]}]),
            json!(vec![json!({"ask": "x", "kind": "text"}); QUESTIONS + 1]),
        ] {
            let form = Form { rev: 0, questions: serde_json::from_value(bad.clone()).unwrap() };
            assert!(form.fields().is_err(), "{bad}");
        }
    }

    #[test]
    fn answers_fit_their_questions_and_are_kept_with_them() {
        let form = form(json!([
            {"ask": "Fun?", "kind": "scale"},
            {"ask": "Length?", "kind": "choice", "choices": ["Short", "Long"]},
            {"ask": "More?", "kind": "text"},
            {"ask": "Cards?", "kind": "cards"},
        ]));
        let read =
            |answers: serde_json::Value| serde_json::from_value::<Vec<Option<Answer>>>(answers).unwrap();
        let answers = read(json!([5, "Long", null, ["Fireball"]]));
        let stored = form.check(&answers).unwrap();
        assert!(stored.contains("Fun?") && stored.contains("Fireball"));
        let fields = Fields::from([
            ("answers".to_owned(), Value::String(stored)),
            ("rev".to_owned(), Value::Integer(3)),
        ]);
        assert_eq!(form.answers_of(&fields), Some(answers));
        assert_eq!(Form { rev: 4, ..form.clone() }.answers_of(&fields), None);
        for bad in [
            json!([]),
            json!([null, null, null, null]),
            json!([6, null, null, null]),
            json!(["5", null, null, null]),
            json!([null, "Medium", null, null]),
            json!([null, null, " ", null]),
            json!([null, null, "x".repeat(TEXT_CHARS + 1), null]),
            json!([null, null, null, []]),
            json!([null, null, null, vec!["x"; CARDS + 1]]),
            json!([null, null, null, ["x\ny"]]),
        ] {
            assert!(form.check(&read(bad.clone())).is_err(), "{bad}");
        }
    }
}
