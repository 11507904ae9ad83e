//! Results of games that have ended.

use docstore::model::Document;
use serde_json::Value as Json;

use super::*;

async fn result(world: &World) -> Option<Document> {
    let path = DocPath::parse(&format!("playtests/{}/result/game", world.id)).unwrap();
    database(&world.store).get(&[path], None).await.unwrap().value.into_iter().flatten().next()
}

/// The result, once it is there.
async fn written(world: &World) -> Document {
    let mut changes = world.store.changes(world.store.newest()).unwrap();
    loop {
        if let Some(result) = result(world).await {
            return result;
        }
        changes.next().await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_game_that_ends_leaves_its_result() {
    let world = World::new().await;
    let mut ann = world.client("ann").await;
    set_up(&mut ann).await;
    let deck = ann.named("Deck");
    ann.does(json!({"verb": "draw", "into": deck, "count": 2})).await;
    assert!(result(&world).await.is_none(), "hidden cards are counted after the end alone");
    let twice = ann.asks(json!({"verb": "end", "winners": [0, 0]})).await;
    assert_eq!(twice["code"], "malformed");
    let end = ann.does(json!({"verb": "end", "result": "Close", "winners": [0], "points": [[0, 31]]})).await;
    let said = json!([{"say": "won", "winners": [0], "points": [[0, 31]]}, {"say": "text", "text": "Close"}]);
    assert_eq!(end["say"], said);
    let result = written(&world).await;
    let Some(Value::String(text)) = result.fields.get("statistics") else { panic!("{result:?}") };
    let statistics: Json = serde_json::from_str(text).unwrap();
    let seats = statistics["seats"].as_array().unwrap();
    assert_eq!((&seats[0]["won"], &seats[0]["points"]), (&json!(true), &json!(31)));
    assert_eq!(result.fields.get("projectId"), Some(&Value::String("p".to_owned())));
    // Whoever wakes the table again writes it no second time.
    drop(ann);
    let again = live(&world.store, 7, SLEEP_AFTER);
    Client::enter(&again, &world.id, "ann", None).await.unwrap();
    assert_eq!(written(&world).await.update_time, result.update_time);
}
