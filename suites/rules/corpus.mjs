// Deterministic cases for the comparison: `{ name, rules, data, auth, op }`.
import { readdirSync, readFileSync } from 'node:fs';

/** A small random generator: the same seed gives the same cases everywhere. */
function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (n) => Math.floor(next() * n),
    pick: (items) => items[Math.floor(next() * items.length)],
    chance: (p) => next() < p,
  };
}

const S = (stringValue) => ({ stringValue });
const I = (integerValue) => ({ integerValue: String(integerValue) });
const L = (...values) => ({ arrayValue: { values } });
const M = (fields) => ({ mapValue: { fields } });

const within = (body, version = 2) =>
  `rules_version = '${version}';\nservice cloud.firestore {\nmatch /databases/{db}/documents {\n${body}\n}\n}\n`;

const ALICE = { sub: 'alice', email: 'alice@example.org', admin: true, level: 3, groups: ['red', 'blue'] };
const BOB = { sub: 'bob', email: 'bob@example.com' };

/** The document of `docstore/rules/tests/tables.rs`. */
const TABLE_DOCUMENT = {
  s: S('hi'),
  n: I(5),
  m: M({ x: I(1) }),
  l: L(I(1), S('a')),
  z: { nullValue: null },
  t: { timestampValue: '2020-01-02T03:04:05.123456Z' },
  g: { geoPointValue: { latitude: 1, longitude: 2 } },
  by: { bytesValue: 'aGk=' },
  d: { doubleValue: 1.5 },
  b: { booleanValue: true },
  r: { referenceValue: 'projects/p/databases/(default)/documents/c/d' },
};
const TABLE_FUNCTIONS = `function f1() { let a = 1 / 0; return 5; }
function f2(x) { let y = x + 1; return y * 2; }
function f3(x) { return 7; }
function f4() { let a = 1 / 0; return a == 1 || true; }
function f5() { return db; }
function f6(x) { return x; }`;

/** One case per row of the tables of the Rust tests; values are compared as well as verdicts. */
export function tableCases(folder) {
  const cases = [];
  for (const file of readdirSync(folder).sort()) {
    for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      const expression = line.split('  =>  ')[0];
      const rule = (condition) =>
        within(`${TABLE_FUNCTIONS}\nmatch /{doc=**} { allow read: if\n${condition}\n; }`);
      cases.push({
        name: `${file}: ${expression}`,
        expression,
        rules: rule(`[${expression}].size() == 1`),
        data: { 'a/b': TABLE_DOCUMENT },
        auth: { sub: 'alice', email: 'a@x.org' },
        op: { get: 'a/b' },
      });
    }
  }
  return cases;
}

