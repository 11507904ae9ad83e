import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../core/archive/bundle.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { newZone } from '../../../core/scene/zones.ts';
import { cellId } from '../../../core/translation/cards/unit-ids.ts';
import { branchChanges } from '../../../core/versions/branch/changes.ts';
import type { StoredChange } from '../../../core/versions/stored-change.ts';
import type { Project } from '../../project/open-project.ts';
import { partOf } from '../../translations/translation-parts.ts';
import { bringBack, ChangedMeanwhile } from './bring-back.ts';

type Fields = Record<string, unknown>;
const { stored, GONE, Path } = vi.hoisted(() => ({
  stored: new Map<string, Record<string, unknown>>(),
  GONE: Symbol('gone'),
  Path: class {
    readonly steps: readonly string[];
    constructor(...steps: readonly string[]) {
      this.steps = steps;
    }
  },
}));
interface Ref {
  readonly path: string;
}

vi.mock('../calls.ts', () => ({ freezeAutomatically: async () => ({ version: 'before' }) }));
vi.mock('./files.ts', () => ({
  bringFiles: async () => ({ scenes: new Map(), contents: new Map(), undo: async () => undefined }),
}));
vi.mock('@sdk/firestore', async (original) => {
  const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const snapshot = (path: string) => ({ id: idOf(path), data: () => structuredClone(stored.get(path)) });
  const put = (into: Fields, [step = '', ...rest]: readonly string[], value: unknown): void => {
    if (rest.length > 0) {
      into[step] = { ...(into[step] as Fields | undefined) };
      put(into[step] as Fields, rest, value);
    } else if (value === GONE) delete into[step];
    else if (typeof value === 'object' && value !== null && 'more' in value)
      into[step] = Number(into[step] ?? 0) + Number(value.more);
    else into[step] = value;
  };
  const merge = (into: Fields, fields: Fields): void => {
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('more' in value)) {
        into[name] = { ...(into[name] as Fields | undefined) };
        merge(into[name] as Fields, value as Fields);
      } else put(into, [name], value);
    }
  };
  const changed = ({ path }: Ref, change: (fields: Fields) => void) => {
    const fields = stored.get(path);
    if (!fields) throw new Error(`not-found: ${path}`);
    const next = structuredClone(fields);
    change(next);
    stored.set(path, next);
  };
  return {
    ...(await original<typeof import('@sdk/firestore')>()),
    FieldPath: Path,
    deleteField: () => GONE,
    increment: (more: number) => ({ more }),
    serverTimestamp: () => 0,
    doc: ({ path }: Ref, id: string) => ({ path: `${path}/${id}` }),
    getDoc: async ({ path }: Ref) => snapshot(path),
    getDocs: async ({ path }: Ref) => ({
      docs: [...stored.keys()]
        .filter((one) => one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes('/'))
        .map(snapshot),
    }),
    runTransaction: async (_: unknown, run: (transaction: unknown) => Promise<void>) =>
      run({
        get: async ({ path }: Ref) => snapshot(path),
        delete: ({ path }: Ref) => void stored.delete(path),
        set: ({ path }: Ref, fields: Fields, options?: { merge: boolean }) => {
          const next = options?.merge ? structuredClone(stored.get(path) ?? {}) : {};
          merge(next, fields);
          stored.set(path, next);
        },
        update: (ref: Ref, fields: Fields | InstanceType<typeof Path>, value?: unknown) =>
          changed(ref, (into) => {
            if (fields instanceof Path) put(into, fields.steps, value);
            else for (const [name, one] of Object.entries(fields)) put(into, [name], one);
          }),
      }),
  };
});

const P = 'projects/p';
const at = (path: string) => ({ path: `${P}/${path}` });
const project = {
  ...{ id: 'p', db: {}, details: { path: P }, notes: at('notes/main'), languages: at('languages') },
  component: (id: string) => at(`components/${id}`),
  cards: (id: string) => at(`components/${id}/cards`),
  card: (component: string, id: string) => at(`components/${component}/cards/${id}`),
  layout: (id: string) => at(`layouts/${id}`),
  printPreset: (id: string) => at(`printPresets/${id}`),
  language: (tag: string) => at(`languages/${tag}`),
  languageParts: (tag: string) => at(`languages/${tag}/parts`),
} as unknown as Project;

type Documents = ReadonlyMap<string, JsonObject>;

const differing = (before: Documents, after: Documents): StoredChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [was, is] = [before.get(path) ?? null, after.get(path) ?? null];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ path, before: was, after: is }];
  });

const told = (base: Documents, theirs: Documents, mine: Documents) =>
  branchChanges(differing(base, theirs), differing(base, mine), {
    components: new Map(
      [...mine].flatMap(([path, fields]) =>
        /^components\/\w+$/.test(path) ? [[path.slice(11), fields]] : [],
      ),
    ),
  });

const present = (): Documents =>
  new Map([...stored].map(([path, fields]) => [path.slice(P.length + 1), fields as JsonObject]));
const open = (documents: Documents) => {
  stored.clear();
  for (const [path, fields] of documents)
    stored.set(path === '' ? P : `${P}/${path}`, structuredClone(fields));
};

const columnsOf = (keys: readonly string[], type: string): JsonObject[] =>
  keys.map((key) => ({ key, name: key.toUpperCase(), type }));
