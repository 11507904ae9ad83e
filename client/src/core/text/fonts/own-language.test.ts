import { expect, test } from 'vitest';
import { layout as layOut } from '../../layout/card.ts';
import type { Layout } from '../../scene/layout.ts';
import { assetsFor } from '../../testing/fonts.ts';
import { scriptLayout } from '../../testing/script-decks.ts';
import { inOwnLanguage } from './own-language.ts';

/** Families of the pack that set a word which is written alike in all countries. */
async function familiesOf(layout: Layout): Promise<string[]> {
  const row = { cells: { title: '骨直海', text: '' } };
  const list = layOut(layout, row, await assetsFor(layout, [row]));
  const faces = list.ops.flatMap((op) => (op.op === 'text' ? op.runs.map(({ face }) => face) : []));
  return [...new Set(faces.map((face) => /^noto-sans-[a-z]+/.exec(face)?.[0] ?? face))];
}

test.each([
  ['zh-hant', 'noto-sans-tc'],
  ['zh-hk', 'noto-sans-tc'],
  ['ja', 'noto-sans-jp'],
  ['ko', 'noto-sans-kr'],
  ['zh', 'noto-sans-sc'],
  ['', 'noto-sans-sc'],
])('cards whose own words are in “%s” are set in the forms of %s', async (language, family) => {
  expect(await familiesOf(inOwnLanguage(scriptLayout(), language))).toEqual([family]);
});

test('a layout stays itself where its language is known or chooses no forms, and is made once where it does', () => {
  const layout = scriptLayout();
  expect(inOwnLanguage(layout, 'de')).toBe(layout);
  expect(inOwnLanguage(layout, '')).toBe(layout);
  const made = inOwnLanguage(layout, 'zh-hant');
  expect(inOwnLanguage(layout, 'zh-hant')).toBe(made);
  expect(inOwnLanguage(made, 'ja')).toBe(made);
  expect(layout.language).toBeUndefined();
});
