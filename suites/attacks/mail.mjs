// Links in mails: whose host they have, where they lead on to, and what opening one does.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { PROJECT } from './world.mjs';

/** As `accounts`, with a `Host` of the attacker's: `fetch` lets nobody choose that. */
function asHost(world, host, operation, body) {
  const path = `/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=any`;
  const headers = {
    host,
    'content-type': 'application/json',
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    'x-original-url': `https://${host}/`,
    forwarded: `host=${host};proto=https`,
    origin: `https://${host}`,
    referer: `https://${host}/`,
  };
  return new Promise((done, failed) => {
    const sent = request(`${world.origin}${path}`, { method: 'POST', headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      done({ status: response.statusCode, reply: JSON.parse(text) });
    });
    sent.on('error', failed);
    sent.end(JSON.stringify(body));
  });
}

/** The newest link to an address, as the operator sees it. */
export async function linkTo(world, email) {
  const mail = (await world.outbox()).filter((one) => one.email === email).at(-1);
  assert.ok(mail, `no mail to ${email}`);
  return new URL(mail.oobLink);
}

export function mailAttacks(world, attack) {
  const phrase = 'redirect and host-header tricks in mail links';

  attack(phrase, 'a link has the server’s own host, whatever a request says', async () => {
    const may = await world.signUp('may', 'may@example.com');
    for (const host of [
      'evil.example',
      `${new URL(world.origin).host}.evil.example`,
      'evil.example:80@127.0.0.1',
    ]) {
      for (const body of [
        { requestType: 'VERIFY_EMAIL', idToken: may.token },
        { requestType: 'PASSWORD_RESET', email: may.email },
      ]) {
        const { status, reply } = await asHost(world, host, 'sendOobCode', body);
        // A host that is none at all may be refused; a link with it must never be sent.
        if (status !== 200) assert.ok(status < 500, JSON.stringify(reply));
        const link = await linkTo(world, may.email).catch(() => undefined);
        if (link) assert.equal(link.origin, world.origin);
        assert.ok(!String(link).includes('evil'), String(link));
      }
    }
    assert.equal((await linkTo(world, may.email)).pathname, '/__/auth/action');
  });

  attack(phrase, 'a place to go on to that is another’s is refused before anything is sent', async () => {
    const kit = await world.signUp('kit', 'kit@example.com');
    const { host } = new URL(world.origin);
    for (const continueUrl of [
      'https://evil.example/',
      `https://${host}.evil.example/`,
      `http://${host}@evil.example/`,
      'http://evil.example\\@127.0.0.1/',
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      `app://${host}/`,
    ]) {
      for (const body of [
        { requestType: 'VERIFY_EMAIL', idToken: kit.token },
        { requestType: 'PASSWORD_RESET', email: kit.email },
        { requestType: 'EMAIL_SIGNIN', email: kit.email },
      ]) {
        const { status, reply } = await world.accounts('sendOobCode', { ...body, continueUrl });
        assert.equal(status, 400, `${continueUrl} ${JSON.stringify(reply)}`);
      }
    }
    await assert.rejects(linkTo(world, kit.email), /no mail/);
  });

  attack('codes from outside', 'no endpoint tells one, to no proxy on the same machine', async () => {
    const { bob } = world.people;
    await world.accounts('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: bob.token });
    const code = (await linkTo(world, bob.email)).searchParams.get('oobCode');
    for (const place of [
      'oobCodes',
      'verificationCodes',
      'accounts',
      'config',
      'requests',
      'logs',
      'functions',
      'databases',
      'rules',
      'tenants/t/oobCodes',
    ]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const path = `/emulator/v1/projects/${PROJECT}/${place}`;
        const { status, text } = await world.ask(method, path, { headers: { accept: 'application/json' } });
        assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`);
        assert.ok(!text.includes(code));
      }
    }
    for (const path of ['/emulators', '/metrics', '/console/', '/console.html', '/outbox']) {
      const { status, text } = await world.ask('GET', path, { headers: { accept: 'application/json' } });
      assert.equal(status, 404, `${path}: ${text.slice(0, 200)}`);
    }
    assert.ok(!world.log.some((line) => line.includes(code)), 'the log tells the code');
  });

  attack(phrase, 'codes of one person or purpose do nothing for another', async () => {
    const { bob, ann } = world.people;
    await world.accounts('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: bob.token });
    const oobCode = (await linkTo(world, bob.email)).searchParams.get('oobCode');
    const reset = await world.accounts('resetPassword', { oobCode, newPassword: 'an attacker’s' });
    assert.equal(reset.reply.error.message, 'INVALID_OOB_CODE');
    const other = await world.accounts('signInWithEmailLink', { oobCode, email: ann.email });
    assert.equal(other.reply.error.message, 'INVALID_OOB_CODE');
    // The page for tests, which follows links by itself, is not there.
    const path = `/emulator/action?mode=verifyEmail&apiKey=x&oobCode=${oobCode}&continueUrl=https://evil.example/`;
    const { status, headers } = await world.ask('GET', path);
    assert.equal(status, 404);
    assert.equal(headers.get('location'), null);
  });
}

/** From Chrome: what the page of a link does with the places in it. */
export function linkAttacks(world, context, attack) {
  const phrase = 'redirect and host-header tricks in mail links';

  attack(phrase, 'Chrome: a link with another’s address in it leads nowhere else', async () => {
    const { host } = new URL(world.origin);
    const tricks = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      `${world.origin}//evil.example/`,
      `${world.origin}/.//evil.example/`,
      `http://${host}@evil.example/`,
      'javascript:document.title="evil"',
      'data:text/html,<title>evil</title>',
    ];
    for (const [index, trick] of tricks.entries()) {
      const person = await world.signUp(`link${index}`, `link${index}@example.com`);
      await world.accounts('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: person.token });
      const link = await linkTo(world, person.email);
      link.searchParams.set('continueUrl', trick);
      const page = await context.newPage();
      const gone = [];
      page.on('request', (request) => {
        if (new URL(request.url()).hostname.includes('evil')) gone.push(request.url());
      });
      await page.goto(link.href);
      await page.getByRole('heading', { name: 'Your address is verified' }).waitFor();
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL((url) => url.pathname !== '/__/auth/action');
      assert.equal(new URL(page.url()).origin, world.origin, `${trick} led to ${page.url()}`);
      assert.deepEqual(gone, []);
      assert.notEqual(await page.title(), 'evil');
      await page.close();
    }
  });

  attack(phrase, 'Chrome: the page to log in goes on to this site alone', async () => {
    const to = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
    ];
    const page = await context.newPage();
    for (const [index, trick] of to.entries()) {
      const person = await world.signUp(`to${index}`, `to${index}@example.com`);
      await page.goto(`${world.origin}/login?to=${encodeURIComponent(trick)}`);
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(`${world.origin}/decks`);
      await page.evaluate(() =>
        indexedDB.databases().then((all) => all.map(({ name }) => indexedDB.deleteDatabase(name))),
      );
      await page.evaluate(() => localStorage.clear());
    }
    await page.close();
  });

  attack(
    phrase,
    'Chrome: a sign-in at a provider that was not begun in this tab signs nobody in',
    async () => {
      const page = await context.newPage();
      await page.goto(
        `${world.origin}/__/auth/handler?code=stolen&state=x&redirectUrl=https://evil.example/`,
      );
      await page.getByText('not begun in this tab').waitFor();
      await page.goto(`${world.origin}/decks`);
      await page.waitForURL('**/login*');
      await page.close();
    },
  );
}
