import { expect, test } from 'vitest';
import type { SetUpPicture } from '../../play/set-up/set-up-picture.ts';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { flow } from '../paging/flow.ts';
import { pageFormat } from '../paging/formats.ts';
import { type CardArt, EMPTY_PROJECT, type Project } from '../typesetting/context.ts';
import { HOUSE_STYLES } from '../typesetting/house-style.ts';
import { filled } from '../typesetting/shapes.ts';

const look: CardArt = { w: 63, h: 88, ops: [filled({ x: 0, y: 0, w: 63, h: 88 }, '#a8361c')], alt: '' };
const setUp: SetUpPicture<CardArt> = {
  w: 220,
  h: 90,
  parts: [
    { kind: 'pile', x: 0, y: 0, w: 63, h: 88, count: 24, look },
    { kind: 'pile', x: 70, y: 0, w: 63, h: 88, count: 0 },
    { kind: 'area', x: 140, y: 0, w: 80, h: 90, count: 1 },
    { kind: 'piece', x: 145, y: 10, w: 20, h: 20, count: 0 },
  ],
  legend: [
    { words: '24 × Finds', x: 0, y: 0 },
    { words: 'Finds discard', x: 70, y: 0 },
    { words: '1 × Coin', x: 140, y: 0 },
  ],
};
const doc = {
  ...sampleRulebook(),
  blocks: [{ type: 'live' as const, id: 'table', show: 'setup' as const }],
};
const flowed = async (project: Project, house = HOUSE_STYLES[0]) =>
  flow(doc, house, pageFormat('a5'), await rulebookAssets(doc, project));

test.each(HOUSE_STYLES)(
  'the table stands in its column, and the numbers on it stand below it in words, in the style $name',
  async (house) => {
    const set = await flowed({ ...EMPTY_PROJECT, setUp }, house);
    expect(set.issues).toEqual([]);
    const pieces = set.pages.flatMap((page) => page.pieces);
    const figures = pieces.filter(({ path }) => path.at(-1)?.tag === 'Figure');
    expect(figures).toHaveLength(1);
    expect(figures[0]?.path.at(-1)?.alt).toBe('1: 24 × Finds\n2: Finds discard\n3: 1 × Coin');
    // Each part, and the cards that a pile shows below its top.
    const boxes = figures[0]?.ops.flatMap((op) =>
      op.op === 'path' && op.outline.kind === 'rect' && op.outline.box.w < 60 ? [op.outline.box] : [],
    );
    expect(boxes?.length).toBeGreaterThanOrEqual(6);
    const { area } =
      set.pages.flatMap(({ boxes: placed }) => placed).find(({ block }) => block === 'table') ?? {};
    for (const { x, w } of boxes ?? []) {
      expect(x).toBeGreaterThanOrEqual(area?.x ?? 0);
      expect(x + w).toBeLessThanOrEqual((area?.x ?? 0) + (area?.w ?? 0));
    }
    const caption = pieces
      .filter(({ path }) => path.at(-1)?.tag === 'Caption')
      .flatMap(({ ops }) => ops)
      .flatMap((op) =>
        op.op === 'text' ? op.runs.flatMap(({ words }) => words.map(({ text }) => text)) : [],
      )
      .join('')
      .replace(/\s+/g, '');
    expect(caption).toBe('1:24×Finds·2:Findsdiscard·3:1×Coin');
  },
);

test('a project that nothing can be played with is named among the problems', async () => {
  const set = await flowed({ ...EMPTY_PROJECT, setUp: { problem: 'Nothing here can lie on a table yet.' } });
  expect(set.issues.map(({ block, code, message }) => [block, code, message])).toEqual([
    ['table', 'missing-set-up', 'Nothing here can lie on a table yet.'],
  ]);
});
