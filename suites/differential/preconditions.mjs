/**
 * Commits with preconditions and under rules, compared case by case: update times that each server has given itself, and
 * random commits of several writes under random rules, among them rules about `request.time`.
 */

import { eachAtOnce } from '../shared/at-once.mjs';
import { AT_ONCE, answer, ask, mustWork, setRules, USER } from './commits.mjs';
import { PROJECT } from './peers.mjs';

const n = (value) => ({ n: { integerValue: String(value) } });

/** A document is written twice before each of these commits; `first` and `last` are the update times it was given. */
const TIMED = {
  'the last time': ({ doc, last }) => [{ ...doc(3), currentDocument: { updateTime: last } }],
  'an earlier time': ({ doc, first }) => [{ ...doc(3), currentDocument: { updateTime: first } }],
  'the last time, deleted': ({ name, last }) => [{ delete: name, currentDocument: { updateTime: last } }],
  'an earlier time, deleted': ({ name, first }) => [{ delete: name, currentDocument: { updateTime: first } }],
  'the last time, verified': ({ name, last }) => [{ verify: name, currentDocument: { updateTime: last } }],
  'an earlier time, verified': ({ name, first }) => [
    { verify: name, currentDocument: { updateTime: first } },
  ],
  'the last time twice': ({ doc, last }) => [
    { ...doc(3), currentDocument: { updateTime: last } },
    { ...doc(4), currentDocument: { updateTime: last } },
  ],
  'the last time after a write': ({ doc, last }) => [
    doc(3),
    { ...doc(4), currentDocument: { updateTime: last } },
  ],
  'the last time after a delete': ({ name, doc, last }) => [
    { delete: name },
    { ...doc(4), currentDocument: { updateTime: last } },
  ],
  'the last time and it exists': ({ doc, last }) => [
    { ...doc(3), currentDocument: { updateTime: last } },
    { ...doc(4), currentDocument: { exists: true } },
  ],
  'the last time of another document': ({ doc, name, last }) => {
    const other = doc(3);
    other.update.name = `${name}x`;
    return [{ ...other, currentDocument: { updateTime: last } }];
  },
  'the last time and a transform': ({ doc, last }) => [
    {
      ...doc(3),
      updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }],
      currentDocument: { updateTime: last },
    },
  ],
  'a microsecond more': ({ doc, last }) => [
    { ...doc(3), currentDocument: { updateTime: last.replace(/(\d{6})\d*Z$/, later) } },
  ],
};

function later(_all, micros) {
  return `${String((Number(micros) + 1) % 1_000_000).padStart(6, '0')}Z`;
}

const CALLERS = {
  owner: { token: 'owner', statement: 'allow read, write' },
  'somebody who may': { token: USER, statement: 'allow read, write' },
  'somebody who may not': { token: USER, statement: 'allow read' },
};

/** Asks one server; its status, the code of its refusal, and the document afterwards. */
async function timed(peer, project, { token, statement, make }) {
  const root = `projects/${project}/databases/(default)/documents`;
  const name = `${root}/a/1`;
  const doc = (value) => ({ update: { name, fields: n(value) } });
  await setRules(peer, project, statement);
  const times = [];
  for (const value of [1, 2]) {
    const body = { writes: [doc(value)] };
    const { text } = await mustWork(peer, 'POST', `/v1/${root}:commit`, body);
    times.push(JSON.parse(text).writeResults[0].updateTime);
  }
  const [first, last] = times;
  const body = { writes: make({ name, doc, first, last }) };
  const { status, text } = await ask(peer, 'POST', `/v1/${root}:commit`, body, token);
  const code = status === 200 ? 'OK' : JSON.parse(text).error.status;
  const query = { documents: [name] };
  const read = await ask(peer, 'POST', `/v1/${root}:batchGet`, query, 'owner');
  const found = JSON.parse(read.text)[0].found;
  return `${status} ${code}, then ${found ? JSON.stringify(found.fields) : 'no document'}`;
}

const CONDITIONS = [
  'request.time == request.resource.data.t',
  'request.resource.data.t <= request.time',
  'request.time > resource.data.t',
  'request.time >= timestamp.date(2020, 1, 1)',
  "request.time < request.time + duration.value(1, 's')",
  'request.time.toMillis() == request.resource.data.t.toMillis()',
  'resource == null',
  'resource != null',
  'resource.data.n < request.resource.data.n',
  "request.resource.data.keys().hasAll(['n'])",
  'request.resource == null',
  "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])",
  'getAfter(/databases/$(db)/documents/b/1).data.n > 1',
  'existsAfter(/databases/$(db)/documents/a/2)',
  'exists(/databases/$(db)/documents/a/1)',
];

const METHODS = ['write', 'create', 'update', 'delete', 'create, update', 'update, delete'];

function randomRule(random) {
  const some = random.some(CONDITIONS, 1, 2);
  const condition = some.join(random.chance(0.6) ? ' && ' : ' || ');
  return `allow ${random.pick(METHODS)}: if ${random.chance(0.15) ? `!(${condition})` : condition}`;
}

function randomStep(random) {
  const id = random.pick(['a/1', 'a/1', 'a/2', 'b/1']);
  const value = random.int(0, 3);
  const kind = random.pick([
    'set',
    'set',
    'create',
    'update',
    'update',
    'delete',
    'increment',
    'stamp',
    'stamp',
  ]);
  const step = { [kind]: id };
  if (kind === 'increment') step.by = value;
  else if (kind !== 'delete' && kind !== 'stamp') step.n = value;
  return step;
}

function randomCommit(random) {
  const ids = random.some(['a/1', 'a/2', 'b/1'], 0, 3);
  return {
    statement: randomRule(random),
    before: Object.fromEntries(ids.map((id) => [id, random.int(0, 3)])),
    writes: Array.from({ length: random.int(1, 4) }, () => randomStep(random)),
  };
}

/** A refusal's text is for people: only its code is compared. */
const codeOf = (said) => /^\d+/.exec(said)?.[0] ?? said;

/** Compares all cases, and `count` random commits of `random`; gives those that differ, as lines, and their number. */
export async function comparePreconditions(peers, random, count) {
  const cases = [];
  for (const [caller, one] of Object.entries(CALLERS))
    for (const [name, make] of Object.entries(TIMED))
      cases.push({
        name: `${name}, by ${caller}`,
        ask: (peer, project) => timed(peer, project, { ...one, make }),
      });
  for (let index = 0; index < count; index++) {
    const commit = randomCommit(random);
    cases.push({
      name: JSON.stringify(commit),
      ask: async (peer, project) => codeOf(await answer(peer, project, commit)),
    });
  }
  const differences = [];
  await eachAtOnce(cases, AT_ONCE, async ({ name, ask }, index) => {
    const answers = await Promise.all(peers.map((peer) => ask(peer, `${PROJECT}-p${index}`)));
    if (new Set(answers).size > 1)
      differences.push(`${name}: ${peers.map((peer, at) => `${peer.name} ${answers[at]}`).join('; ')}`);
  });
  return { compared: cases.length, differences };
}
