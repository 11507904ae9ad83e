import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFace } from '../../scripts/fonts.mjs';
import { defaultTextStyle } from '../core/scene/style/text-style.ts';
import { fontsFor } from '../core/testing/fonts.ts';
import { ironswornTexts } from '../core/testing/ironsworn.ts';
import { starforgedLayout, starforgedRows } from '../core/testing/starforged.ts';
import { chooseFaces, findFamily } from '../core/text/fonts/catalogue.ts';
import { breakLines } from '../core/text/lines/break-lines.ts';
import { prepareText } from '../core/text/lines/paragraph.ts';
import { type Paragraph, parseMarkup } from '../core/text/markup/markup.ts';

/** Our lines against Chrome's, for every paragraph of a real project and of a rulebook, set large as for print. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FAMILY = 'eb-garamond';
const FONT_PX = 100;
const WIDTHS_EM = [12, 17.3, 24];
const MIN_AGREEMENT = 0.99;
if (!existsSync(CHROMIUM)) console.warn(`LINES NOT COMPARED WITH CHROME: ${CHROMIUM} is missing.`);

/** Characters (white space apart) before each line. */
type LineStarts = readonly number[];

async function fontFaces(): Promise<string> {
  const family = findFamily(FAMILY);
  if (!family) throw new Error(`no ${FAMILY}`);
  const rules: string[] = [];
  for (const weight of [400, 700]) {
    for (const italic of [false, true]) {
      for (const face of chooseFaces(family, weight, italic).files.filter(({ id }) =>
        id.includes('-latin-'),
      )) {
        const data = Buffer.from(await readFace(face)).toString('base64');
        const ranges = face.ranges.map(([from, to]) => `U+${from.toString(16)}-${to.toString(16)}`).join();
        rules.push(
          `@font-face{font-family:test;font-weight:${weight};font-style:${italic ? 'italic' : 'normal'};unicode-range:${ranges};src:url(data:font/ttf;base64,${data})}`,
        );
      }
    }
  }
  return rules.join('\n');
}

function toHtml({ inlines }: Paragraph): string {
  const escaped = (text: string): string =>
    text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return inlines
    .map((item) => {
      if (item.kind === 'break') return '<br>';
      if (item.kind === 'icon') return '';
      const style = `font-weight:${item.look.weight ?? 400};font-style:${item.look.italic ? 'italic' : 'normal'}`;
      return `<span style="${style}">${escaped(item.text)}</span>`;
    })
    .join('');
}

/** Runs in the page. */
function chromeLines({ paragraphs, width }: { paragraphs: string[]; width: number }): number[][] {
  return paragraphs.map((html) => {
    const box = document.createElement('p');
    box.style.cssText = `width:${width}px;margin:0;overflow-wrap:break-word;text-rendering:geometricPrecision`;
    box.innerHTML = html;
    document.body.replaceChildren(box);
    const starts: number[] = [];
    let letters = 0;
    let bottom = Number.NEGATIVE_INFINITY;
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      for (let at = 0; at < text.length; at++) {
        if (/\s/.test(text[at] ?? '')) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const rect = range.getBoundingClientRect();
        if (rect.top >= bottom - rect.height / 2) {
          starts.push(letters);
          bottom = rect.bottom;
        }
        letters++;
      }
    }
    return starts;
  });
}

describe.skipIf(!existsSync(CHROMIUM))('line breaks', () => {
  let browser: Browser | undefined;
  let page: Page | undefined;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.setContent(
      `<!doctype html><html lang="en"><style>${await fontFaces()} body{margin:0;font:${FONT_PX}px test}</style>`,
    );
    await page.evaluate(
      (size) =>
        Promise.all(
          ['', 'bold ', 'italic ', 'italic bold '].map((style) =>
            document.fonts.load(`${style}${size}px test`, 'aé’'),
          ),
        ),
      FONT_PX,
    );
  }, 60_000);

  afterAll(() => browser?.close());

  test.each([
    { corpus: 'the Starforged deck', texts: starforgedTexts, atLeast: 800 },
    { corpus: 'the Ironsworn rulebook', texts: ironswornTexts, atLeast: 2_000 },
  ])(
    'are Chrome’s on at least 99 % of the paragraphs of $corpus',
    async ({ texts, atLeast }) => {
      const layout = starforgedLayout();
      const written = texts();
      const fonts = await fontsFor(
        layout,
        written.map((ability1) => ({ cells: { ability1 } })),
      );
      const style = { ...defaultTextStyle(), family: FAMILY };
      const nothing = { variables: [], columns: [], cells: {} };
      const paragraphs = written.flatMap((text) => parseMarkup(text, nothing).paragraphs);
      const differing: string[] = [];
      for (const width of WIDTHS_EM) {
        const theirs =
          (await page?.evaluate(chromeLines, {
            paragraphs: paragraphs.map(toHtml),
            width: width * FONT_PX,
          })) ?? [];
        for (const [index, paragraph] of paragraphs.entries()) {
          const prepared = prepareText([{ ...paragraph, bullet: false }], style, fonts, () => 1)
            ?.paragraphs[0];
          if (!prepared) throw new Error('no fonts');
          const ours: LineStarts = lineStarts(
            breakLines(prepared, width, 0).map(({ units }) => lettersOf(units)),
          );
          if (ours.join() !== theirs[index]?.join())
            differing.push(`${width} em: ${toHtml(paragraph).slice(0, 80)}`);
        }
      }
      const compared = paragraphs.length * WIDTHS_EM.length;
      const agreement = 1 - differing.length / compared;
      if (differing.length > 0) console.warn(`${compared} compared, differing:\n${differing.join('\n')}`);
      expect(compared).toBeGreaterThan(atLeast);
      expect(agreement).toBeGreaterThanOrEqual(MIN_AGREEMENT);
    },
    120_000,
  );
});

function starforgedTexts(): string[] {
  return starforgedRows().flatMap(({ cells }) => [
    cells.ability1 ?? '',
    cells.ability2 ?? '',
    cells.ability3 ?? '',
  ]);
}

function lettersOf(
  units: readonly { readonly parts: readonly { readonly kind: string; readonly text?: string }[] }[],
): number {
  return units
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => sum + (part.text ?? '').replace(/\s/g, '').length, 0);
}

function lineStarts(letters: readonly number[]): number[] {
  let before = 0;
  return letters.map((count) => {
    const start = before;
    before += count;
    return start;
  });
}
