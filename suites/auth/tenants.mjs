// `firebase-admin` in a project's tenants: each has accounts, settings and tokens of its own.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  applyActionCode,
  createUserWithEmailAndPassword,
  signInAnonymously,
  signInWithCustomToken,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { newAuth, newEmail, refused } from './client.mjs';
import { test } from './tests.mjs';

const PASSWORD = 'correct horse';

export function tenantTests(url, admin) {
  const manager = admin.tenantManager();
  const emailSignInConfig = { enabled: true, passwordRequired: true };
  /** A new tenant: its administration, and its id. */
  const newTenant = async () => {
    const { tenantId } = await manager.createTenant({ displayName: 'guild-hall', emailSignInConfig });
    return manager.authForTenant(tenantId);
  };

  /** The SDK looks, in emulator mode, for the token's account in its own tenant before it compares the names. */
  const foreign = (promise) => refused(promise, 'auth/user-not-found');

  test('tenants: created, found, listed page by page, changed and deleted', async () => {
    const made = await Promise.all(
      ['guild-hall', 'club-house', 'tavern-x'].map((displayName) =>
        manager.createTenant({ displayName, emailSignInConfig, anonymousSignInEnabled: true }),
      ),
    );
    for (const tenant of made) {
      const found = await manager.getTenant(tenant.tenantId);
      assert.deepEqual(found.toJSON(), tenant.toJSON());
      assert.equal(found.anonymousSignInEnabled, true);
      assert.deepEqual({ ...found.emailSignInConfig }, emailSignInConfig);
    }
    const listed = [];
    for (let page; page === undefined || page !== null; ) {
      const { tenants, pageToken } = await manager.listTenants(2, page);
      assert.ok(tenants.length <= 2);
      listed.push(...tenants.map((tenant) => tenant.tenantId));
      page = pageToken ?? null;
    }
    assert.equal(new Set(listed).size, listed.length, 'each once');
    for (const { tenantId } of made) assert.ok(listed.includes(tenantId));
    const [{ tenantId }] = made;
    const changed = await manager.updateTenant(tenantId, {
      displayName: 'club-room',
      anonymousSignInEnabled: false,
      emailSignInConfig: { enabled: true, passwordRequired: false },
    });
    assert.equal(changed.displayName, 'club-room');
    assert.equal(changed.anonymousSignInEnabled, false);
    assert.deepEqual(
      { ...(await manager.getTenant(tenantId)).emailSignInConfig },
      {
        enabled: true,
        passwordRequired: false,
      },
    );
    await Promise.all(made.map((tenant) => manager.deleteTenant(tenant.tenantId)));
    const left = (await manager.listTenants(1000)).tenants.map((tenant) => tenant.tenantId);
    for (const tenant of made) assert.ok(!left.includes(tenant.tenantId));
  });

  test('tenants: a custom token signs in to its tenant and nowhere else', async () => {
    const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
    const uid = randomUUID();
    const custom = await tenant.createCustomToken(uid, { role: 'editor' });
    const { user } = await signInWithCustomToken(newAuth(url, tenant.tenantId), custom);
    assert.equal(user.uid, uid);
    assert.equal(user.tenantId, tenant.tenantId);
    const token = await user.getIdToken();
    const decoded = await tenant.verifyIdToken(token, true);
    assert.equal(decoded.uid, uid);
    assert.equal(decoded.role, 'editor');
    assert.equal(decoded.firebase.tenant, tenant.tenantId);
    await foreign(other.verifyIdToken(token));
    await refused(signInWithCustomToken(newAuth(url, other.tenantId), custom), 'auth/tenant-id-mismatch');
    assert.equal((await tenant.getUser(uid)).tenantId, tenant.tenantId);
    await refused(other.getUser(uid), 'auth/user-not-found');
    await refused(admin.getUser(uid), 'auth/user-not-found');
  });

  test('tenants: accounts, their claims, links and sessions', async () => {
    const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
    const email = newEmail();
    const made = await tenant.createUser({ email, password: PASSWORD });
    const twin = await other.createUser({ email, password: PASSWORD });
    assert.notEqual(made.uid, twin.uid);
    assert.equal((await tenant.getUserByEmail(email)).uid, made.uid);
    await tenant.setCustomUserClaims(made.uid, { admin: true });
    const auth = newAuth(url, tenant.tenantId);
    const { user } = await signInWithEmailAndPassword(auth, email, PASSWORD);
    const token = await user.getIdToken();
    const claims = await tenant.verifyIdToken(token);
    assert.equal(claims.admin, true);
    assert.deepEqual((await other.getUser(twin.uid)).customClaims, undefined);

    const cookie = await tenant.createSessionCookie(token, { expiresIn: 300_000 });
    const session = await tenant.verifySessionCookie(cookie, true);
    assert.equal(session.firebase.tenant, tenant.tenantId);
    await foreign(other.verifySessionCookie(cookie));
    await foreign(other.createSessionCookie(token, { expiresIn: 300_000 }));

    const link = new URL(await tenant.generateEmailVerificationLink(email));
    assert.equal(link.searchParams.get('tenantId'), tenant.tenantId);
    await applyActionCode(auth, link.searchParams.get('oobCode'));
    assert.equal((await tenant.getUser(made.uid)).emailVerified, true);
    assert.equal((await other.getUser(twin.uid)).emailVerified, false);

    // Revocation counts whole seconds: what was issued in this one goes on.
    await new Promise((next) => setTimeout(next, 1_000 - (Date.now() % 1_000) + 5));
    await tenant.revokeRefreshTokens(made.uid);
    await refused(tenant.verifyIdToken(token, true), 'auth/id-token-revoked');
    await other.updateUser(twin.uid, { disabled: true });
    assert.equal((await tenant.getUser(made.uid)).disabled, false);
    await refused(
      signInWithEmailAndPassword(newAuth(url, other.tenantId), email, PASSWORD),
      'auth/user-disabled',
    );
  });

  test('tenants: import, list and delete by the dozen', async () => {
    const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
    const passwordHash = createHash('sha256').update(PASSWORD).digest();
    const users = Array.from({ length: 12 }, (_, index) => ({
      uid: `user-${index}`,
      email: newEmail(),
      customClaims: { index },
      passwordHash,
      tenantId: tenant.tenantId,
    }));
    const hash = { hash: { algorithm: 'SHA256', rounds: 1 } };
    const imported = await tenant.importUsers(users, hash);
    assert.equal(imported.successCount, 12, JSON.stringify(imported.errors));
    await assert.rejects(async () => other.importUsers(users, hash), /mismatching tenant ID/);
    assert.equal((await other.listUsers()).users.length, 0);
    const listed = [];
    for (let page; page === undefined || page !== null; ) {
      const got = await tenant.listUsers(5, page);
      for (const user of got.users) assert.equal(user.tenantId, tenant.tenantId);
      listed.push(...got.users.map((user) => user.uid));
      page = got.pageToken ?? null;
    }
    assert.deepEqual(listed.sort(), users.map((user) => user.uid).sort());
    const { user } = await signInWithEmailAndPassword(
      newAuth(url, tenant.tenantId),
      users[3].email,
      PASSWORD,
    );
    assert.equal((await user.getIdTokenResult()).claims.index, 3);
    await refused(signInWithEmailAndPassword(newAuth(url), users[3].email, PASSWORD), 'auth/user-not-found');
    const found = await tenant.getUsers([{ uid: 'user-1' }, { email: users[2].email }, { uid: 'nobody' }]);
    assert.equal(found.users.length, 2);
    assert.equal(found.notFound.length, 1);
    const deleted = await tenant.deleteUsers(users.map((one) => one.uid));
    assert.equal(deleted.successCount, 12);
    assert.equal((await tenant.listUsers()).users.length, 0);
  });

  test('tenants: settings are each tenant’s own', async () => {
    const [open, closed] = await Promise.all([newTenant(), newTenant()]);
    await manager.updateTenant(closed.tenantId, { emailSignInConfig: { enabled: false } });
    const [inOpen, inClosed] = [newAuth(url, open.tenantId), newAuth(url, closed.tenantId)];
    await createUserWithEmailAndPassword(inOpen, newEmail(), PASSWORD);
    await refused(
      createUserWithEmailAndPassword(inClosed, newEmail(), PASSWORD),
      'auth/operation-not-allowed',
    );
    await refused(signInAnonymously(inOpen), 'auth/admin-restricted-operation');
    await manager.updateTenant(open.tenantId, { anonymousSignInEnabled: true });
    assert.equal((await signInAnonymously(inOpen)).user.tenantId, open.tenantId);
    // With e-mail enumeration protection, no answer tells whether an address is known.
    const wrong = () => signInWithEmailAndPassword(inOpen, newEmail(), PASSWORD);
    await refused(wrong(), 'auth/user-not-found');
    const emailPrivacyConfig = { enableImprovedEmailPrivacy: true };
    const changed = await manager.updateTenant(open.tenantId, { emailPrivacyConfig });
    assert.deepEqual(changed.emailPrivacyConfig, emailPrivacyConfig);
    await refused(wrong(), 'auth/invalid-credential');
  });

  test('tenants: what is set and not acted on is shown as it was set', async () => {
    const { tenantId } = await newTenant();
    const settings = {
      smsRegionConfig: { allowByDefault: { disallowedRegions: ['AC', 'AD'] } },
      passwordPolicyConfig: {
        enforcementState: 'ENFORCE',
        forceUpgradeOnSignin: true,
        constraints: { minLength: 8, maxLength: 100, requireNumeric: true },
      },
      multiFactorConfig: {
        state: 'ENABLED',
        factorIds: ['phone'],
        providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 5 } }],
      },
    };
    await manager.updateTenant(tenantId, settings);
    await manager.updateTenant(tenantId, { displayName: 'club-room' });
    const found = (await manager.getTenant(tenantId)).toJSON();
    assert.equal(found.displayName, 'club-room');
    assert.deepEqual(found.smsRegionConfig, settings.smsRegionConfig);
    assert.deepEqual(found.multiFactorConfig, settings.multiFactorConfig);
    const { constraints, enforcementState } = found.passwordPolicyConfig;
    assert.equal(enforcementState, 'ENFORCE');
    assert.equal(constraints.minLength, 8);
  });
}
