import { isHyphenationLoaded } from '../../text/hyphenation/hyphenation.ts';
import type { Inline as MarkupInline } from '../../text/markup/markup.ts';
import { type Box, box, type Path } from './box.ts';
import type { Context } from './context.ts';
import type { Role } from './house-style.ts';
import { paintLine, type SetLines, setLines } from './set-lines.ts';

/** The place of content in its column. Lengths in millimetres from the column's left. */
export interface Frame {
  readonly x: number;
  readonly w: number;
}

export interface TextJob {
  readonly block: string;
  readonly inlines: readonly MarkupInline[];
  readonly role: Role;
  readonly frame: Frame;
  readonly path: Path;
  /** Of the role when left out. */
  readonly firstIndent?: number;
}

/** Breaks text of a role, and reports what is wrong with it. */
export function setRole(context: Context, job: TextJob): SetLines | undefined {
  const { house, doc, assets } = context;
  const role = house.roles[job.role];
  const language = hyphenationOf(context, job.role);
  const width = Math.max(1, job.frame.w);
  const firstIndent = job.firstIndent ?? role.firstIndent;
  const aspect = (source: string): number | undefined => {
    const size = assets.images.size(source);
    return size && size.h > 0 ? size.w / size.h : undefined;
  };
  const icons = job.inlines.map((inline) => (inline.kind === 'icon' ? aspect(inline.source) : 0));
  const rules = isHyphenationLoaded(language);
  const key = JSON.stringify([
    ...[assets.fonts.version, house.name, job.role, language, rules, width, firstIndent],
    ...[job.inlines, icons, doc.language],
  ]);
  const style = { ...role.text, hyphenate: language };
  const set = context.cache.lines.get(key, () =>
    setLines(job.inlines, style, width, firstIndent, assets.fonts, aspect, doc.language),
  );
  const { block } = job;
  if (!set) {
    const message = `The font ${role.text.family} of the style ${house.name} is not loaded.`;
    context.report({ block, code: 'missing-font', message });
    return undefined;
  }
  if (set.lines.some((line) => line.breaksWord)) {
    const message = `A word is wider than its column and was cut (${doc.title}): shorten it or allow a hyphen in it.`;
    context.report({ block, code: 'overfull', message });
  }
  if (set.missing.length > 0) {
    context.report({
      block,
      code: 'missing-glyph',
      message: `No loaded font has ${set.missing.slice(0, 8).join(' ')}.`,
    });
  }
  return set;
}

const WHOLE_WORDS: ReadonlySet<Role> = new Set([
  'title',
  'subtitle',
  'h1',
  'h2',
  'h3',
  'h4',
  'cellHead',
  'calloutTitle',
  'contents1',
  'contents2',
  'head',
  'folio',
]);

function hyphenationOf({ hyphenation }: Context, role: Role): string {
  return WHOLE_WORDS.has(role) ? '' : hyphenation;
}

/** Lines on the grid, each a box; first and last two stay together. */
export function lineBoxes(context: Context, job: TextJob): Box[] {
  const set = setRole(context, job);
  if (!set) return [];
  const { grid, baseline } = context;
  const { block, frame, path } = job;
  const count = set.lines.length;
  return set.lines.map((line, number) =>
    box({
      block,
      h: grid,
      grid: true,
      keep: number < count - 1 && (number === 0 || number === count - 2),
      ink: inkOf(set, number, frame, line.width),
      paint: (x, y) => paintLine(set, number, { x: x + frame.x, w: frame.w, baseline: y + baseline }, path),
    }),
  );
}

function inkOf(set: SetLines, number: number, { x, w }: Frame, width: number): Box['ink'] {
  const indent = number === 0 ? set.firstIndent * set.size : 0;
  const spacing = set.style.letterSpacing * set.size;
  return { from: x, to: x + Math.max(indent + width * set.size - Math.max(0, spacing), Math.min(w, 0)) };
}

/** Pitch of a heading's lines, as a multiple of its size. */
const HEADING_PITCH = 1.1;

/** A heading: one box of whole lines of the grid whose last baseline is on it. */
export function headingBox(context: Context, job: TextJob): Box | undefined {
  const set = setRole(context, job);
  if (!set) return undefined;
  const { grid, baseline } = context;
  const { block, frame, path } = job;
  const pitch = Math.max(set.size * HEADING_PITCH, set.size > grid ? 0 : grid * 0.9);
  const count = Math.max(1, set.lines.length);
  // The first line's capitals stay below the box's top.
  const cap = set.size * 0.78;
  const lines = Math.max(1, Math.ceil(((count - 1) * pitch + cap - baseline) / grid + 1 - 0.05));
  const h = lines * grid;
  return box({
    block,
    anchors: [block],
    h,
    grid: true,
    keep: true,
    ink: { from: frame.x, to: frame.x + Math.max(0, ...set.lines.map(({ width }) => width * set.size)) },
    paint: (x, y) =>
      set.lines.flatMap((_, number) => {
        const at = y + h - grid + baseline - (count - 1 - number) * pitch;
        return paintLine(set, number, { x: x + frame.x, w: frame.w, baseline: at }, path);
      }),
  });
}
