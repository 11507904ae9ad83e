// Another site in the browser of somebody who is logged in: what its page may send, read, frame or open.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { PASSWORD, PROJECT, ROOT, SECRET } from './world.mjs';

/** A site of the attacker's on another origin; `received` is what reaches it. */
async function evilSite() {
  const received = [];
  const server = createServer((request, response) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>evil</title><body>');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  // Another host as well as another port: cookies do not tell ports apart.
  return { origin: `http://localhost:${port}`, received, close: () => server.close() };
}

/** Every request that a page can make a browser send, as forms and fetches have them. */
function requests(world, uid) {
  const at = (path) => `${world.origin}${path}`;
  const account = (operation) => at(`/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=k`);
  const secret = `users/${uid}/userData/userObject`;
  const file = `/v0/b/${PROJECT}.firebasestorage.app/o`;
  return [
    ['POST', at(`/v1/${ROOT}:commit`), { writes: [{ delete: `${ROOT}/${secret}` }] }],
    ['POST', at(`/v1/${ROOT}:batchGet`), { documents: [`${ROOT}/${secret}`] }],
    ['GET', at(`/v1/${ROOT}/${secret}`)],
    [
      'POST',
      at(`/v1/${ROOT}:listen`),
      { addTarget: { targetId: 1, documents: { documents: [`${ROOT}/${secret}`] } } },
    ],
    ['POST', at(`/us-central1-${PROJECT}/deleteMyAccount`), { data: null }],
    ['POST', at(`/us-central1-${PROJECT}/signOutEverywhere`), { data: null }],
    ['POST', at(`/us-central1-${PROJECT}/exportMyData`), { data: {} }],
    ['POST', account('update'), { email: 'eve@evil.example', password: 'an attacker’s' }],
    ['POST', account('delete'), {}],
    ['POST', account('lookup'), {}],
    ['POST', at(`${file}?name=users%2F${uid}%2Fx.csv`), { by: 'an attacker' }],
    ['GET', at(`${file}?prefix=users%2F${uid}%2F`)],
    ['GET', at(`/emulator/v1/projects/${PROJECT}/oobCodes`)],
    ['DELETE', at(`/v1/${ROOT}/${secret}`)],
    ['DELETE', at(`/emulator/v1/projects/${PROJECT}/accounts`)],
    ['DELETE', at(`/emulator/v1/${ROOT}`)],
  ];
}

/** Runs in the attacker's page: sends everything and says what could be read of the answers. */
async function sendAll(list) {
  const read = [];
  for (const [method, url, body] of list) {
    for (const credentials of ['include', 'omit']) {
      for (const type of body ? ['application/json', 'text/plain'] : [undefined]) {
        for (const mode of ['cors', 'no-cors']) {
          if (mode === 'no-cors' && (method === 'DELETE' || type === 'application/json')) continue;
          const timer = new AbortController();
          setTimeout(() => timer.abort(), 5_000);
          const init = { method, credentials, mode, signal: timer.signal };
          if (body) Object.assign(init, { body: JSON.stringify(body), headers: { 'content-type': type } });
          try {
            const response = await fetch(url, init);
            read.push({ method, url, status: response.status, text: await response.text() });
          } catch (error) {
            read.push({ method, url, status: 0, text: String(error) });
          }
        }
      }
    }
    if (!body) continue;
    // As a form, whose answer goes into a frame.
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: url, enctype: 'text/plain', target: 'sink' });
    const input = document.createElement('input');
    const text = JSON.stringify(body);
    Object.assign(input, { name: text.slice(0, -1), value: text.slice(-1) });
    form.append(input);
    document.body.append(form);
    const sink = document.querySelector('iframe[name=sink]');
    const loaded = new Promise((done) => {
      sink.onload = done;
      setTimeout(done, 2_000);
    });
    form.submit();
    await loaded;
  }
  return read;
}

export function csrfAttacks(world, context, attack) {
  /** A page where Cara is logged in, a secret of hers, and the attacker's page in the same browser. */
  const scene = async (name) => {
    const email = `${name}@example.com`;
    const person = await world.signUp(name, email);
    await world.put({ [`users/${person.uid}/userData/userObject`]: { note: SECRET } }, person);
    const page = await context.newPage();
    await page.goto(`${world.origin}/login`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`${world.origin}/decks`);
    const site = await evilSite();
    const evil = await context.newPage();
    await evil.goto(site.origin);
    const end = async () => {
      await page.evaluate(() =>
        indexedDB.databases().then((all) => all.map(({ name }) => indexedDB.deleteDatabase(name))),
      );
      await page.evaluate(() => localStorage.clear());
      await page.close();
      await evil.close();
      site.close();
    };
    return { person, page, site, evil, end };
  };

  attack('CSRF', 'Chrome: whatever another site sends is nobody’s', async () => {
    const { person, evil, end } = await scene('cara');
    await evil.evaluate(() => {
      document.body.innerHTML = '<iframe name="sink"></iframe>';
    });
    const read = await evil.evaluate(sendAll, requests(world, person.uid));
    assert.ok(read.length > 40);
    for (const { method, url, status, text } of read) {
      const what = `${method} ${url}: ${status} ${text.slice(0, 300)}`;
      assert.ok(!text.includes(SECRET), `${what} was read`);
      assert.ok(status === 0 || status >= 400, what);
      if (url.includes('/emulator/')) assert.equal(status, 0, `${what} could be read`);
    }
    assert.deepEqual(await context.cookies(), [], 'nothing goes along by itself');
    const { status, text } = await world.get(`users/${person.uid}/userData/userObject`, person);
    assert.ok(status === 200 && text.includes(SECRET), `her data are gone: ${text}`);
    await world.signIn(person);
    await end();
  });

  attack('CSRF', 'Chrome: no page can be framed, and none that is opened can be reached', async () => {
    const { evil, site, end } = await scene('clara');
    for (const path of ['/decks', '/account', '/login', '/__/auth/action?mode=verifyEmail&oobCode=x']) {
      const [frame] = await Promise.all([
        evil.waitForEvent('framenavigated', (frame) => frame !== evil.mainFrame()),
        evil.evaluate((url) => {
          document.body.innerHTML = `<iframe src="${url}"></iframe>`;
        }, `${world.origin}${path}`),
      ]);
      assert.ok(!frame.url().startsWith(world.origin), `${path} is in a frame at ${frame.url()}`);
    }
    const opened = context.waitForEvent('page');
    await evil.evaluate((url) => {
      window.theirs = window.open(url);
    }, `${world.origin}/account`);
    const page = await opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => window.opener), null);
    assert.equal(await evil.evaluate(() => window.theirs.closed), true, 'the window is out of reach');
    await page.close();
    assert.ok(site.received.every((line) => !line.includes('Bearer') && !line.includes(SECRET)));
    await end();
  });
}
