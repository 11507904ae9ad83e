import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EMPTY_PROJECT } from '../src/core/book/context.ts';
import { type Flowed, flow } from '../src/core/book/flow.ts';
import { pageFormat } from '../src/core/book/formats.ts';
import { HOUSE_STYLES } from '../src/core/book/house-style.ts';
import { LineCache } from '../src/core/book/line-cache.ts';
import type { Block, Rulebook } from '../src/core/book/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../src/core/book/walk.ts';
import { rulebookAssets } from '../src/core/testing/rulebook-assets.ts';
import { sampleRulebook } from '../src/core/testing/sample-rulebook.ts';
import { rulebookPdf } from '../src/render/pdf/rulebook.ts';
import { createSubsetter } from '../src/render/pdf/subset.ts';

const WORDS = 29_000;
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
  return { ...sample, blocks };
}

/** The document after one more letter in a paragraph. */
function typed(doc: Rulebook, at: number, letter: string): Rulebook {
  const blocks = [...doc.blocks];
  const block = blocks[at];
  if (block?.type !== 'paragraph') throw new Error(`Block ${at} is no paragraph.`);
  blocks[at] = { ...block, content: [...block.content, { type: 'text', text: letter, marks: [] }] };
  return { ...doc, blocks };
}

/** A function for each figure of `bench/rulebook.mjs`. */
export async function rulebookBench() {
  const doc = longRulebook();
  const assets = { ...(await rulebookAssets(doc, EMPTY_PROJECT)), lines: new LineCache() };
  const [house, format] = [HOUSE_STYLES[0], pageFormat('a4')];
  const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  const tools = {
    fonts: assets.fonts,
    subsetter: await createSubsetter(readFileSync(wasm)),
    imageBytes: async () => undefined,
  };
  const set = (one: Rulebook): Flowed => flow(one, house, format, assets);
  const paragraphs = doc.blocks.flatMap(({ type }, at) => (type === 'paragraph' ? [at] : []));
  return {
    words: wordsIn(doc.blocks),
    cold: () => set(doc),
    /** Sets the document after each of so many letters, in paragraphs all over it. */
    *typing(count: number) {
      let now = doc;
      for (let key = 0; key < count; key++) {
        const at = paragraphs[Math.floor((paragraphs.length * (key + 0.5)) / count)] ?? 0;
        now = typed(now, at, ' x');
        const next = now;
        yield () => set(next);
      }
    },
    pdf: (flowed: Flowed) => rulebookPdf(flowed, tools, INFO),
  };
}
