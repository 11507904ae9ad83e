import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PNG } from 'pngjs';
import library from '../assets/font-library.json' with { type: 'json' };
import { checkRulebook } from '../src/core/book/checks/checks.ts';
import type { Block, Rulebook } from '../src/core/book/document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../src/core/book/document/walk.ts';
import type { Flowed } from '../src/core/book/paging/flow.ts';
import { HOUSE_STYLES } from '../src/core/book/typesetting/house-style.ts';
import { newLayout } from '../src/core/scene/new-layout.ts';
import { newZone } from '../src/core/scene/zones.ts';
import { readTestFace } from '../src/core/testing/fonts.ts';
import { sampleRulebook } from '../src/core/testing/sample-rulebook.ts';
import { familyOf } from '../src/core/text/fonts/catalogue.ts';
import { createSubsetter } from '../src/render/pdf/fonts/subset.ts';
import { rulebookPdf } from '../src/render/pdf/rulebook/rulebook.ts';
import { RenderContext } from '../src/render/render-context.ts';
import { RulebookPages } from '../src/workers/rulebook/rulebook-pages.ts';
import type { ProjectFacts } from '../src/workers/rulebook/rulebook-protocol.ts';

const WORDS = 29_000;
/** With the cards they make the 120 of the acceptance. */
const PICTURES = 60;
const CARDS = 60;
const CARDS_IN_A_ROW = 3;
const INFO = { title: 'Driftglass', created: new Date(0), language: 'en-gb' };

function wordsIn(blocks: readonly Block[]): number {
  const texts = [...allBlocks(blocks)].flatMap((block) => inlinesOf(block).map(plainText));
  return texts.join(' ').split(/\s+/).length;
}

