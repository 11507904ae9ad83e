//! Feedback on playtests: who answers the questions of a project, who reads the answers, and who writes the questions.

use serde_json::{Value, json};

use crate::server::Place;
use crate::table::client::{call, emulator, open_table, put_project, token};

const MEMBERS: [(&str, &str); 3] = [("bob", "playtester"), ("eda", "editor"), ("vic", "viewer")];

#[tokio::test]
async fn people_of_a_table_answer_and_makers_of_the_game_read() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let as_ = async |uid: &str, name: &str, data: Value| call(&server, &token(uid), name, data).await;
    let form = as_("bob", "feedbackForm", json!({"table": table})).await.unwrap();
    assert_eq!(
        (form["questions"].as_array().unwrap().len(), &form["rev"], &form["answers"]),
        (5, &json!(0), &Value::Null)
    );
    let questions = json!([
        {"ask": "Fun?", "kind": "scale", "low": "No", "high": "Yes"},
        {"ask": "More?", "kind": "text"},
    ]);
    let set = |questions: &Value| json!({"projectId": "d", "questions": questions});
    for (uid, status) in [("bob", "PERMISSION_DENIED"), ("vic", "PERMISSION_DENIED"), ("eve", "NOT_FOUND")] {
        assert_eq!(as_(uid, "setFeedbackForm", set(&questions)).await, Err(status.to_owned()), "{uid}");
        assert_eq!(
            as_(uid, "readFeedback", json!({"projectId": "d"})).await,
            Err(status.to_owned()),
            "{uid}"
        );
    }
    let bad = as_("eda", "setFeedbackForm", set(&json!([{"ask": "", "kind": "text"}]))).await;
    assert_eq!(bad, Err("INVALID_ARGUMENT".to_owned()));
    assert_eq!(as_("eda", "setFeedbackForm", set(&questions)).await.unwrap()["rev"], 1);
    let send = |rev: i64, answers: Value| json!({"table": table, "rev": rev, "answers": answers});
    let old = as_("bob", "sendFeedback", send(0, json!([4, "x", null, null, null]))).await;
    assert_eq!(old, Err("FAILED_PRECONDITION".to_owned()), "the questions are others by now");
    let wrong = as_("bob", "sendFeedback", send(1, json!([9, null]))).await;
    assert_eq!(wrong, Err("INVALID_ARGUMENT".to_owned()));
    assert_eq!(as_("eve", "sendFeedback", send(1, json!([1, null]))).await, Err("NOT_FOUND".to_owned()));
    assert_eq!(as_("bob", "sendFeedback", send(1, json!([4, null]))).await, Ok(json!({"sent": true})));
    // Answers are changed, not doubled.
    as_("bob", "sendFeedback", send(1, json!([5, "Shorter rounds"]))).await.unwrap();
    as_("vic", "sendFeedback", send(1, json!([null, "Nothing"]))).await.unwrap();
    let own = as_("bob", "feedbackForm", json!({"table": table})).await.unwrap();
    assert_eq!(own["answers"], json!([5, "Shorter rounds"]));
    let all = as_("ann", "readFeedback", json!({"projectId": "d"})).await.unwrap();
    let feedback = all["feedback"].as_array().unwrap();
    assert_eq!(feedback.len(), 2);
    assert_eq!(feedback[0]["by"], "vic", "the newest comes first");
    let bobs = feedback.iter().find(|given| given["by"] == "bob").unwrap();
    assert_eq!((&bobs["name"], &bobs["table"]), (&json!("Friday"), &json!(table)));
    assert_eq!(bobs["answers"][1], json!({"ask": "More?", "kind": "text", "answer": "Shorter rounds"}));
    // They are read with their questions after these have changed, and go with their table.
    as_("ann", "setFeedbackForm", set(&json!([]))).await.unwrap();
    let all = as_("eda", "readFeedback", json!({"projectId": "d"})).await.unwrap();
    assert_eq!((all["feedback"].as_array().unwrap().len(), &all["questions"]), (2, &json!([])));
    as_("ann", "deleteTable", json!({"table": table})).await.unwrap();
    let all = as_("ann", "readFeedback", json!({"projectId": "d"})).await.unwrap();
    assert_eq!(all["feedback"], json!([]));
}

#[tokio::test]
async fn forms_that_are_written_at_once_have_numbers_of_their_own() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let set = async |uid: &str, ask: &str| {
        let questions = json!([{"ask": ask, "kind": "text"}]);
        let data = json!({"projectId": "d", "questions": questions});
        call(&server, &token(uid), "setFeedbackForm", data).await.unwrap()["rev"].as_i64().unwrap()
    };
    for round in 0..5 {
        let (one, other) = tokio::join!(set("ann", "Fun?"), set("eda", "Long?"));
        assert_eq!((one.min(other), one.max(other)), (2 * round + 1, 2 * round + 2));
    }
}

#[tokio::test]
async fn of_many_answers_the_newest_are_read() {
    let place = Place::new(None);
    let server = emulator(&place).await;
    put_project(&server, &MEMBERS).await;
    let table = open_table(&server, 3, 2).await;
    let root = "projects/demo/databases/(default)/documents";
    let answer = |nth: u32| {
        let fields = json!({
            "projectId": {"stringValue": "d"}, "tableName": {"stringValue": "Friday"},
            "name": {"stringValue": nth.to_string()}, "answers": {"stringValue": "[]"},
            "at": {"timestampValue": format!("2026-01-01T00:{:02}:{:02}Z", nth / 60, nth % 60)},
        });
        // Names in another order than the times.
        let id = format!("u{}", (nth * 7) % 503);
        json!({"update": {"name": format!("{root}/playtests/{table}/feedback/{id}"), "fields": fields}})
    };
    for part in [0..251, 251..503] {
        let writes: Vec<_> = part.map(answer).collect();
        let commit = reqwest::Client::new().post(server.at(&format!("/v1/{root}:commit")));
        let done = commit.bearer_auth("owner").json(&json!({"writes": writes})).send().await.unwrap();
        assert!(done.status().is_success());
    }
    let all = call(&server, &token("ann"), "readFeedback", json!({"projectId": "d"})).await.unwrap();
    let authors: Vec<_> = all["feedback"].as_array().unwrap().iter().map(|given| &given["by"]).collect();
    let newest: Vec<_> = (3..503).rev().map(|nth| json!(nth.to_string())).collect();
    assert_eq!(authors, newest.iter().collect::<Vec<_>>());
    assert_eq!(all["more"], true);
}
