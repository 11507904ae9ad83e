import type { DisplayList, Op } from '../../scene/display/display-list.ts';
import { hyphenationOf, isHyphenationLoaded } from '../../text/hyphenation/hyphenation.ts';
import { ptToMm } from '../../units.ts';
import { RulebookError } from '../document/error.ts';
import type { Block, Rulebook } from '../document/schema.ts';
import { termUses } from '../references/index-terms.ts';
import { type Chapter, type Numbering, numberBlocks } from '../references/numbering.ts';
import type { Context, FlowAssets, FlowIssue } from '../typesetting/context.ts';
import { FlowCache } from '../typesetting/flow-cache.ts';
import type { HouseStyle } from '../typesetting/house-style.ts';
import { PAGE_SIDE_MM, type PageFormat } from './formats.ts';
import { type Geometry, geometryOf } from './geometry.ts';
import { type BarePage, Paginator } from './pages.ts';
import { type Page, paintedPage } from './painted-page.ts';
import { runningHead } from './running-head.ts';
import { sectionsOf } from './sections.ts';

export interface Flowed {
  readonly pages: readonly Page[];
  /** Page on which each block begins. */
  readonly starts: ReadonlyMap<string, number>;
  readonly headings: readonly Chapter[];
  readonly issues: readonly FlowIssue[];
  /** Passes until the references agreed with the pages. */
  readonly passes: number;
}

/** References that disagree with their pages after so many passes are reported. */
export const MAX_PASSES = 3;

/**
 * Sets a rulebook: the same input gives the same pages. Fonts and hyphenation have to be loaded; see `fontLayout`.
 * @throws RulebookError when the page is too small or too large
 */
export function flow(doc: Rulebook, house: HouseStyle, format: PageFormat, assets: FlowAssets): Flowed {
  checkFormat(format);
  const geometry = geometryOf(house, format);
  const numbering = numberBlocks(doc, (formula) => {
    const value = assets.project.value(formula);
    return 'text' in value ? value.text : `{{${formula}}}`;
  });
  const terms = termUses(doc);
  const cache = assets.cache ?? new FlowCache();
  cache.begin(styleOf(doc, house, format, assets));
  let starts: ReadonlyMap<string, number> = new Map();
  for (let pass = 1; ; pass++) {
    const issues = new Map<string, FlowIssue>();
    const context: Context = {
      doc,
      house,
      assets,
      numbering,
      terms,
      pages: starts,
      hyphenation: hyphenationOf(doc.language),
      grid: geometry.grid,
      baseline: baselineOf(house, assets, geometry.grid),
      bodyHeight: geometry.height,
      cache,
      report: (issue) => issues.set(`${issue.block} ${issue.code} ${issue.message}`, issue),
    };
    const bare = new Paginator(context, geometry).run(sectionsOf(context, geometry));
    const found = startsOf(bare);
    const settled = same(starts, found);
    starts = found;
    if (!settled && pass < MAX_PASSES && needsPages(doc)) continue;
    if (!settled && needsPages(doc)) context.report(UNSETTLED);
    const pages = finish(context, geometry, format, bare, numbering);
    return { pages, starts, headings: numbering.headings, issues: [...issues.values()], passes: pass };
  }
}

const UNSETTLED: FlowIssue = {
  block: 'title',
  code: 'unsettled',
  message: `Page numbers in the text still moved after ${MAX_PASSES} passes: some may be wrong by one. Add or remove a line near them.`,
};

function checkFormat({ w, h, name }: PageFormat): void {
  const { min, max } = PAGE_SIDE_MM;
  if ([w, h].every((side) => side >= min && side <= max)) return;
  throw new RulebookError(`The page ${name} is ${w} × ${h} mm: each side has ${min} to ${max} mm.`);
}

/** The baseline of a line of the grid: that of the body, its letters in the middle. */
function baselineOf({ roles }: HouseStyle, { fonts }: FlowAssets, grid: number): number {
  const { family, size, weight, italic, axes } = roles.body.text;
  const face = fonts.chain(family, weight, italic, axes)?.first.face;
  const { ascent, descent } = face ?? { ascent: 0.8, descent: 0.2 };
  const em = ptToMm(size);
  return (grid - (ascent + descent) * em) / 2 + ascent * em;
}

/** Everything that all blocks depend on. */
function styleOf(
  { language, title }: Rulebook,
  { name }: HouseStyle,
  { w, h }: PageFormat,
  { fonts }: FlowAssets,
): string {
  const hyphenation = hyphenationOf(language);
  return JSON.stringify([fonts.version, name, w, h, language, title, isHyphenationLoaded(hyphenation)]);
}

const needing = new WeakMap<Block, boolean>();

/** True if the text depends on pages. */
const needsPages = ({ blocks }: Rulebook): boolean =>
  blocks.some((block) => {
    const known = needing.get(block) ?? NEEDS_PAGES.test(JSON.stringify(block));
    needing.set(block, known);
    return known;
  });

const NEEDS_PAGES = /"show":"(page|contents|glossary|index)"|"type":"reference"/;

function startsOf(pages: readonly BarePage[]): Map<string, number> {
  const starts = new Map<string, number>();
  for (const { number, anchors } of pages) {
    for (const block of anchors) if (!starts.has(block)) starts.set(block, number);
  }
  return starts;
}

function same(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [block, page] of a) if (b.get(block) !== page) return false;
  return true;
}

function finish(
  context: Context,
  geometry: Geometry,
  format: PageFormat,
  bare: readonly BarePage[],
  { headings }: Numbering,
): Page[] {
  const chapters = new Map(headings.filter(({ level }) => level === 1).map((one) => [one.id, one]));
  let chapter = '';
  return bare.map((page) => {
    const first = page.anchors.map((id) => chapters.get(id)).find((one) => one !== undefined);
    // A page that a chapter begins in the middle of is named after the one it begins with.
    const name = chapter === '' || page.opening ? (first?.title ?? chapter) : chapter;
    chapter =
      page.anchors.map((id) => chapters.get(id)?.title).findLast((one) => one !== undefined) ?? chapter;
    const head = runningHead(context, geometry, format, page, name);
    return paintedPage(page, format, head);
  });
}

/** A page for the painters of cards. */
export function displayListOf({ w, h, pieces }: Page): DisplayList {
  return {
    w,
    h,
    bleed: 0,
    trim: { kind: 'rect', box: { x: 0, y: 0, w, h }, radii: [0, 0, 0, 0] },
    ops: pieces.flatMap(({ ops }): readonly Op[] => ops),
    zones: [],
    issues: [],
  };
}