/** The sample rulebook again and again, each time under ids of its own, until it has the words. */
function longRulebook(): Rulebook {
  const sample = sampleRulebook();
  const blocks: Block[] = [];
  for (let copy = 0, words = 0; words < WORDS; copy++) {
    const again = JSON.parse(
      JSON.stringify(sample.blocks).replace(/"(id|block|definition)":"/g, `"$1":"${copy}x`),
    ) as Block[];
    // One table of contents, one glossary and one index are enough.
    const kept = copy === 0 ? again : again.filter(({ type }) => type !== 'live');
    blocks.push(...kept);
    words += wordsIn(kept);
  }
  return { ...sample, blocks: withArt(blocks) };
}

/** The blocks with pictures and rows of cards among them, the same distance apart. */
function withArt(blocks: readonly Block[]): Block[] {
  const rows = CARDS / CARDS_IN_A_ROW;
  const art = [
    ...Array.from({ length: PICTURES }, (_, at): Block => {
      const alt = `Picture ${at + 1}`;
      return {
        type: 'figure',
        id: `picture${at}`,
        source: `${at}.png`,
        alt,
        place: 'column',
        width: 1,
        caption: [],
      };
    }),
    ...Array.from({ length: rows }, (_, at): Block => {
      const names = Array.from({ length: CARDS_IN_A_ROW }, (_, n) => cardName(at * CARDS_IN_A_ROW + n));
      return { type: 'cards', id: `cards${at}`, names, caption: [] };
    }),
  ];
  const every = Math.floor(blocks.length / art.length);
  return blocks.flatMap((block, at) => {
    const one = at % every === every - 1 ? art[Math.floor(at / every)] : undefined;
    return one ? [block, one] : [block];
  });
}

const cardName = (at: number): string => `Card ${at + 1}`;

/** A picture as an illustrator draws one: areas of colour, and a grain that packs badly. */
function picture(seed: number): Uint8Array {
  const png = new PNG({ width: 480, height: 320 });
  let noise = seed + 1;
  for (let at = 0; at < png.data.length; at += 4) {
    noise = (noise * 48_271) % 2_147_483_647;
    const x = (at / 4) % 480;
    png.data[at] = (seed * 37 + x / 4) & 255;
    png.data[at + 1] = (at / 4 / 480) & 255;
    png.data[at + 2] = 90 + (noise & 1);
    png.data[at + 3] = 255;
  }
  return new Uint8Array(PNG.sync.write(png));
}

/** The project's side: a layout with a title and a text, and as many cards as the rulebook shows. */
function facts(): ProjectFacts {
  const layout = newLayout('Card');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 53, h: 10 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  const text = newZone('text', 'text', 'Text', { x: 5, y: 40, w: 53, h: 40 });
  text.bindings = { text: { mode: 'column', column: 'text' } };
  layout.zones = [title, text];
  const columns = [
    { key: 'name', name: 'Name' },
    { key: 'text', name: 'Text' },
  ];
  const cards = Array.from({ length: CARDS }, (_, at) => {
    const name = cardName(at);
    const words = `When the tide turns, put ${at} shells on the beach and take one from each player who has more.`;
    return { name, layout, row: { cells: { name, text: words } }, columns, alt: `${name}. ${words}` };
  });
  return { components: [], icons: [], cards, absent: [], values: [], texts: [] };
}

/** The document after one more letter in a paragraph. */
function typed(doc: Rulebook, at: number, letter: string): Rulebook {
  const blocks = [...doc.blocks];
  const block = blocks[at];
  if (block?.type !== 'paragraph') throw new Error(`Block ${at} is no paragraph.`);
  blocks[at] = { ...block, content: [...block.content, { type: 'text', text: letter, marks: [] }] };
  return { ...doc, blocks };
}

/** A function for each figure of `bench/rulebook.mjs`. Pages are set as the worker of the application sets them. */
export async function rulebookBench() {
  const doc = longRulebook();
  const files = new Map(Array.from({ length: PICTURES }, (_, at) => [`${at}.png`, picture(at)]));
  const context = new RenderContext(
    readTestFace,
    async (source) => {
      const bytes = files.get(source);
      return bytes && { bytes };
    },
    async () => library.families.map(familyOf),
  );
  const pages = new RulebookPages(context);
  const project = facts();
  const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  const tools = {
    fonts: context.fonts,
    subsetter: await createSubsetter(readFileSync(wasm)),
    imageBytes: async (source: string) => context.images.bytes(source),
  };
  const set = async (one: Rulebook): Promise<Flowed> => {
    // A worker is sent a copy each time.
    const request = structuredClone({ doc: one, style: HOUSE_STYLES[0].id, format: 'a4', project });
    return (await pages.set(request)).flowed;
  };
  /** The worker's answer to a text: its pages, their marks and the checks. */
  const answer = async (one: Rulebook): Promise<void> => {
    const request = structuredClone({ doc: one, style: HOUSE_STYLES[0].id, format: 'a4', project });
    const { flowed, project: facts, doc } = await pages.set(request);
    for (const page of flowed.pages) page.mark;
    checkRulebook({ doc, project: facts, cards: request.project.texts, flowed });
  };
  const paragraphs = doc.blocks.flatMap(({ type }, at) => (type === 'paragraph' ? [at] : []));
  return {
    words: wordsIn(doc.blocks),
    pictures: doc.blocks.filter(({ type }) => type === 'figure').length,
    cards: doc.blocks.reduce((sum, block) => sum + (block.type === 'cards' ? block.names.length : 0), 0),
    cold: () => set(doc),
    /** Sets the document after each of so many letters, in paragraphs all over it; `whole` with the rest of the worker's answer. */
    *typing(count: number, whole: boolean) {
      let now = doc;
      for (let key = 0; key < count; key++) {
        const at = paragraphs[Math.floor((paragraphs.length * (key + 0.5)) / count)] ?? 0;
        now = typed(now, at, ' x');
        const next = now;
        yield () => (whole ? answer(next) : set(next));
      }
    },
    pdf: (flowed: Flowed) => rulebookPdf(flowed, tools, INFO),
  };
}
