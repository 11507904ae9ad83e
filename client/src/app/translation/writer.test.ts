import { expect, test } from 'vitest';
import { type Block, RULEBOOK_VERSION, type Rulebook } from '../../core/book/document/schema.ts';
import { translatedUnits } from '../../core/book/translation/translation.ts';
import type { Entry } from '../../core/translation/translation.ts';
import { TranslationWriter } from './writer.ts';

const BOOK: Rulebook = {
  version: RULEBOOK_VERSION,
  title: '7',
  subtitle: '',
  language: 'en',
  blocks: ['Draw.', 'Stop.'].map(
    (text, at): Block => ({ type: 'paragraph', id: `p${at}`, content: [{ type: 'text', text }] }),
  ),
};

const same = (a: Entry | null | undefined, b: Entry | null | undefined) =>
  a?.text === b?.text && a?.source === b?.source;

/** A writer of a database that answers at once and tells of its changes when it is asked to. */
function world(stored: Record<string, Entry> = {}) {
  const database = new Map<string, Entry>(Object.entries(stored));
  let writes = 0;
  let broken = false;
  const gone: string[] = [];
  const writer = new TranslationWriter(
    async (changes, expected) => {
      if (broken) throw new Error('There is no connection.');
      writes++;
      const before = new Map<string, Entry | null>();
      for (const [id, entry] of changes) {
        if (expected?.has(id) && !same(database.get(id), expected.get(id))) continue;
        before.set(id, database.get(id) ?? null);
        if (entry) database.set(id, entry);
        else database.delete(id);
      }
      return before;
    },
    new Map(),
    () => undefined,
    (drafts) => gone.push(...drafts.map(({ text }) => text)),
  );
  const tell = (book = BOOK) => writer.follow(translatedUnits(book, database), new Map(database));
  tell();
  return {
    writer,
    database,
    tell,
    draft: () => writer.snapshot().drafts.get('p0.text'),
    writes: () => writes,
    gone,
    break: (is: boolean) => {
      broken = is;
    },
  };
}

const OLD = { source: 'Draw.', text: 'Zieh.' };
const write = (writer: TranslationWriter, text: string) => {
  writer.type('p0.text', text);
  return writer.save('p0.text');
};

test('a text is stored once, however often its field is left before it comes back', async () => {
  const { writer, database, tell, draft, writes } = world();
  writer.type('p0.text', 'Zieh.');
  const all = await Promise.all([writer.save('p0.text', true), writer.save('p0.text')]);
  expect([...all, await writer.save('p0.text')]).toEqual([true, true, true]);
  expect(writes()).toBe(1);
  expect(draft()).toMatchObject({ text: 'Zieh.', stored: { before: undefined } });
  tell();
  expect(draft()).toBeUndefined();
  expect(database.get('p0.text')).toEqual(OLD);
});

test('a text that is changed again before it comes back is no change of somebody else', async () => {
  const { writer, database, draft, tell } = world({ 'p0.text': OLD });
  expect(await write(writer, 'Nimm.')).toBe(true);
  expect(await write(writer, 'Nimm eine.')).toBe(true);
  tell();
  expect(draft()).toBeUndefined();
  expect(database.get('p0.text')?.text).toBe('Nimm eine.');
});

test('what somebody else stored meanwhile is not replaced unless one says so again', async () => {
  const { writer, database, draft } = world({ 'p0.text': OLD });
  database.set('p0.text', { source: 'Draw.', text: 'Ihre.' });
  expect(await write(writer, 'Meine.')).toBe(false);
  expect(draft()).toMatchObject({ text: 'Meine.', replaces: true });
  expect(database.get('p0.text')?.text).toBe('Ihre.');
  expect(await writer.save('p0.text')).toBe(true);
  expect(database.get('p0.text')?.text).toBe('Meine.');
});

test('undo takes back the last change, also before it came back, and not what others wrote since', async () => {
  const { writer, database, tell, draft } = world({ 'p0.text': OLD });
  await write(writer, 'Nimm.');
  expect(writer.snapshot().undoes).toBe('a change');
  await writer.undo();
  tell();
  expect(draft()).toBeUndefined();
  expect(database.get('p0.text')).toEqual(OLD);
  expect(writer.snapshot().undoes).toBeUndefined();
  await write(writer, 'Nimm.');
  database.set('p0.text', { source: 'Draw.', text: 'Ihre.' });
  await writer.undo();
  expect(database.get('p0.text')?.text).toBe('Ihre.');
  expect(writer.snapshot().problem).toMatch(/Somebody else/);
});

test('a stale text is accepted as it is, once, and undone', async () => {
  const stale = { source: 'Take.', text: 'Zieh.' };
  const { writer, database, tell, writes } = world({ 'p0.text': stale });
  expect(await writer.save('p0.text', true)).toBe(true);
  expect(await writer.save('p0.text', true)).toBe(true);
  expect(writes()).toBe(1);
  tell();
  expect(database.get('p0.text')).toEqual(OLD);
  await writer.undo();
  expect(database.get('p0.text')).toEqual(stale);
});

test('an empty field removes a translation, and leaving an untouched one does nothing', async () => {
  const { writer, database, writes } = world({ 'p0.text': OLD });
  expect(await write(writer, 'Zieh.')).toBe(true);
  expect(await writer.save('p1.text')).toBe(true);
  writer.type('p1.text', '');
  expect(await writer.save('p1.text')).toBe(true);
  expect(writes()).toBe(0);
  expect(await write(writer, '  ')).toBe(true);
  expect(database.has('p0.text')).toBe(false);
});

