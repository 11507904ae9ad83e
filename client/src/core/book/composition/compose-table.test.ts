import { expect, test } from 'vitest';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { type Alignment, RULEBOOK_VERSION, type Rulebook } from '../document/schema.ts';
import { displayListOf, flow } from '../paging/flow.ts';
import { pageFormat } from '../paging/formats.ts';
import { HOUSE_STYLES } from '../typesetting/house-style.ts';

const cell = (text: string) => [{ type: 'text' as const, text }];
const table = (align?: Alignment[]): Rulebook => ({
  version: RULEBOOK_VERSION,
  title: '',
  subtitle: '',
  language: 'en-gb',
  blocks: [
    {
      type: 'table',
      id: 't',
      caption: [],
      headRows: 0,
      ...(align && { align }),
      rows: [[cell('a'), cell('b'), cell('c')]],
    },
  ],
});

test.each(HOUSE_STYLES)(
  'columns of a table are aligned as they should be in the style $name',
  async (house) => {
    /** The left of each cell's text, and its width. */
    const places = async (doc: Rulebook) => {
      const { pages } = flow(doc, house, pageFormat('a5'), await rulebookAssets(doc));
      const words = pages
        .flatMap((page) => displayListOf(page).ops)
        .flatMap((op) => (op.op === 'text' ? op.runs.flatMap((run) => run.words) : []));
      return ['a', 'b', 'c'].map((text) => {
        const word = words.find((one) => one.text === text);
        if (!word) throw new Error(`${text} is not on the page.`);
        return word;
      });
    };
    const [left, centre, right] = [
      await places(table()),
      await places(table(['center', 'center', 'center'])),
      await places(table(['right', 'right', 'right'])),
    ];
    for (const at of [0, 1, 2]) {
      const [from = 0, middle = 0, to = 0] = [left, centre, right].map((words) => words[at]?.x ?? 0);
      expect(to).toBeGreaterThan(from + 10);
      expect(middle).toBeCloseTo((from + to) / 2, 5);
    }
    const mixed = await places(table(['left', 'right', 'center']));
    expect(mixed.map(({ x }) => x)).toEqual([left[0]?.x, right[1]?.x, centre[2]?.x]);
  },
);