/** A random expression of a kind, mostly well-typed. */
function expression(r, kind, depth) {
  const sub = (k) => expression(r, k, depth - 1);
  if (r.chance(0.03)) return expression(r, r.pick(['bool', 'int', 'string', 'list', 'map']), 0);
  const leaf = depth <= 0;
  switch (kind) {
    case 'bool':
      if (leaf) {
        return r.pick([
          'true',
          'false',
          'resource.data.b',
          'request.auth != null',
          'request.auth.token.admin',
          'resource == null',
          "request.auth.uid == 'alice'",
          'resource.data.missing',
          'resource.data.o == request.auth.uid',
        ]);
      }
      switch (r.below(13)) {
        case 0:
        case 1:
          return `(${sub('bool')} && ${sub('bool')})`;
        case 2:
        case 3:
          return `(${sub('bool')} || ${sub('bool')})`;
        case 4:
          return `!${sub('bool')}`;
        case 5:
          return `${sub('int')} ${r.pick(['<', '<=', '>', '>=', '==', '!='])} ${sub('int')}`;
        case 6:
          return `${sub('string')} ${r.pick(['==', '!=', '<', '>='])} ${sub('string')}`;
        case 7:
          return `(${sub(r.pick(['string', 'int']))} in ${sub('list')})`;
        case 8:
          return `(${sub('string')} in ${sub('map')})`;
        case 9:
          return `${sub('list')}.${r.pick(['hasAll', 'hasAny', 'hasOnly'])}(${sub('list')})`;
        case 10:
          return `(${sub(r.pick(['int', 'string', 'list', 'map', 'bool']))} is ${r.pick(['int', 'string', 'list', 'map', 'number', 'bool'])})`;
        case 11:
          return `${sub('string')}.matches(${r.pick(["'[a-z]+'", "'.*b.*'", "'a|hi'"])})`;
        default:
          return `(${sub('bool')} ? ${sub('bool')} : ${sub('bool')})`;
      }
    case 'int':
      if (leaf) {
        return r.pick([
          '0',
          '1',
          '5',
          '-3',
          '1.5',
          'resource.data.n',
          'request.auth.token.level',
          'resource.data.m.x',
          'resource.data.missing',
        ]);
      }
      switch (r.below(6)) {
        case 0:
          return `(${sub('int')} ${r.pick(['+', '-', '*', '/', '%'])} ${sub('int')})`;
        case 1:
          return `${sub('string')}.size()`;
        case 2:
          return `${sub('list')}.size()`;
        case 3:
          return `math.abs(${sub('int')})`;
        case 4:
          return `${sub('map')}.get('x', ${sub('int')})`;
        default:
          return `${sub('list')}[${r.below(3)}]`;
      }
    case 'string':
      if (leaf) {
        return r.pick([
          "'a'",
          "''",
          "'hi'",
          "'x'",
          'resource.data.s',
          'resource.data.o',
          'request.auth.uid',
          'request.auth.token.email',
          'request.method',
          'id',
        ]);
      }
      switch (r.below(5)) {
        case 0:
          return `(${sub('string')} + ${sub('string')})`;
        case 1:
          return `${sub('string')}.${r.pick(['lower', 'upper', 'trim'])}()`;
        case 2:
          return `string(${sub(r.pick(['int', 'bool', 'string']))})`;
        case 3:
          return `${sub('list')}.join('-')`;
        default:
          return `${sub('string')}.replace('[aeiou]', '*')`;
      }
    case 'list':
      if (leaf) {
        return r.pick([
          '[]',
          "['a', 1]",
          'resource.data.l',
          'request.auth.token.groups',
          "['hi', 'alice', 5]",
          '[1, 5, null]',
        ]);
      }
      switch (r.below(5)) {
        case 0:
          return `[${sub('int')}, ${sub('string')}]`;
        case 1:
          return `${sub('list')}.concat(${sub('list')})`;
        case 2:
          return `${sub('map')}.keys()`;
        case 3:
          return `${sub('string')}.split('[@.]')`;
        default:
          return `${sub('list')}.removeAll(${sub('list')})`;
      }
    default:
      if (leaf)
        return r.pick(['{}', 'resource.data', 'resource.data.m', 'request.auth.token', "{'x': 1, 'y': 'z'}"]);
      return r.pick([`{'x': ${sub('int')}}`, `{'a': ${sub('string')}, 'b': ${sub('bool')}}`]);
  }
}

const DOCUMENT = {
  s: S('hi'),
  o: S('alice'),
  n: I(5),
  b: { booleanValue: true },
  m: M({ x: I(1), y: S('z') }),
  l: L(I(1), S('a'), I(5)),
};

function expressionCase(r, index) {
  const condition = expression(r, 'bool', 1 + r.below(4));
  return {
    name: `expression ${index}: ${condition}`,
    rules: within(`match /a/{id} { allow get: if\n${condition}; }`),
    data: r.chance(0.85) ? { 'a/x': DOCUMENT } : {},
    auth: r.pick([ALICE, ALICE, BOB, null]),
    op: { get: 'a/x' },
  };
}

const PATHS = ['a/x', 'a/y', 'b/x', 'a/x/c/z', 'a/x/c/z/d/w', 'b/x/c/z'];

function matchBlock(r, depth) {
  const segment = () => r.pick(['a', 'b', 'c', '{p}', '{q}', 'x', '{r=**}']);
  const count = 1 + r.below(3);
  const segments = [];
  const used = new Set();
  while (segments.length < count) {
    const next = segment();
    if (next.startsWith('{') && used.has(next)) continue;
    if (next.includes('**') && [...used].some((u) => u.includes('**'))) continue;
    used.add(next);
    segments.push(next);
  }
  const methods = () =>
    r.pick(['read', 'write', 'get', 'list', 'create', 'update', 'delete', 'read, write', 'get, update']);
  const condition = () =>
    r.pick([
      '',
      ': if true',
      ': if false',
      ": if p == 'x'",
      ": if r[0] == 'x'",
      ': if request.auth != null',
      ": if q != 'z'",
    ]);
  const parts = [`allow ${methods()}${condition()};`];
  if (r.chance(0.4)) parts.push(`allow ${methods()}${condition()};`);
  if (depth > 0 && r.chance(0.6)) parts.push(matchBlock(r, depth - 1));
  return `match /${segments.join('/')} { ${parts.join(' ')} }`;
}

