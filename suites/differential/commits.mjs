/**
 * Commits under rules: who may make them, by the table of the Rust tests (`docstore/tests/rules/commits.json`), which is
 * what Google's emulator answers.
 */

import { readFileSync } from 'node:fs';
import { eachAtOnce } from '../shared/at-once.mjs';
import { PROJECT } from './peers.mjs';

const TABLE = new URL('../../docstore/tests/rules/commits.json', import.meta.url);
/** As many commits are asked of each server at a time. */
export const AT_ONCE = 8;

const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
/** The token of somebody who is signed in. */
export const USER = `${encode({ alg: 'none', typ: 'JWT' })}.${encode({ sub: 'ann' })}.`;

const rulesOf = (statement) => `rules_version = '2';
service cloud.firestore { match /databases/{db}/documents {
  match /a/{id} { ${statement}; }
  match /b/{id} { allow write; }
} }`;

/** A step of the table as a write of the API. */
function write(root, step) {
  const update = (id, fields) => ({ update: { name: `${root}/${id}`, fields } });
  const n = { n: { integerValue: String(step.n) } };
  const transform = (id, transform) => ({
    ...update(id, {}),
    updateMask: { fieldPaths: [] },
    updateTransforms: [transform],
  });
  if (step.set) return update(step.set, n);
  if (step.create) return { ...update(step.create, n), currentDocument: { exists: false } };
  if (step.update) {
    return {
      ...update(step.update, n),
      updateMask: { fieldPaths: ['n'] },
      currentDocument: { exists: true },
    };
  }
  if (step.delete) return { delete: `${root}/${step.delete}` };
  if (step.increment)
    return transform(step.increment, { fieldPath: 'n', increment: { integerValue: String(step.by) } });
  return transform(step.stamp, { fieldPath: 't', setToServerValue: 'REQUEST_TIME' });
}

/** Sends one request; its status and the text of the answer. */
export async function ask(peer, method, path, body, token) {
  const { origin } = new URL(peer.documents);
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text };
}

/** The same as the owner; anything but success is an error. */
export async function mustWork(peer, method, path, body) {
  const answered = await ask(peer, method, path, body, 'owner');
  const { status, text } = answered;
  if (status !== 200) throw new Error(`${peer.name} answered ${status} to ${method} ${path}: ${text}`);
  return answered;
}

/** Gives a project of one server rules in which documents of `a` follow `statement`. */
export async function setRules(peer, project, statement) {
  const files = [{ name: 'firestore.rules', content: rulesOf(statement) }];
  await mustWork(peer, 'PUT', `/emulator/v1/projects/${project}:securityRules`, { rules: { files } });
}

/** Asks one server in a project of its own; whether it allows the commit, or what else it answers. */
export async function answer(peer, project, { statement, before, writes }) {
  const root = `projects/${project}/databases/(default)/documents`;
  await setRules(peer, project, statement);
  const seed = Object.entries(before).map(([id, n]) => write(root, { set: id, n }));
  if (seed.length > 0) await mustWork(peer, 'POST', `/v1/${root}:commit`, { writes: seed });
  const body = { writes: writes.map((step) => write(root, step)) };
  const { status, text } = await ask(peer, 'POST', `/v1/${root}:commit`, body, USER);
  if (status === 200) return 'allowed';
  return status === 403 ? 'denied' : `${status} ${text}`;
}

/** Compares every commit of the table under each of its rules; gives the cases that differ, as lines, and their number. */
export async function compareCommits(peers) {
  const { commits, rules } = JSON.parse(readFileSync(TABLE, 'utf8'));
  const cases = rules.flatMap(({ statement, allowed }) =>
    Object.entries(commits).map(([name, commit]) => ({
      ...commit,
      name,
      statement,
      expected: allowed.includes(name) ? 'allowed' : 'denied',
    })),
  );
  const differences = [];
  await eachAtOnce(cases, AT_ONCE, async (one, index) => {
    const answers = await Promise.all(peers.map((peer) => answer(peer, `${PROJECT}-${index}`, one)));
    const said = peers.map(({ name }, at) => `${name} ${answers[at]}`).join(', ');
    if (answers.some((each) => each !== one.expected))
      differences.push(`${one.name} under "${one.statement}": the table ${one.expected}, ${said}`);
  });
  return { compared: cases.length, differences };
}