test('nothing typed is lost where it cannot be stored, nor by what was typed meanwhile', async () => {
  const broken = world();
  broken.break(true);
  expect(await write(broken.writer, 'Zieh.')).toBe(false);
  expect(broken.draft()).toMatchObject({ text: 'Zieh.', problem: expect.stringContaining('no connection') });
  broken.break(false);
  expect(await broken.writer.save('p0.text')).toBe(true);
  const { writer, draft } = world();
  const saved = write(writer, 'Zieh.');
  writer.type('p0.text', 'Zieh eine');
  await saved;
  expect(draft()).toEqual({ text: 'Zieh eine', source: 'Draw.' });
});

test('what was typed for a text that is deleted is said once, and comes back with the text', () => {
  const { writer, draft, tell, gone } = world();
  writer.type('p0.text', 'Zieh');
  tell({ ...BOOK, blocks: BOOK.blocks.slice(1) });
  tell({ ...BOOK, blocks: [] });
  expect(gone).toEqual(['Zieh']);
  expect(draft()).toEqual({ text: 'Zieh', source: 'Draw.', gone: true });
  tell();
  expect(draft()).toEqual({ text: 'Zieh', source: 'Draw.' });
});

test('undo asked twice before it has an answer takes the last two changes back, and no more', async () => {
  const { writer, database } = world({ 'p0.text': OLD });
  for (const text of ['Eins.', 'Zwei.', 'Drei.']) await write(writer, text);
  await Promise.all([writer.undo(), writer.undo()]);
  expect(database.get('p0.text')?.text).toBe('Eins.');
  expect(writer.snapshot()).toMatchObject({ undoes: 'a change', problem: undefined });
  await Promise.all([writer.undo(), writer.undo(), writer.undo()]);
  expect(database.get('p0.text')).toEqual(OLD);
  expect(writer.snapshot()).toMatchObject({ undoes: undefined, problem: undefined });
});

test('a save between two undos is stored after the one and taken back by the other', async () => {
  const { writer, database } = world({ 'p0.text': OLD });
  for (const text of ['Eins.', 'Zwei.']) await write(writer, text);
  const first = writer.undo();
  const drei = write(writer, 'Drei.');
  const second = writer.undo();
  expect(await drei).toBe(true);
  await Promise.all([first, second]);
  expect(database.get('p0.text')?.text).toBe('Eins.');
  expect(await write(writer, 'Vier.')).toBe(true);
});

test('undo takes back what is still on its way, and what is saved right after it is stored after it', async () => {
  const { writer, database } = world({ 'p0.text': OLD });
  await write(writer, 'Eins.');
  const zwei = write(writer, 'Zwei.');
  const undone = writer.undo();
  const drei = write(writer, 'Drei.');
  expect(await Promise.all([zwei, drei])).toEqual([true, true]);
  await undone;
  expect(database.get('p0.text')?.text).toBe('Drei.');
  await writer.undo();
  expect(database.get('p0.text')?.text).toBe('Eins.');
});

test('a text whose source changes while it is typed is stale, and can be accepted', async () => {
  const { writer, database, tell } = world();
  const changed: Rulebook = {
    ...BOOK,
    blocks: BOOK.blocks.map((block) =>
      block.id === 'p0' && block.type === 'paragraph'
        ? { ...block, content: [{ type: 'text', text: 'Draw two.' }] }
        : block,
    ),
  };
  writer.type('p0.text', 'Zie');
  tell(changed);
  writer.type('p0.text', 'Zieh.');
  expect(await writer.save('p0.text', true)).toBe(true);
  expect(database.get('p0.text')).toEqual(OLD);
  tell(changed);
  expect(await writer.save('p0.text', true)).toBe(true);
  expect(database.get('p0.text')).toEqual({ source: 'Draw two.', text: 'Zieh.' });
  tell(changed);
  expect(await write(writer, 'Zieh zwei.')).toBe(true);
  expect(database.get('p0.text')).toEqual({ source: 'Draw two.', text: 'Zieh zwei.' });
});

test('several texts are stored as one change, and those that cannot be are kept with their reason', async () => {
  const { writer, database, tell, writes } = world({ 'p0.text': OLD });
  database.set('p1.text', { source: 'Stop.', text: 'Ihre.' });
  await writer.saveAll(
    'the paste of translations',
    new Map([
      ['p0.text', 'Nimm.'],
      ['p1.text', 'Halt.'],
      ['nobody', 'x'],
    ]),
  );
  expect(writes()).toBe(1);
  expect(database.get('p0.text')?.text).toBe('Nimm.');
  expect(database.get('p1.text')?.text).toBe('Ihre.');
  expect(writer.snapshot().drafts.get('p1.text')).toMatchObject({ text: 'Halt.', replaces: true });
  expect(writer.snapshot().drafts.has('nobody')).toBe(false);
  tell();
  expect(writer.snapshot().drafts.has('p0.text')).toBe(false);
  expect(writer.snapshot().undoes).toBe('the paste of translations');
  await writer.undo();
  expect(database.get('p0.text')).toEqual(OLD);
  // The same text once more changes nothing, and an empty one removes it.
  tell();
  await writer.saveAll('nothing', new Map([['p0.text', OLD.text]]));
  expect(writes()).toBe(2);
  await writer.saveAll('a removal', new Map([['p0.text', ' ']]));
  expect(database.has('p0.text')).toBe(false);
});

test('an undo that fails says why, and can be tried again', async () => {
  const { writer, database, tell, break: cut } = world();
  await write(writer, 'Zieh.');
  tell();
  cut(true);
  expect(await writer.undo()).toBe(false);
  expect(writer.snapshot()).toMatchObject({
    undoes: 'a translation',
    problem: 'There is no connection.',
  });
  cut(false);
  expect(await writer.undo()).toBe(true);
  expect(writer.snapshot()).toMatchObject({ undoes: undefined, problem: undefined });
  expect(database.size).toBe(0);
});
