import { expect, test } from 'vitest';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { checkRulebook } from '../checks/checks.ts';
import type { Block, Rulebook } from '../document/schema.ts';
import { displayListOf, flow } from '../paging/flow.ts';
import { pageFormat } from '../paging/formats.ts';
import { type AbsentCard, EMPTY_PROJECT, type Project } from '../typesetting/context.ts';
import { HOUSE_STYLES } from '../typesetting/house-style.ts';
import { sharedNames } from './cards-check.ts';

const absent = new Map<string, AbsentCard>([
  ['Neap tides', { reason: 'gone', instead: 'Neap tide' }],
  ['Lighthouse', { reason: 'gone' }],
  ['Ebb', { reason: 'no-layout' }],
]);
const project: Project = {
  ...EMPTY_PROJECT,
  card: (name) => (name === 'Cockle' ? { w: 63, h: 88, ops: [], alt: 'Cockle' } : undefined),
  absent,
};
const blocks: Block[] = [
  { type: 'cards', id: 'row', names: ['Cockle', 'Neap tides', 'Ebb'], caption: [] },
  {
    type: 'paragraph',
    id: 'text',
    content: [
      { type: 'card', name: 'Lighthouse' },
      { type: 'card', name: 'Lighthouse' },
      { type: 'card', name: 'Ebb' },
    ],
  },
  { type: 'cards', id: 'unset', names: ['?'], caption: [] },
];
const doc: Rulebook = { ...sampleRulebook(), blocks };

test('a card that is gone is told once for a block, with a card that can take its place', async () => {
  const assets = await rulebookAssets(doc, project);
  const flowed = flow(doc, HOUSE_STYLES[0], pageFormat('a5'), assets);
  const found = checkRulebook({ doc, project, cards: [], flowed });
  expect(
    found.flatMap(({ code, block, exchange, message }) =>
      code === 'card-absent' ? [[block, exchange, message]] : [],
    ),
  ).toEqual([
    ['row', { from: 'Neap tides', to: 'Neap tide' }, expect.stringContaining('such as Neap tide')],
    ['row', undefined, expect.stringContaining('its component no longer has a layout')],
    ['text', undefined, 'The project has no card Lighthouse: choose another one, or remove it.'],
  ]);
  // The pages say nothing of it a second time.
  expect(found.filter(({ message }) => message.includes('Neap tides'))).toHaveLength(1);
});

test('the page has an outline in the place of each card that is gone, and says which', async () => {
  const assets = await rulebookAssets(doc, project);
  const flowed = flow(doc, HOUSE_STYLES[0], pageFormat('a5'), assets);
  const alts = flowed.pages.flatMap(({ pieces }) =>
    pieces.flatMap(({ path }) =>
      path.flatMap((element) => ('alt' in element && element.alt ? [element.alt] : [])),
    ),
  );
  expect(new Set(alts)).toContain('Cockle\nThe card Neap tides is not there.\nThe card Ebb is not there.');
  const dashed = flowed.pages
    .flatMap((page) => displayListOf(page).ops)
    .filter((op) => op.op === 'path' && (op.stroke?.dash?.length ?? 0) > 0);
  expect(dashed.length).toBe(3);
  expect(flowed.issues.filter(({ code }) => code === 'missing-card')).toHaveLength(3);
});

test('a name that several cards have is told once for a block, with the one that is meant and the others', () => {
  const blocks: Block[] = [
    {
      type: 'paragraph',
      id: 'p',
      content: [
        { type: 'card', name: 'Ebb' },
        { type: 'card', name: 'Ebb' },
        { type: 'card', name: 'Ebb (Tide)' },
      ],
    },
    { type: 'cards', id: 'row', names: ['Flood', 'Ebb'], caption: [] },
  ];
  const shared = new Map([['Ebb', ['Ebb (Finds)', 'Ebb (Tide)', 'Ebb (Tide 2)']]]);
  const message =
    '3 cards are called Ebb; the first, Ebb (Finds), is meant here. Use that name, or choose Ebb (Tide) or Ebb (Tide 2).';
  expect(sharedNames(blocks, { shared })).toEqual(
    ['p', 'row'].map((block) => ({ block, name: 'Ebb', message, instead: 'Ebb (Finds)' })),
  );
  expect(sharedNames(blocks, {})).toEqual([]);
});
