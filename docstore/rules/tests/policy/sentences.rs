//! Checks that rows cover every sentence in the comments of a rules file.

use crate::page::Page;

/// Words of a sentence that grants or denies something.
const OF_POLICY: [&str; 9] =
    [" may ", "nobody", "only", "alone", "denied", "everybody", "anybody", "Nobody", "Everybody"];

/// The sentences of the comments, each as one line.
fn sentences(rules: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in rules.lines() {
        match line.trim().strip_prefix("// ") {
            Some(text) if !text.starts_with("----") => {
                let paragraph = paragraphs.last_mut().expect("never empty");
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(text);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    let split = paragraphs.iter().flat_map(|text| text.split_inclusive(". "));
    split.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// Mismatches: sentences of the rules without rows, and rows for sentences the rules do not contain.
pub(crate) fn missing(rules: &str, page: &Page) -> Vec<String> {
    let said = sentences(rules);
    let mut missing = Vec::new();
    for sentence in &page.sentences {
        let count = |allowed| sentence.rows.iter().filter(|row| row.allowed == allowed).count();
        let (with, against) = (count(true), count(false));
        if with == 0 || against == 0 {
            missing.push(format!("{with} for, {against} against: {}", sentence.text));
        }
    }
    for text in &page.explanations {
        if OF_POLICY.iter().any(|word| text.contains(word)) {
            missing.push(format!("says who may do what, so it needs rows: {text}"));
        }
    }
    let told: Vec<_> = page.sentences.iter().map(|one| &one.text).chain(&page.explanations).collect();
    for text in &told {
        if !said.iter().any(|sentence| sentence.contains(text.as_str())) {
            missing.push(format!("the rules do not say: {text}"));
        }
    }
    for sentence in &said {
        let mut rest = sentence.clone();
        for text in &told {
            rest = rest.replacen(text.as_str(), "", 1);
        }
        if rest.contains(char::is_alphanumeric) {
            missing.push(format!("no row for: {rest}"));
        }
    }
    missing
}