function pathCase(r, index) {
  const blocks = Array.from({ length: 1 + r.below(3) }, () => matchBlock(r, 2));
  const path = r.pick(PATHS);
  const present = Object.fromEntries(PATHS.filter(() => r.chance(0.6)).map((p) => [p, { n: I(1) }]));
  const op = r.pick([
    { get: path },
    { get: path },
    { commit: [{ set: path, fields: { n: I(2) } }] },
    { commit: [{ set: path, fields: { n: I(2) } }] },
    { commit: [{ delete: path }] },
    { list: path.split('/').slice(0, -1).join('/') },
    { list: r.pick(['a', 'c', 'd']), group: true },
  ]);
  const rules = within(blocks.join('\n'), r.chance(0.85) ? 2 : 1);
  return {
    name: `paths ${index}: ${JSON.stringify(op)}\n${rules}`,
    rules,
    data: present,
    auth: r.pick([ALICE, null]),
    op,
  };
}

const WRITE_CONDITIONS = [
  'request.resource.data.n == 2',
  'resource.data.n < request.resource.data.n',
  'request.resource == null',
  'resource == null',
  'request.resource.data.keys().hasOnly(["n", "s"])',
  "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])",
  "!('s' in request.resource.data)",
  'getAfter(/databases/$(db)/documents/a/y).data.n == 2',
  'exists(/databases/$(db)/documents/a/y)',
  '!existsAfter(/databases/$(db)/documents/a/y)',
  'get(/databases/$(db)/documents/a/y).data.n >= 1',
  'existsAfter(/databases/$(db)/documents/a/$(id))',
  'getAfter(/databases/$(db)/documents/a/$(id)).data == request.resource.data',
  'request.resource.id == id',
  'request.resource.data.s is string',
  "resource.data.get('s', 'none') == 'none'",
  'request.resource.__name__ == request.path',
  'inc(resource.data.n) == request.resource.data.n',
  'request.resource.data.n - resource.data.n == 1',
  "request.method == 'create'",
  "id in ['x', 'y']",
  "owns('alice')",
  'request.auth.token.level > 2',
];

function writeCase(r, index) {
  const condition = () => {
    const one = r.pick(WRITE_CONDITIONS);
    return r.chance(0.5) ? one : `${one} ${r.pick(['&&', '||'])} ${r.pick(WRITE_CONDITIONS)}`;
  };
  const helpers = `function inc(x) { let one = 1; return x + one; }
function owns(who) { return signedIn() && request.auth.uid == who; }
function signedIn() { return request.auth != null; }`;
  const conditions = [condition(), condition(), condition()];
  const rules = within(`${helpers}
match /a/{id} {
allow create: if ${conditions[0]};
allow update: if ${conditions[1]};
allow delete: if ${conditions[2]};
}`);
  const fields = () =>
    r.pick([{ n: I(2) }, { n: I(2), s: S('t') }, { n: I(1) }, { s: S('t') }, { n: I(2), z: I(0) }]);
  const write = () =>
    r.chance(0.75) ? { set: r.pick(['a/x', 'a/y']), fields: fields() } : { delete: r.pick(['a/x', 'a/y']) };
  const commit = [write()];
  if (r.chance(0.4)) {
    const second = write();
    if ((second.set ?? second.delete) !== (commit[0].set ?? commit[0].delete)) commit.push(second);
  }
  const data = {};
  if (r.chance(0.6)) data['a/x'] = r.pick([{ n: I(1) }, { n: I(1), s: S('t') }]);
  if (r.chance(0.5)) data['a/y'] = { n: I(1) };
  return {
    name: `write ${index}: ${JSON.stringify({ commit, data })}\n${rules}`,
    rules,
    data,
    auth: r.pick([ALICE, BOB, null]),
    op: { commit },
  };
}

