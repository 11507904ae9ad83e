// `firebase-admin` in emulator mode.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  applyActionCode,
  createUserWithEmailAndPassword,
  signInWithCustomToken,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { codeTo, newAuth, newEmail, newPhone, refused } from './client.mjs';
import { tenantTests } from './tenants.mjs';
import { PROJECT, test } from './tests.mjs';

const PASSWORD = 'correct horse';

export function adminTests(url) {
  // The admin SDK reads this when an operation is called, so one server per process.
  process.env.FIREBASE_AUTH_EMULATOR_HOST = new URL(url).host;
  const admin = getAuth(initializeApp({ projectId: PROJECT }));
  tenantTests(url, admin);

  test('admin: create, find, change and delete an account', async () => {
    const [email, phoneNumber] = [newEmail(), newPhone()];
    const made = await admin.createUser({ email, phoneNumber, password: PASSWORD, displayName: 'Ada' });
    assert.equal((await admin.getUser(made.uid)).displayName, 'Ada');
    assert.equal((await admin.getUserByEmail(email)).uid, made.uid);
    assert.equal((await admin.getUserByPhoneNumber(phoneNumber)).uid, made.uid);
    await admin.updateUser(made.uid, { displayName: null, emailVerified: true, phoneNumber: null });
    const changed = await admin.getUser(made.uid);
    assert.equal(changed.displayName, undefined);
    assert.equal(changed.phoneNumber, undefined);
    assert.equal(changed.emailVerified, true);
    await refused(admin.createUser({ email }), 'auth/email-already-exists');
    await refused(admin.createUser({ uid: made.uid }), 'auth/uid-already-exists');
    await admin.deleteUser(made.uid);
    await refused(admin.getUser(made.uid), 'auth/user-not-found');
  });

  test('admin: claims show in tokens', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    await admin.setCustomUserClaims(user.uid, { admin: true });
    assert.equal((await user.getIdTokenResult(true)).claims.admin, true);
    const decoded = await admin.verifyIdToken(await user.getIdToken());
    assert.equal(decoded.uid, user.uid);
    assert.equal(decoded.admin, true);
    await refused(admin.setCustomUserClaims(user.uid, { iss: 'x' }), 'auth/reserved-claim');
  });

  test('admin: custom tokens', async () => {
    const uid = randomUUID();
    const token = await admin.createCustomToken(uid, { role: 'editor' });
    const { user } = await signInWithCustomToken(newAuth(url), token);
    assert.equal(user.uid, uid);
    assert.equal((await user.getIdTokenResult()).claims.role, 'editor');
  });

  test('admin: disabled accounts are shut out', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    await admin.updateUser(user.uid, { disabled: true });
    await refused(signInWithEmailAndPassword(auth, user.email, PASSWORD), 'auth/user-disabled');
    await refused(user.getIdToken(true), 'auth/user-disabled');
    await refused(admin.verifyIdToken(await user.getIdToken(), true), 'auth/user-disabled');
  });

  test('admin: revoked sessions end', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    const token = await user.getIdToken();
    await admin.verifyIdToken(token, true);
    // Revocation counts whole seconds: what was issued in this one goes on.
    await new Promise((next) => setTimeout(next, 1_000 - (Date.now() % 1_000) + 5));
    await admin.revokeRefreshTokens(user.uid);
    await refused(admin.verifyIdToken(token, true), 'auth/id-token-revoked');
    await refused(user.getIdToken(true), 'auth/user-token-expired');
  });

  test('admin: session cookies', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    const cookie = await admin.createSessionCookie(await user.getIdToken(), { expiresIn: 300_000 });
    const claims = await admin.verifySessionCookie(cookie, true);
    assert.equal(claims.uid, user.uid);
    assert.equal(claims.exp - claims.iat, 300);
  });

  test('admin: links without mail', async () => {
    const email = newEmail();
    await admin.createUser({ email, password: PASSWORD });
    const link = new URL(await admin.generateEmailVerificationLink(email));
    assert.equal(link.searchParams.get('mode'), 'verifyEmail');
    await applyActionCode(newAuth(url), link.searchParams.get('oobCode'));
    assert.equal((await admin.getUserByEmail(email)).emailVerified, true);
    const reset = new URL(await admin.generatePasswordResetLink(email));
    assert.equal(reset.searchParams.get('mode'), 'resetPassword');
    const signIn = new URL(await admin.generateSignInWithEmailLink(email, { url: 'http://localhost/' }));
    assert.equal(signIn.searchParams.get('mode'), 'signIn');
    await refused(admin.generatePasswordResetLink(newEmail()), 'auth/email-not-found');
  });

  test('admin: identity providers', async () => {
    const oidc = {
      providerId: 'oidc.suite',
      displayName: 'Guild',
      enabled: true,
      clientId: 'us',
      clientSecret: 'shared',
      issuer: 'https://guild.example',
      responseType: { code: true, idToken: false },
    };
    const saml = {
      providerId: 'saml.suite',
      displayName: 'Club',
      enabled: true,
      idpEntityId: 'them',
      ssoURL: 'https://club.example/sso',
      x509Certificates: ['-----BEGIN CERTIFICATE-----'],
      rpEntityId: 'us',
      callbackURL: 'https://cards.example/back',
    };
    for (const realm of [admin, admin.tenantManager().authForTenant('guild')]) {
      for (const config of [oidc, saml]) {
        const made = await realm.createProviderConfig(config);
        assert.equal(made.providerId, config.providerId);
        assert.equal(made.displayName, config.displayName);
        await refused(realm.createProviderConfig(config), 'auth/internal-error');
        const changed = await realm.updateProviderConfig(config.providerId, {
          displayName: 'New',
          enabled: false,
        });
        assert.equal(changed.displayName, 'New');
        const found = await realm.getProviderConfig(config.providerId);
        assert.deepEqual([found.displayName, found.enabled], ['New', false]);
        const { providerConfigs } = await realm.listProviderConfigs({
          type: config === oidc ? 'oidc' : 'saml',
        });
        assert.deepEqual(
          providerConfigs.map((one) => one.providerId),
          [config.providerId],
        );
        await realm.deleteProviderConfig(config.providerId);
        await refused(realm.getProviderConfig(config.providerId), 'auth/configuration-not-found');
      }
    }
  });

  test('admin: imported password hashes', async () => {
    const key = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';
    const scrypt = 'V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw==';
    const sha256 = createHash('sha256').update('NaClpassword').digest();
    const kinds = [
      [
        Buffer.from(scrypt, 'base64'),
        {
          algorithm: 'SCRYPT',
          key: Buffer.from(key, 'base64'),
          saltSeparator: Buffer.from('Bw==', 'base64'),
          rounds: 8,
          memoryCost: 14,
        },
      ],
      [sha256, { algorithm: 'SHA256', rounds: 1 }],
    ];
    for (const [index, [passwordHash, hash]] of kinds.entries()) {
      const email = `imported-${index}@example.com`;
      const user = { uid: `imported-${index}`, email, passwordHash, passwordSalt: Buffer.from('NaCl') };
      const imported = await admin.importUsers([user], { hash });
      assert.equal(imported.successCount, 1, JSON.stringify(imported.errors));
      await refused(signInWithEmailAndPassword(newAuth(url), email, 'passwore'), 'auth/wrong-password');
      for (let time = 0; time < 2; time++) {
        const { user: found } = await signInWithEmailAndPassword(newAuth(url), email, 'password');
        assert.equal(found.uid, user.uid);
      }
    }
  });

  test('admin: a tenant that is deleted is gone with its accounts', async () => {
    const manager = admin.tenantManager();
    const { tenantId } = await manager.createTenant({
      displayName: 'guild-hall',
      emailSignInConfig: { enabled: true, passwordRequired: true },
    });
    const { user } = await createUserWithEmailAndPassword(newAuth(url, tenantId), newEmail(), PASSWORD);
    const token = await manager.authForTenant(tenantId).verifyIdToken(await user.getIdToken());
    assert.equal(token.firebase.tenant, tenantId);
    await manager.deleteTenant(tenantId);
    const left = await manager.listTenants(1000);
    assert.ok(left.tenants.every((tenant) => tenant.tenantId !== tenantId));
    // Using a tenant makes one in emulator mode, but its accounts are gone.
    await refused(manager.authForTenant(tenantId).getUser(user.uid), 'auth/user-not-found');
  });

  test('admin: a phone signs in (the client SDK has no phone sign-in in Node)', async () => {
    const phoneNumber = newPhone();
    const post = async (operation, body) => {
      const path = `${url}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=k`;
      return (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();
    };
    const { sessionInfo } = await post('sendVerificationCode', { phoneNumber });
    const code = await codeTo(url, phoneNumber);
    const signedIn = await post('signInWithPhoneNumber', { sessionInfo, code });
    assert.equal((await admin.getUserByPhoneNumber(phoneNumber)).uid, signedIn.localId);
    const { phone_number } = await admin.verifyIdToken(signedIn.idToken);
    assert.equal(phone_number, phoneNumber);
    const again = await post('signInWithPhoneNumber', { sessionInfo, code });
    assert.equal(again.error.message, 'INVALID_SESSION_INFO');
  });

  test('admin: a project’s settings', async () => {
    // Of another project, so that no other test meets them.
    const app = initializeApp({ projectId: `settings-${randomUUID().slice(0, 8)}` }, randomUUID());
    const settings = getAuth(app).projectConfigManager();
    const before = await settings.getProjectConfig();
    assert.equal(before.emailPrivacyConfig.enableImprovedEmailPrivacy, false);
    const emailPrivacyConfig = { enableImprovedEmailPrivacy: true };
    const changed = await settings.updateProjectConfig({ emailPrivacyConfig });
    assert.deepEqual(changed.emailPrivacyConfig, emailPrivacyConfig);
    assert.deepEqual((await settings.getProjectConfig()).emailPrivacyConfig, emailPrivacyConfig);
    const ours = await admin.projectConfigManager().getProjectConfig();
    assert.equal(ours.emailPrivacyConfig.enableImprovedEmailPrivacy, false);
  });

  test('admin: linked providers and second factors', async () => {
    const [email, phoneNumber] = [newEmail(), newPhone()];
    const made = await admin.createUser({
      email,
      emailVerified: true,
      multiFactor: { enrolledFactors: [{ factorId: 'phone', phoneNumber, displayName: 'mobile' }] },
    });
    assert.equal(made.multiFactor.enrolledFactors[0].phoneNumber, phoneNumber);
    const uid = randomUUID();
    await admin.updateUser(made.uid, { providerToLink: { providerId: 'google.com', uid, email } });
    assert.equal((await admin.getUserByProviderUid('google.com', uid)).uid, made.uid);
    await admin.updateUser(made.uid, {
      providersToUnlink: ['google.com'],
      multiFactor: { enrolledFactors: null },
    });
    const bare = await admin.getUser(made.uid);
    assert.equal(bare.providerData.length, 0);
    assert.equal(bare.multiFactor, undefined);
  });
}
