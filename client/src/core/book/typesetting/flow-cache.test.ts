import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rulebookAssets } from '../../testing/rulebook-assets.ts';
import { anyRulebook } from '../../testing/rulebooks.ts';
import { sameBlocks } from '../document/same-blocks.ts';
import type { Block, Inline, Rulebook } from '../document/schema.ts';
import { type Flowed, flow } from '../paging/flow.ts';
import { PAGE_FORMATS, type PageFormat } from '../paging/formats.ts';
import type { Page } from '../paging/painted-page.ts';
import type { Project } from './context.ts';
import { FlowCache } from './flow-cache.ts';
import { HOUSE_STYLES, type HouseStyle } from './house-style.ts';

/** The state of everything around a text, in numbers. */
interface World {
  readonly icon: number;
  readonly value: number;
  readonly card: number;
  readonly image: number;
  readonly components: number;
  readonly setUp: number;
}

const ART = [30, 40].map((w) => ({ w, h: 50, ops: [], alt: `A card ${w} wide` }));
const SET_UPS = [
  { problem: 'There is no table.' },
  { w: 200, h: 100, parts: [], legend: [{ words: 'The pile', x: 10, y: 10 }] },
];
const projectOf = ({ icon, value, card, components, setUp }: World): Project => ({
  icons: new Map(icon === 0 ? [] : [['sword', { source: `sword${icon}.svg`, meaning: `Meaning ${icon}` }]]),
  components: Array.from({ length: components }, (_, at) => ({ name: `Component ${at}`, count: at + 1 })),
  card: (name) => (name === 'Fox' ? ART[card - 1] : undefined),
  absent: new Map(card === 0 ? [['Fox', { reason: 'gone', instead: `Box ${value}` }]] : []),
  value: () => (value === 0 ? { error: 'Nothing is known.' } : { text: `${value * 1_000}` }),
  setUp: SET_UPS[setUp % 2],
});
const sizeOf = ({ image }: World) => (image === 0 ? undefined : { w: image, h: 2 });

const anyWorld = fc.record({
  icon: fc.nat(2),
  value: fc.nat(2),
  card: fc.nat(2),
  image: fc.nat(3),
  components: fc.nat(2),
  setUp: fc.nat(1),
});

const anyTarget = fc.nat(12).map((at) => `b${at}`);
const anyInline: fc.Arbitrary<Inline> = fc.oneof(
  fc.record({
    type: fc.constant('reference' as const),
    block: anyTarget,
    show: fc.constantFrom('number' as const, 'title' as const, 'page' as const),
  }),
  fc.record({ type: fc.constant('term' as const), definition: anyTarget, text: fc.constant('Ash') }),
  fc.constant<Inline>({ type: 'icon', name: 'sword' }),
  fc.constant<Inline>({ type: 'value', formula: 'count(Cards)' }),
);
/** Blocks that look at what lies outside them. */
const anyLooking: fc.Arbitrary<Block> = fc.oneof(
  fc
    .array(anyInline, { minLength: 1, maxLength: 3 })
    .map((content): Block => ({ type: 'paragraph', id: '', content })),
  fc
    .constantFrom('contents', 'contents', 'glossary', 'index', 'components', 'icons', 'setup')
    .map((show): Block => ({ type: 'live', id: '', show }) as Block),
  fc.constant<Block>({ type: 'cards', id: '', names: ['Fox'], caption: [] }),
  fc
    .constantFrom('column', 'across', 'top')
    .map(
      (place) =>
        ({ type: 'figure', id: '', source: 'map.png', alt: '', place, width: 1, caption: [] }) as Block,
    ),
);
/** One of them inside a callout, too. */
const anyNew = fc.oneof(
  anyLooking,
  anyLooking.map(
    (block): Block =>
      ({ type: 'callout', id: '', kind: 'note', title: '', blocks: [{ ...block, id: '' }] }) as Block,
  ),
);

type Edit =
  | { readonly kind: 'insert'; readonly at: number; readonly block: Block }
  | { readonly kind: 'delete' | 'repeat' | 'swap' | 'letter' | 'rename'; readonly at: number }
  | { readonly kind: 'world'; readonly world: World }
  | { readonly kind: 'style'; readonly house: number };

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fc.nat(20), block: anyNew }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'delete' as const,
        'repeat' as const,
        'swap' as const,
        'letter' as const,
        'rename' as const,
      ),
      at: fc.nat(20),
    }),
  },
  { weight: 3, arbitrary: anyWorld.map((world): Edit => ({ kind: 'world', world })) },
  { weight: 1, arbitrary: fc.nat(HOUSE_STYLES.length - 1).map((house): Edit => ({ kind: 'style', house })) },
);

function edited(doc: Rulebook, edit: Edit, id: string): Rulebook {
  if (edit.kind === 'rename') return renamed(doc, edit.at);
  const blocks = [...doc.blocks];
  if (!('at' in edit) || blocks.length === 0) return doc;
  const at = edit.at % blocks.length;
  const [block, next] = [blocks[at], blocks[at + 1]];
  if (!block) return doc;
  if (edit.kind === 'insert') blocks.splice(at, 0, withId(edit.block, id));
  else if (edit.kind === 'delete') blocks.splice(at, 1);
  else if (edit.kind === 'repeat') blocks.splice(at, 0, withId(block, id));
  else if (edit.kind === 'swap' && next) blocks.splice(at, 2, next, block);
  else if (edit.kind === 'letter') return { ...doc, blocks: blocks.with(at, withLetter(block)) };
  return { ...doc, blocks };
}

