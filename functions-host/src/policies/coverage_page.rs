//! `ruleCoverage.html`: the rules with the values of every expression.

use std::fmt::Write as _;

use serde_json::Value;

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coverage of the rules</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
pre{font:13px/1.7 ui-monospace,monospace;overflow:auto}
span{border-radius:3px}
.true{background:#2f9e4433}.false{background:#e0313133}.mixed{background:#f08c0033}.value{background:#1c7ed622}
.failed{background:#e0313155;outline:1px dashed #e03131}.never{border-bottom:1px dotted}
</style>
<h1>Coverage of the rules</h1>
<p>Point at an expression to see what it came to, and how often.
<span class="true">true</span> <span class="false">false</span> <span class="mixed">both</span>
<span class="value">other values</span> <span class="failed">no value</span> <span class="never">never evaluated</span></p>
<pre>"#;

/// The page for a report in the emulator's `ruleCoverage` form.
pub(super) fn page(report: &Value) -> String {
    let text = report["rules"]["files"][0]["content"].as_str().unwrap_or_default();
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out = String::from(HEAD);
    write(&mut out, &units, 0, units.len(), report["report"].as_array());
    out.push_str("</pre>\n</html>\n");
    out
}

/// Writes `units[from..to]` with the expressions in it. Positions count UTF-16 units, and the end is inclusive.
fn write(out: &mut String, units: &[u16], from: usize, to: usize, expressions: Option<&Vec<Value>>) {
    let mut at = from;
    let mut inside: Vec<_> = expressions.into_iter().flatten().filter_map(range).collect();
    inside.sort_by_key(|(start, ..)| *start);
    for (start, end, expression) in inside {
        // Of overlapping expressions, such as parts of a function, the first is shown.
        if start < at || end > to {
            continue;
        }
        escape(out, &units[at..start]);
        let (class, title) = shown(expression);
        let _infallible = write!(out, "<span class=\"{class}\" title=\"");
        escape(out, &title.encode_utf16().collect::<Vec<_>>());
        out.push_str("\">");
        write(out, units, start, end, expression["children"].as_array());
        out.push_str("</span>");
        at = end;
    }
    escape(out, &units[at..to]);
}

fn range(expression: &Value) -> Option<(usize, usize, &Value)> {
    let position = &expression["sourcePosition"];
    let offset = |name: &str| usize::try_from(position[name].as_u64()?).ok();
    Some((offset("currentOffset")?, offset("endOffset")? + 1, expression))
}

/// The class of an expression, and its values in words.
fn shown(expression: &Value) -> (&'static str, String) {
    let Some(values) = expression["values"].as_array() else {
        return ("never", "never evaluated".to_owned());
    };
    let mut seen: Vec<&'static str> = Vec::new();
    let mut title = Vec::new();
    for value in values {
        let (held, count) = (&value["value"], &value["count"]);
        let (class, text) = match (held["boolValue"].as_bool(), held["undefined"]["causeMessage"].as_str()) {
            (_, Some(message)) => ("failed", message.to_owned()),
            (Some(true), None) => ("true", "true".to_owned()),
            (Some(false), None) => ("false", "false".to_owned()),
            (None, None) => {
                let inner = held.as_object().and_then(|kinds| kinds.values().next());
                ("value", inner.map(Value::to_string).unwrap_or_default())
            }
        };
        if !seen.contains(&class) {
            seen.push(class);
        }
        title.push(format!("{text}, {count} ×"));
    }
    let class = match seen.as_slice() {
        [one] => one,
        all if all.contains(&"failed") => "failed",
        _ => "mixed",
    };
    (class, title.join("\n"))
}

fn escape(out: &mut String, units: &[u16]) {
    for c in char::decode_utf16(units.iter().copied()) {
        match c.unwrap_or(char::REPLACEMENT_CHARACTER) {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::page;

    #[test]
    fn every_expression_is_marked_with_what_it_came_to() {
        let text = "/* 𝒳 <b> */ allow read: if a == 1;";
        let units = |part: &str| text[..text.find(part).unwrap()].encode_utf16().count();
        let at =
            |start: usize, length: usize| json!({ "currentOffset": start, "endOffset": start + length - 1 });
        let a = units("a == 1");
        let report = json!({
            "rules": { "files": [{ "name": "r", "content": text }] },
            "report": [{
                "sourcePosition": at(a, 6),
                "values": [{ "value": { "boolValue": true }, "count": 2 }, { "value": { "boolValue": false }, "count": 1 }],
                "children": [
                    { "sourcePosition": at(a, 1), "values": [{ "value": { "intValue": "1" }, "count": 3 }] },
                    { "sourcePosition": at(a + 5, 1) },
                ],
            }],
        });
        let page = page(&report);
        let expected = "/* 𝒳 &lt;b&gt; */ allow read: if <span class=\"mixed\" title=\"true, 2 ×\nfalse, 1 ×\">\
            <span class=\"value\" title=\"&quot;1&quot;, 3 ×\">a</span> == \
            <span class=\"never\" title=\"never evaluated\">1</span></span>;</pre>";
        assert!(page.contains(expected), "{page}");
    }
}
