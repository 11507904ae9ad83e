import { expect, test, vi } from 'vitest';

vi.mock('@sdk/firestore', () => ({}));
vi.mock('../rulebooks/step-store.ts', () => ({}));
vi.mock('../rulebooks/rulebooks.ts', () => ({}));
vi.mock('../rulebooks/read-text.ts', () => ({}));

import type { Block } from '../../core/book/document/schema.ts';
import { applyStep, emptyDoc, stepsOf } from '../../core/book/prose/steps.ts';
import { hashAfter, NO_STEPS, writeVersion } from '../../core/book/prose/versions.ts';
import type { StoredChange } from '../../core/versions/stored-change.ts';
import { compareTexts } from './rulebook-texts.ts';

const paragraph = (id: string, text: string) =>
  ({ id, type: 'paragraph', content: [{ type: 'text', text, marks: [] }] }) as unknown as Block;
const number = (n: number) => String(n).padStart(8, '0');

test('texts are compared by their blocks, each from its version and the steps after it', async () => {
  const [first = ''] = stepsOf([paragraph('a', 'Draw two cards.')]);
  const begun = applyStep(emptyDoc(), first);
  if (!('doc' in begun)) throw new Error(begun.message);
  const step = (s: string) => ({ s, client: 'c', by: 'u', at: 1 });
  // The later state has a version in the place of the step, and one step more.
  const hash = hashAfter(NO_STEPS, 1, first);
  const end = begun.doc.content.size;
  const more = JSON.stringify([
    {
      stepType: 'replace',
      from: end,
      to: end,
      slice: {
        content: [{ type: 'paragraph', attrs: { id: 'b' }, content: [{ type: 'text', text: 'Stop.' }] }],
      },
    },
  ]);
  const changes: StoredChange[] = [
    { path: `rulebooks/r/steps/${number(1)}`, before: step(first), after: null },
    { path: `rulebooks/r/steps/${number(2)}`, before: null, after: step(more) },
    {
      path: `rulebooks/r/versions/${number(1)}`,
      before: null,
      after: { doc: writeVersion(begun.doc), hash, name: '', by: 'u', at: 1 },
    },
    // Another rulebook's, whose id begins alike.
    { path: `rulebooks/r2/steps/${number(1)}`, before: step('no step'), after: step('none') },
  ];
  expect(await compareTexts(changes, 'r')).toMatchObject([
    { change: 'added', words: [{ change: 'added', text: 'Stop.' }] },
  ]);
});
