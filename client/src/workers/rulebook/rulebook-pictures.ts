import { setUpOps } from '../../core/book/composition/compose-set-up.ts';
import type { Rulebook } from '../../core/book/document/schema.ts';
import { allBlocks } from '../../core/book/document/walk.ts';
import type { Project } from '../../core/book/typesetting/context.ts';
import type { DisplayList } from '../../core/scene/display/display-list.ts';
import type { RenderContext } from '../../render/render-context.ts';
import type { BookPicture } from './rulebook-protocol.ts';

/** Longer side of the pictures of a published rulebook, in pixels: enough for a whole phone or half a desk. */
const SIDE_PX: Readonly<Record<BookPicture['kind'], number>> = {
  card: 1_000,
  figure: 1_600,
  icon: 160,
  setup: 1_600,
};
const QUALITY = 0.88;
/** Longer side of a picture that is no card, in millimetres; its pixels are what counts. */
const SIDE_MM = 100;

interface Wanted {
  readonly kind: BookPicture['kind'];
  readonly name: string;
  readonly alt: string;
  readonly list: DisplayList;
}

/** The pictures that a text shows: its figures, the cards and icons of its project. */
export async function* picturesOf(
  doc: Rulebook,
  project: Project,
  cards: readonly string[],
  context: RenderContext,
): AsyncGenerator<BookPicture> {
  for (const wanted of wantedBy(doc, project, cards, context)) {
    const { kind, name, alt, list } = wanted;
    const scale = SIDE_PX[kind] / Math.max(list.w, list.h);
    const [w, h] = [Math.max(1, Math.round(list.w * scale)), Math.max(1, Math.round(list.h * scale))];
    const canvas = new OffscreenCanvas(w, h);
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error(`No canvas of ${w} by ${h} pixels.`);
    await context.paint(ctx, list, { scale, bleed: false, clipToTrim: false, forFile: true });
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
    yield { kind, name, alt, w, h, type: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) };
  }
}

/** Number of pictures that `picturesOf` will make. */
export const pictureCount = (
  doc: Rulebook,
  project: Project,
  cards: readonly string[],
  context: RenderContext,
): number => wantedBy(doc, project, cards, context).length;

function wantedBy(
  doc: Rulebook,
  project: Project,
  cards: readonly string[],
  { images }: RenderContext,
): Wanted[] {
  const found: Wanted[] = [];
  for (const name of cards) {
    const art = project.card(name);
    if (art) found.push({ kind: 'card', name, alt: art.alt, list: listOf(art.w, art.h, art.ops) });
  }
  const image = (kind: Wanted['kind'], name: string, source: string): void => {
    const size = images.size(source);
    if (!size || size.w <= 0 || size.h <= 0) return;
    const scale = SIDE_MM / Math.max(size.w, size.h);
    const box = { x: 0, y: 0, w: size.w * scale, h: size.h * scale };
    const ops = [{ op: 'image', image: source, box, clip: null, opacity: 1 }] as const;
    found.push({ kind, name, alt: '', list: listOf(box.w, box.h, ops) });
  };
  for (const [name, { source }] of project.icons) image('icon', name, source);
  const figures = new Set(
    [...allBlocks(doc.blocks)].flatMap((block) => (block.type === 'figure' ? [block.source] : [])),
  );
  for (const source of figures) image('figure', source, source);
  const { setUp } = project;
  if (setUp && 'parts' in setUp) {
    const alt = setUp.legend.map(({ words }, at) => `${at + 1}: ${words}`).join('\n');
    found.push({ kind: 'setup', name: '', alt, list: listOf(setUp.w, setUp.h, setUpOps(setUp, 0, 0, 1)) });
  }
  return found;
}

const listOf = (w: number, h: number, ops: DisplayList['ops']): DisplayList => ({
  w,
  h,
  bleed: 0,
  trim: { kind: 'rect', box: { x: 0, y: 0, w, h }, radii: [0, 0, 0, 0] },
  ops,
  zones: [],
  issues: [],
});
