// Listeners: refused where a read is, and ended when a role, a seat or a session is.
import assert from 'node:assert/strict';
import { listeners } from './rest-requests.mjs';
import { ownedBy, PASSWORD, ROOT, SECRET } from './world.mjs';

/** A listen stream: reads its elements until one fits, or to its end. */
class Stream {
  text = '';

  static async open(world, { path, body }, person) {
    const stream = new Stream();
    stream.over = new AbortController();
    const response = await fetch(`${world.origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(person && { authorization: `Bearer ${person.token}` }),
      },
      body: JSON.stringify(body),
      signal: stream.over.signal,
    });
    stream.reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    return stream;
  }

  /** Everything up to the first point at which `fits` holds of it, or all where the stream ends before. */
  async until(fits) {
    while (!fits(this.text)) {
      const { done, value } = await this.reader.read();
      if (done) break;
      this.text += value;
    }
    return this.text;
  }

  close() {
    this.over.abort();
  }
}

const isRemoved = (text) => /"REMOVE"/.test(text) || /"error"/.test(text);
const isCurrent = (text) => /"CURRENT"/.test(text);

/** Opens a listener that is allowed; answers what ends it and tells whether it saw what came later. */
async function listening(world, request, person) {
  const stream = await Stream.open(world, request, person);
  const first = await stream.until((text) => isCurrent(text) || isRemoved(text));
  assert.ok(isCurrent(first) && first.includes(SECRET), `${person.name} could not listen: ${first}`);
  return stream;
}

async function endsUnseen(stream, later) {
  const all = await stream.until(isRemoved);
  stream.close();
  assert.ok(!all.includes(later), `the listener went on: ${all}`);
  assert.match(all, /PERMISSION_DENIED|"code": ?7\b|UNAUTHENTICATED|"code": ?(16|401)\b/);
}

export function listenerAttacks(world, attack) {
  const phrase = 'listener that outlives a role change';

  attack(phrase, 'where a read is refused, so is a listener', async () => {
    const { bob, gus, pat, ann } = world.people;
    const deck = 'projects/d';
    for (const [person, path] of [
      [bob, `${deck}/components/c/cards/1`],
      [undefined, `${deck}/components/c/cards/1`],
      [pat, `${deck}/notes/main`],
      [bob, `${deck}/layouts/l`],
      [pat, `${deck}/layouts/l`],
      [gus, 'playtests/s/hands/red/cards/1'],
      [ann, 'playtests/s/hands/red/cards/1'],
      [bob, `users/${ann.uid}/library/layouts/items/draft`],
    ]) {
      for (const request of listeners(path)) {
        const stream = await Stream.open(world, request, person);
        const text = await stream.until((text) => isRemoved(text) || isCurrent(text));
        stream.close();
        assert.ok(isRemoved(text) && !isCurrent(text), `${person?.name} listens to ${path}: ${text}`);
        assert.ok(!text.includes(SECRET), text);
      }
    }
  });

  attack(
    phrase,
    'an editor who is taken out of a project, by any listener, and what she asks afterwards',
    async () => {
      const { hand } = world.people;
      const ann = await world.signUp('ann2', 'ann2@example.com');
      const eve = await world.signUp('eve2', 'eve2@example.com');
      const deck = 'projects/left';
      const card = `${deck}/components/c/cards/1`;
      const withEve = ownedBy(ann, SECRET, { [eve.uid]: 'editor' });
      await world.put({ [deck]: withEve, [card]: { title: SECRET } }, hand);
      const [onDocument, onQuery] = listeners(card);
      const streams = [await listening(world, onDocument, eve), await listening(world, onQuery, eve)];
      const tokens = streams.map(
        (stream) =>
          stream.text
            .match(/"resumeToken": ?"([^"]+)"/g)
            .at(-1)
            .split('"')[3],
      );
      const before = new Date(Date.now()).toISOString();
      const later = 'written after she left';
      await world.put({ [deck]: ownedBy(ann, SECRET) }, hand);
      await world.put({ [card]: { title: later } }, ann);
      for (const stream of streams) await endsUnseen(stream, later);
      // Neither an old token nor an old time brings her back in.
      for (const [index, resumeToken] of tokens.entries()) {
        const stream = await Stream.open(world, listeners(card, { resumeToken })[index], eve);
        const text = await stream.until((text) => isRemoved(text) || isCurrent(text));
        stream.close();
        assert.ok(isRemoved(text) && !text.includes(later), text);
      }
      const { status, text } = await world.get(`${card}?readTime=${before}`, eve);
      assert.equal(status, 403, text);
    },
  );

  attack(phrase, 'a player whose seat is given to somebody else', async () => {
    const { hand: server, hal, gus, ann } = world.people;
    const session = (red) => ({ ownerId: ann.uid, seats: { red }, playerIds: [red] });
    const hand = 'playtests/t/hands/red/cards/1';
    await world.put({ 'playtests/t': session(hal.uid), [hand]: { face: SECRET } }, server);
    const streams = await Promise.all(
      listeners(hand)
        .slice(0, 2)
        .map((request) => listening(world, request, hal)),
    );
    await world.put({ 'playtests/t': session(gus.uid) }, server);
    await world.put({ [hand]: { face: 'dealt afterwards' } }, server);
    for (const stream of streams) await endsUnseen(stream, 'dealt afterwards');
    assert.equal((await world.get(hand, gus)).status, 200);
  });

  attack(
    phrase,
    'an admin who is none any more, and an account that is signed out everywhere',
    async () => {
      const { root } = world.people;
      const boss = await world.signUp('boss', 'boss@example.com');
      await world.call('adminChangePerson', { uid: boss.uid, action: 'grantAdmin' }, root.token);
      const { reply } = await world.accounts('signInWithPassword', {
        email: boss.email,
        password: PASSWORD,
        returnSecureToken: true,
      });
      boss.token = reply.idToken;
      const secret = `users/${boss.uid}/notes/private`;
      await world.put({ [secret]: { text: SECRET } }, boss);
      const stream = await listening(world, listeners(secret)[0], boss);
      const taken = await world.call(
        'adminChangePerson',
        { uid: boss.uid, action: 'revokeAdmin' },
        root.token,
      );
      assert.equal(taken.status, 200, JSON.stringify(taken.reply));
      assert.equal((await world.get(secret, boss)).status, 401);
      const commit = { writes: [{ delete: `${ROOT}/${secret}` }] };
      assert.equal(
        (await world.ask('POST', `/v1/${ROOT}:commit`, { token: boss.token, body: commit })).status,
        401,
      );
      // The stream that is open is looked at again twice a minute.
      const text = await stream.until(isRemoved);
      stream.close();
      assert.match(text, /UNAUTHENTICATED|"code": ?(16|401)\b/);
    },
    { beside: true, long: true },
  );
}
