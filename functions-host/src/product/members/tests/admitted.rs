//! Addresses that an invitation admits to the server.

use auth_emu::Invitations as _;
use docstore::model::{Fields, Value};

use super::super::{Admitted, Role, text};
use super::{DAY, World};

#[tokio::test]
async fn an_invitation_admits_its_address_to_the_server_until_it_ends() {
    let world = World::new().await;
    let admitted = Admitted { database: world.members.database.clone(), clock: world.clock.clone() };
    let invites = async |email: &str| admitted.invites(email).await.unwrap();
    assert!(!invites("bob@example.com").await);
    world.invite("ann", Role::Viewer, Some("Bob@Example.com")).await.unwrap();
    world.invite("ann", Role::Viewer, None).await.unwrap();
    assert!(invites("bob@example.com").await);
    assert!(!invites("eve@example.com").await, "a link names no address");
    // A document of somebody's own that looks like an invitation.
    let mut forged = Fields::from([("email".to_owned(), text("eve@example.com"))]);
    forged.insert("expiresAt".to_owned(), Value::Integer(i64::MAX));
    world.set("users/eve/drafts/d/invitations/i", forged.clone()).await;
    world.set("invitations/i", forged).await;
    assert!(!invites("eve@example.com").await);
    world.clock.advance(DAY * 8);
    assert!(!invites("bob@example.com").await, "it has ended");
    world.invite("ann", Role::Viewer, Some("bob@example.com")).await.unwrap();
    assert!(invites("bob@example.com").await, "a new one counts");
}
