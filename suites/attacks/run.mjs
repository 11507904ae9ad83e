// Attacks the real program in serving mode, from Node and from Chrome: `node suites/attacks/run.mjs [--short] [NAME]`. What
// is tried is listed in `phrases.mjs`; the short form leaves out what takes long and all of Chrome. TUCKBOX_BIN names
// another program. Ends with a table of phrases and `N passed, N failed`.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openSuite } from '../shared/chromium.mjs';
import { accountAttacks } from './accounts.mjs';
import { csrfAttacks } from './csrf.mjs';
import { documentAttacks } from './documents.mjs';
import { exportAttacks } from './exports.mjs';
import { guessAttacks } from './guesses.mjs';
import { listenerAttacks } from './listeners.mjs';
import { linkAttacks, mailAttacks } from './mail.mjs';
import { memoryAttacks } from './memory.mjs';
import { pathAttacks } from './paths.mjs';
import { PHRASES } from './phrases.mjs';
import { playtestAttacks } from './playtests.mjs';
import { branchAttacks } from './projects/branches.mjs';
import { copyAttacks } from './projects/copies.mjs';
import { memberAttacks } from './projects/members.mjs';
import { moveAttacks } from './projects/moves.mjs';
import { offerAttacks } from './projects/offers.mjs';
import { translatorAttacks } from './projects/translators.mjs';
import { versionLinkAttacks } from './projects/version-links.mjs';
import { sampleAttacks } from './samples.mjs';
import { bySdk } from './sdk.mjs';
import { checkTable } from './table.mjs';
import { tokenAttacks } from './tokens.mjs';
import { lying, openWorld, PASSWORD, PROJECT, SECRET } from './world.mjs';

checkTable();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
const [only] = positionals;
const { short } = values;
const suite = short ? undefined : await openSuite({ entry: resolve(import.meta.dirname, 'sdk.mjs') });
const context = await suite?.browser.newContext();
const world = await openWorld();
const before = await lying(world);
for (const [path, found] of Object.entries(before)) assert.ok(JSON.stringify(found).includes(SECRET), path);

const attacks = [];
/** `beside` is for one that mostly waits: it runs beside the others. `long` is for one that the short form leaves out. */
const attack = (phrase, name, run, { beside = false, long = false } = {}) =>
  attacks.push({ phrase, name, run, beside, long: long || name.startsWith('Chrome') });

const tried = (where, run) => {
  for (const phrase of PHRASES.slice(0, 5)) {
    attack(phrase, `${where}: by the official SDK`, async () => {
      const outcomes = (await run()).filter(([of]) => of === phrase);
      assert.ok(outcomes.length > 0);
      for (const [, path, said] of outcomes) assert.equal(said, 'permission-denied', `${phrase} ${path}`);
    });
  }
};
/** Once for all phrases. */
const once = (run) => {
  let running;
  return () => {
    running ??= run();
    return running;
  };
};
const { bob, ann } = world.people;
const scope = {
  origin: world.origin,
  project: PROJECT,
  email: bob.email,
  password: PASSWORD,
  paths: [
    'projects/d/components/c/cards/1',
    'projects/d/layouts/l',
    `users/${ann.uid}/library/layouts/items/draft`,
    'playtests/s/hands/red/cards/1',
  ],
};

documentAttacks(world, attack);
copyAttacks(world, attack);
moveAttacks(world, attack);
memberAttacks(world, attack);
offerAttacks(world, attack);
translatorAttacks(world, attack);
branchAttacks(world, attack);
versionLinkAttacks(world, attack);
tried(
  'Node',
  once(() => bySdk(scope)),
);
tried(
  'Chrome',
  once(async () => {
    const page = await context.newPage();
    await page.goto(suite.url);
    return await page.evaluate((asked) => globalThis.suite.bySdk(asked), scope);
  }),
);
listenerAttacks(world, attack);
playtestAttacks(world, context, suite, attack);
sampleAttacks(world, attack);
tokenAttacks(world, attack);
pathAttacks(world, attack);
mailAttacks(world, attack);
accountAttacks(world, attack);
linkAttacks(world, context, attack);
csrfAttacks(world, context, attack);
exportAttacks(world, attack);
memoryAttacks(attack);
// Last: they use up what an address may try.
guessAttacks(world, attack);

const failures = [];
const counts = Object.fromEntries(PHRASES.map((phrase) => [phrase, 0]));
async function carryOut({ phrase, name, run }) {
  const start = Date.now();
  try {
    await run();
  } catch (error) {
    failures.push(phrase);
    const said = String(error?.stack ?? error).slice(0, 3_000);
    console.log(`FAIL ${phrase}: ${name}\n  ${said.replaceAll('\n', '\n  ')}`);
  }
  if (process.env.ATTACKS_VERBOSE) console.log(`${phrase}: ${name} (${Date.now() - start} ms)`);
}
for (const { phrase } of attacks) {
  assert.ok(phrase in counts, `"${phrase}" is no phrase`);
  counts[phrase] += 1;
}
const chosen = attacks.filter(
  ({ phrase, name, long }) => !(short && long) && (!only || `${phrase}: ${name}`.includes(only)),
);
const beside = Promise.all(chosen.filter((one) => one.beside).map(carryOut));
for (const one of chosen.filter((one) => !one.beside)) await carryOut(one);
await beside;
for (const phrase of PHRASES) assert.ok(counts[phrase] > 0, `nothing tries "${phrase}"`);
assert.deepEqual(await lying(world), before, 'the secrets lie as they lay');
assert.ok(world.alive);
await suite?.close();
await world.close();
for (const phrase of PHRASES) {
  const ran = chosen.filter((one) => one.phrase === phrase).length;
  const held = ran - failures.filter((one) => one === phrase).length;
  console.log(ran === 0 ? `  none  ${phrase}` : `${String(held).padStart(3)} of ${ran}  ${phrase}`);
}
console.log(`${chosen.length - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