const anyCard = fc.record({
  ...{ order: fc.nat(3), copies: fc.integer({ min: 1, max: 3 }) },
  cells: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'), { maxKeys: 3 }),
});
const anyComponent = fc
  .record({
    ...{ name: fc.constantFrom('Events', 'Omens'), kind: fc.constantFrom('cards', 'tiles') },
    ...{ layoutId: fc.constantFrom(null, 'l', 'm'), columns: fc.subarray(['a', 'b', 'c']) },
    ...{ type: fc.constantFrom('text', 'number'), cards: fc.array(fc.option(anyCard), { maxLength: 3 }) },
  })
  .map(({ columns, type, cards, ...fields }) => ({
    fields: {
      ...fields,
      columns: columnsOf(columns, type),
      order: 0,
      cardCount: cards.filter(Boolean).length,
    },
    cards,
  }));
const scene = (name: string, x: number): JsonObject => {
  const layout = newLayout(name);
  layout.zones = [newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 })];
  return { name, version: layout.version, revision: 1, scene: layout as never };
};
const UNITS = [cellId('c', '0', 'a'), cellId('c', '1', 'a'), cellId('d', '0', 'b')];
const anyTexts = fc.dictionary(fc.constantFrom(...UNITS), fc.constantFrom('eins', 'zwei'), { maxKeys: 3 });

const anyProject = fc
  .record({
    ...{ c: fc.option(anyComponent), d: fc.option(anyComponent) },
    ...{ l: fc.option(fc.constantFrom(5, 8)), m: fc.option(fc.constantFrom(5, 8)) },
    ...{ preset: fc.option(fc.constantFrom('a4', 'letter')), texts: fc.option(anyTexts) },
    ...{ notes: fc.constantFrom('One', 'Two'), description: fc.constantFrom('', 'Sail.', 'Row.') },
  })
  .map(({ c, d, l, m, preset, texts, notes, description }): Documents => {
    const documents = new Map<string, JsonObject>([
      ['', { name: 'Tides', description }],
      ['notes/main', { text: notes }],
    ]);
    for (const [id, one] of Object.entries({ c, d })) {
      if (!one) continue;
      documents.set(`components/${id}`, one.fields);
      for (const [no, card] of one.cards.entries())
        if (card) documents.set(`components/${id}/cards/${no}`, card);
    }
    for (const [id, x] of Object.entries({ l, m }))
      if (x !== null) documents.set(`layouts/${id}`, scene(id, x));
    if (preset) documents.set('printPresets/s', { name: 'Home', settings: { paper: preset } });
    if (texts) {
      documents.set('languages/de', { by: 'ann' });
      for (const [unit, text] of Object.entries(texts)) {
        const path = `languages/de/parts/${partOf(unit)}`;
        const units = documents.get(path)?.['units'] as JsonObject | undefined;
        documents.set(path, { units: { ...units, [unit]: { source: 'one', text } } });
      }
    }
    return documents;
  });

beforeEach(() => stored.clear());

test('once all changes of a branch have come back, nothing is left to bring', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, anyProject, anyProject, async (base, theirs, mine) => {
      open(mine);
      const { changes } = told(base, theirs, mine);
      await bringBack(
        project,
        'branch',
        changes.map(({ act }) => act),
      );
      expect(told(base, theirs, present()).changes).toEqual([]);
      // The number of cards is that of the cards.
      for (const [path, { cardCount }] of present()) {
        if (!/^components\/\w+$/.test(path)) continue;
        const cards = [...stored.keys()].filter((one) => one.startsWith(`${P}/${path}/cards/`));
        expect(cardCount).toBe(cards.length);
      }
      // No card is without its component, and no text without its language.
      for (const path of present().keys()) {
        const [above] = /^(components|languages)\/\w+(?=\/)/.exec(path) ?? [];
        if (above) expect(present().has(above)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

test('a change comes by itself, and the others go on being offered', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, anyProject, anyProject, fc.nat(), async (base, theirs, mine, which) => {
      open(mine);
      const { changes } = told(base, theirs, mine);
      const free = changes.filter(({ needs = [] }) => needs.length === 0);
      const one = free[which % Math.max(1, free.length)];
      if (!one) return;
      await bringBack(project, 'branch', [one.act]);
      const rest = told(base, theirs, present()).changes.map(({ key }) => key);
      const others = changes.flatMap(({ key }) => (key === one.key ? [] : [key]));
      // Nobody sees cells of a column that is deleted.
      const isGone = (key: string) => one.act.kind === 'column' && key.endsWith(` cell ${one.act.column}`);
      expect(rest.filter((key) => !isGone(key)).sort()).toEqual(others.filter((key) => !isGone(key)).sort());
      for (const key of rest) expect(others).toContain(key);
    }),
    { numRuns: 150 },
  );
});

test('what somebody changed after it was shown brings nothing back', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, anyProject, anyProject, async (base, theirs, mine) => {
      const { changes } = told(base, theirs, mine);
      const written = changes.flatMap(({ act }) => (act.kind === 'removeComponent' ? [act] : []));
      const [removed] = written;
      if (!removed) return;
      open(mine);
      stored.set(`${P}/components/${removed.component}/cards/new`, { order: 9, copies: 1, cells: {} });
      const before = present();
      const all = changes.map(({ act }) => act);
      await expect(bringBack(project, 'branch', all)).rejects.toThrow(ChangedMeanwhile);
      expect(present()).toEqual(before);
    }),
  );
});