/** Another name for a heading or a definition, which other blocks show. */
function renamed(doc: Rulebook, nth: number): Rulebook {
  const named = doc.blocks.filter(({ type }) => type === 'heading' || type === 'definition');
  const wanted = named[nth % named.length];
  return {
    ...doc,
    blocks: doc.blocks.map((block) => {
      if (block !== wanted) return block;
      return block.type === 'definition' ? { ...block, term: `${block.term} x` } : withLetter(block);
    }),
  };
}

const withId = (block: Block, id: string): Block =>
  block.type === 'callout'
    ? { ...block, id, blocks: block.blocks.map((one, at) => ({ ...one, id: `${id}.${at}` }) as typeof one) }
    : { ...block, id };

function withLetter(block: Block): Block {
  if ('content' in block)
    return { ...block, content: [...block.content, { type: 'text', text: ' x Ash.' }] } as Block;
  if (block.type === 'callout' || block.type === 'columns') {
    return { ...block, blocks: block.blocks.map((one) => withLetter(one)) } as Block;
  }
  return block;
}

const marked = ({ mark, ...page }: Page) => page;
/** Without the marks, which are of one cache. */
const plain = ({ pages, ...flowed }: Flowed) => ({ ...flowed, pages: pages.map(marked) });

/** Composes every block in every pass. */
class KeepsNothing extends FlowCache {
  override composed(...[context, , , make]: Parameters<FlowCache['composed']>) {
    return make(context);
  }
}

test('after any edits the pages are those that a flow without a cache makes, and equal marks are equal pages', async () => {
  const [doc] = fc.sample(anyRulebook, 1);
  const assets = await rulebookAssets(doc as Rulebook);
  const anyStart = fc.record({
    doc: anyRulebook,
    looking: fc.array(fc.tuple(fc.nat(20), anyNew), { minLength: 4, maxLength: 8 }),
    world: anyWorld,
    format: fc.nat(PAGE_FORMATS.length - 1),
    edits: fc.array(anyEdit, { minLength: 5, maxLength: 8 }),
  });
  fc.assert(
    fc.property(anyStart, (start) => {
      const cache = new FlowCache();
      const format = PAGE_FORMATS[start.format] as PageFormat;
      const marks = new Map<string, string>();
      let { world } = start;
      let doc = start.looking.reduce(
        (made, [at, block], no) => edited(made, { kind: 'insert', at, block }, `looking${no}`),
        start.doc,
      );
      let [house] = HOUSE_STYLES as readonly HouseStyle[];
      let last: Rulebook | undefined;
      for (const [at, edit] of start.edits.entries()) {
        if (edit.kind === 'world') world = edit.world;
        else if (edit.kind === 'style') house = HOUSE_STYLES[edit.house];
        else doc = edited(doc, edit, `new${at}`);
        // A worker is sent a copy of the document and of the project each time.
        last = sameBlocks(last, structuredClone(doc));
        const around = { ...assets, images: { size: () => sizeOf(world) }, project: projectOf(world) };
        const kept = flow(last, house as HouseStyle, format, { ...around, cache });
        expect(plain(kept)).toEqual(
          plain(flow(doc, house as HouseStyle, format, { ...around, cache: new KeepsNothing() })),
        );
        for (const page of kept.pages) {
          const painted = JSON.stringify(page.pieces);
          expect(marks.get(page.mark) ?? painted).toBe(painted);
          marks.set(page.mark, painted);
        }
      }
    }),
    { numRuns: 100, seed: Number(process.env['FLOW_SEED'] ?? 1) },
  );
}, 60_000);

test('a block that is equal stays the same object, in columns too, and others do not', () => {
  const word = (text: string, id: string): Block => ({
    type: 'paragraph',
    id,
    content: [{ type: 'text', text }],
  });
  const columns = (id: string, ...blocks: Block[]): Block =>
    ({ type: 'columns', id, count: 2, blocks }) as Block;
  const base = { version: 1, title: '', subtitle: '', language: 'en', noTerms: [] } as unknown as Rulebook;
  const before = {
    ...base,
    blocks: [word('a', '1'), word('b', '2'), columns('3', word('c', '4'), word('d', '5'))],
  };
  const after = structuredClone(before);
  const now = {
    ...after,
    title: 'New',
    blocks: [word('e', '2'), ...after.blocks.slice(0, 1), columns('3', word('c', '4'), word('f', '5'))],
  };
  const same = sameBlocks(before, now);
  expect(same).toEqual(now);
  expect(same.blocks[1]).toBe(before.blocks[0]);
  expect(same.blocks[0]).toBe(now.blocks[0]);
  const [kept, changed] = same.blocks[2]?.type === 'columns' ? same.blocks[2].blocks : [];
  expect(kept).toBe(before.blocks[2]?.type === 'columns' && before.blocks[2].blocks[0]);
  expect(changed).toEqual(word('f', '5'));
});
