import { expect, test } from 'vitest';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { flow } from '../paging/flow.ts';
import { pageFormat } from '../paging/formats.ts';
import { type CardArt, EMPTY_PROJECT, type Project } from '../typesetting/context.ts';
import { HOUSE_STYLES } from '../typesetting/house-style.ts';
import { filled } from '../typesetting/shapes.ts';

const art: CardArt = {
  w: 63,
  h: 88,
  ops: [filled({ x: 0, y: 0, w: 63, h: 88 }, '#a8361c')],
  alt: 'A cockle',
};
const project: Project = {
  ...EMPTY_PROJECT,
  components: [
    { name: 'Finds', count: 24, card: 'Cockle' },
    { name: 'a tide table without a picture', count: 1 },
    { name: 'Tides', count: 6, card: 'Gone' },
  ],
  card: (name) => (name === 'Cockle' ? art : undefined),
};

test.each(HOUSE_STYLES)(
  'components are listed with their pictures and counts in the style $name',
  async (house) => {
    const doc = sampleRulebook();
    const set = flow(doc, house, pageFormat('a5'), await rulebookAssets(doc, project));
    expect(set.issues).toEqual([]);
    const pieces = set.pages.flatMap((page) => page.pieces);
    const pictures = pieces.filter(({ path }) =>
      path.some(({ tag, alt }) => tag === 'Figure' && alt === art.alt),
    );
    expect(pictures).toHaveLength(1);
    // As large as its place has room for, whole and within it.
    const matrix = pictures[0]?.ops.flatMap((op) => (op.op === 'push' ? [op.matrix] : []))[0];
    expect(matrix?.[0]).toBeCloseTo(18 / 88, 5);
    const listed = new Set(
      pieces.flatMap(({ path }) =>
        path.filter(({ tag, key }) => tag === 'TR' && /\/[0-2]$/.test(key)).map(({ key }) => key),
      ),
    );
    expect(listed.size).toBeGreaterThanOrEqual(3);
  },
);
