//! Requests of people who may not, and names that are none: each is refused in words, and changes nothing.

use super::*;

#[tokio::test]
async fn only_editors_change_versions_and_strangers_learn_nothing() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    for uid in ["cid", "vic"] {
        let refused = world.freeze_as(uid, "v2").await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{uid}");
        assert!(refused.inner().message().contains("owners and editors"), "{uid}");
        world.open(uid, &version).await.unwrap();
    }
    for uid in ["pat", "bob"] {
        assert_eq!(world.freeze_as(uid, "v2").await.unwrap_err().code(), Code::NotFound, "{uid}");
        let refused = world.open(uid, &version).await.unwrap_err();
        assert_eq!(refused.code(), Code::NotFound, "{uid}");
        assert_eq!(refused.inner().message(), "There is no such project that you may see.");
        let compare =
            Compare { project_id: "p".to_owned(), from: version.clone(), to: "now".to_owned(), branch: None };
        let refused = world.versions.clone().compare(user(uid), compare).await.unwrap_err();
        assert_eq!(refused.code(), Code::NotFound, "{uid}");
    }
    for uid in ["cid", "vic", "pat", "bob"] {
        let of = |version: &str| ("p".to_owned(), version.to_owned());
        let (project_id, version) = of(&version);
        let delete = Delete { project_id: project_id.clone(), version: version.clone() };
        assert!(world.versions.clone().delete(user(uid), delete).await.is_err());
        let restore = Restore { project_id: project_id.clone(), version: version.clone(), paths: None };
        assert!(world.versions.clone().restore(user(uid), restore).await.is_err());
        let name = Name { project_id, version, name: "mine".to_owned(), note: None };
        assert!(world.versions.clone().name(user(uid), name).await.is_err());
    }
    assert_eq!(world.ids("gameVersions").await, [version]);
}

#[tokio::test]
async fn ids_that_are_none_are_refused_in_words() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    let opened = world.open("ann", &version).await.unwrap().project_id;
    world.set("projects/q", project_fields("Other")).await;
    let foreign = Open { project_id: "q".to_owned(), version: version.clone() };
    let refused = world.versions.clone().open_for(user("ann"), foreign).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound, "a version of another project");
    let long = "v".repeat(10 << 20);
    for bad in ["", ".", "..", "../p", "a/b", "a~b", "__x__", "now", " ", "é", long.as_str(), "missing"] {
        let refused = world.open("ann", bad).await.unwrap_err();
        assert!(matches!(refused.code(), Code::InvalidArgument | Code::NotFound), "{bad:.20}");
        assert!(refused.inner().message().len() < 200, "{bad:.20}");
        assert!(world.remove(bad).await.is_err(), "{bad:.20}");
        assert!(world.compare(bad, "now").await.is_err(), "{bad:.20}");
        assert!(world.restore(bad, None).await.is_err(), "{bad:.20}");
    }
    for bad in ["", "..", "a/b", "p/components/c", "missing", &opened, long.as_str()] {
        let request = Open { project_id: bad.to_owned(), version: version.clone() };
        assert!(world.versions.clone().open_for(user("ann"), request).await.is_err(), "{bad:.20}");
    }
    let of_version = Freeze { project_id: opened, name: Some("v".to_owned()), note: None, reason: None };
    let refused = world.versions.clone().freeze(user("ann"), of_version).await.unwrap_err();
    assert!(refused.inner().message().contains("name the project itself"));
}

#[tokio::test]
async fn names_notes_and_paths_have_limits() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    for bad in ["", "  ", "two\nlines", &"x".repeat(NAME_CHARS + 1), &"x".repeat(10 << 20)] {
        assert_eq!(world.freeze_as("ann", bad).await.unwrap_err().code(), Code::InvalidArgument);
    }
    world.freeze(&"x".repeat(NAME_CHARS)).await;
    for bad in [
        json!({"projectId": "p"}),
        json!({"projectId": "p", "name": "v", "reason": "daily"}),
        json!({"projectId": "p", "name": "v", "note": "x".repeat(NOTE_CHARS + 1)}),
    ] {
        let request = serde_json::from_value(bad).unwrap();
        let refused = world.versions.clone().freeze(user("ann"), request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    assert!(serde_json::from_value::<Freeze>(json!({"projectId": "p", "reason": "fun"})).is_err());
    let version = world.freeze("v1").await;
    let many: Vec<&str> = std::iter::repeat_n("notes/main", limits::PATHS + 1).collect();
    for bad in [
        &[] as &[&str],
        &many,
        &["../q/components/c"],
        &["members"],
        &["gameVersions/x"],
        &["versionObjects"],
        &["components/"],
        &["components/../x"],
        &["components//cards"],
        &["/components/c"],
        &["components/c", "invitations/i"],
    ] {
        let refused = world.restore(&version, Some(bad)).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{:?}", bad.first());
    }
    assert_eq!(world.ids("gameVersions").await.len(), 2, "nothing was frozen for them");
}

#[tokio::test]
async fn a_project_that_took_the_address_of_a_version_is_not_written_over() {
    let world = World::new().await;
    world.card("a", "Ash").await;
    let version = world.freeze("v1").await;
    let taken = format!("projects/p~{version}");
    world.set(&taken, fields(&[("owner", text("bob")), ("name", text("Bob's"))])).await;
    assert_eq!(world.open("ann", &version).await.unwrap_err().code(), Code::FailedPrecondition);
    world.remove(&version).await.unwrap();
    assert_eq!(world.get(&taken).await.unwrap()["name"], text("Bob's"));
}

/// A plan without room.
#[derive(Debug)]
struct NoRoom;

impl CommitHook for NoRoom {
    fn admit<'a>(
        &'a self,
        _caller: &'a Caller,
        _database: &'a DatabaseId,
        _writes: &'a [Write],
    ) -> std::pin::Pin<Box<dyn Future<Output = docstore::Result<docstore::access::CommitPermit>> + Send + 'a>>
    {
        Box::pin(async {
            Err(docstore::Error::new(Code::ResourceExhausted, "DocumentBytes", "There is no room."))
        })
    }
}

#[tokio::test]
async fn without_room_in_the_plan_nothing_is_made_and_no_file_stays_kept() {
    let mut world = World::new().await;
    let image = [
        ("file", text("projects/p/images/fox.png")),
        ("url", text("/v0/b/demo.appspot.com/o/projects%2Fp%2Fimages%2Ffox.png?alt=media&token=t")),
    ];
    world.set("projects/p/images/fox", fields(&image)).await;
    world.versions.room = Some(Arc::new(NoRoom));
    assert_eq!(world.freeze_as("ann", "v1").await.unwrap_err().code(), Code::ResourceExhausted);
    for collection in ["gameVersions", "versionObjects", "versionFiles"] {
        assert_eq!(world.ids(collection).await, Vec::<String>::new(), "{collection}");
    }
    world.versions.room = None;
    let version = world.freeze("v1").await;
    assert_eq!(world.ids("versionFiles").await, ["images:fox.png"]);
    world.remove(&version).await.unwrap();
    assert_eq!(world.ids("versionFiles").await, Vec::<String>::new());
}