const LIST_CONDITIONS = [
  'resource.data.o == request.auth.uid',
  "resource.data.o in ['alice', 'bob']",
  'resource.data.n < 5',
  'resource.data.n >= 2',
  'resource.data.n == 5',
  'resource.data.n != 7',
  "'t' in resource.data.tags",
  "resource.data.tags.hasAny(['t', 'u'])",
  'request.query.limit <= 10',
  'request.query.limit == null',
  'request.query.offset == 0',
  "request.query.orderBy.n == 'DESC'",
  'resource.data.b == true',
  'resource.data.b',
  'request.auth != null',
  'resource.data.m.x == 1',
  "resource.data.o != 'bob'",
  'true',
  'false',
  "request.auth.uid == 'alice'",
  'exists(/databases/$(db)/documents/members/$(request.auth.uid))',
  'resource.data.n > 1 && resource.data.n < 9',
  'resource.data.n <= 5 || resource.data.b == true',
  'resource != null',
  "resource.data.s > 'a'",
];
const FILTERS = [
  ['o', 'EQUAL', S('alice')],
  ['o', 'EQUAL', S('bob')],
  ['o', 'IN', L(S('alice'))],
  ['o', 'IN', L(S('alice'), S('bob'))],
  ['n', 'LESS_THAN', I(5)],
  ['n', 'LESS_THAN', I(3)],
  ['n', 'LESS_THAN_OR_EQUAL', I(5)],
  ['n', 'LESS_THAN', I(9)],
  ['n', 'GREATER_THAN', I(1)],
  ['n', 'GREATER_THAN_OR_EQUAL', I(2)],
  ['n', 'GREATER_THAN', I(6)],
  ['n', 'EQUAL', I(5)],
  ['n', 'EQUAL', I(7)],
  ['tags', 'ARRAY_CONTAINS', S('t')],
  ['tags', 'ARRAY_CONTAINS', S('v')],
  ['b', 'EQUAL', { booleanValue: true }],
  ['b', 'EQUAL', { booleanValue: false }],
  ['m.x', 'EQUAL', I(1)],
  ['s', 'GREATER_THAN', S('b')],
];

function listCase(r, index) {
  let condition = r.pick(LIST_CONDITIONS);
  if (r.chance(0.5)) condition = `${condition} ${r.pick(['&&', '||'])} ${r.pick(LIST_CONDITIONS)}`;
  const op = { list: 'a' };
  const where = [];
  for (let count = r.below(4); count > 0; count -= 1) {
    const filter = r.pick(FILTERS);
    // One field with inequalities, and one list operator, as queries may have.
    const inequality = (f) => !['EQUAL', 'IN', 'ARRAY_CONTAINS'].includes(f[1]);
    const clashes = where.some(
      (known) =>
        (known[0] === filter[0] && known[1] === filter[1]) || (inequality(known) && inequality(filter)),
    );
    if (!clashes) where.push(filter);
  }
  if (where.length > 0) op.where = where;
  if (r.chance(0.4)) op.limit = r.pick([1, 10, 11]);
  if (r.chance(0.2)) op.offset = r.below(2);
  if (where.length === 0 && r.chance(0.4)) op.orderBy = [['n', r.pick(['ASC', 'DESC'])]];
  const data = {
    'a/1': {
      o: S('alice'),
      n: I(1),
      tags: L(S('t')),
      b: { booleanValue: true },
      m: M({ x: I(1) }),
      s: S('m'),
    },
    'a/2': { o: S('bob'), n: I(7), tags: L() },
    'members/alice': {},
  };
  return {
    name: `list ${index}: ${condition} ${JSON.stringify(op)}`,
    rules: within(`match /a/{id} { allow list: if\n${condition}; }`),
    data,
    auth: r.pick([ALICE, BOB, null]),
    op,
  };
}

/** The generated cases; a pure function of its arguments. */
export function generatedCases(perFamily, seed = 20240229) {
  const r = random(seed);
  const cases = [];
  for (let index = 0; index < perFamily; index += 1) {
    cases.push(expressionCase(r, index), pathCase(r, index), writeCase(r, index), listCase(r, index));
  }
  return cases;
}
