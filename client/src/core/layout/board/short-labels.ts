import type { GlyphRun, GlyphWord, Op } from '../../scene/display/display-list.ts';
import type { TextStyle } from '../../scene/style/text-style.ts';
import { setAt } from '../../text/lines/fit.ts';
import { prepareText } from '../../text/lines/paragraph.ts';
import { placeText } from '../../text/lines/set-text.ts';
import { PLAIN } from '../../text/markup/markup.ts';
import { ptToMm } from '../../units.ts';
import type { Assets } from '../assets.ts';

/** A short text with its middle at a place, in millimetres. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

interface Letter {
  readonly face: string;
  readonly glyphs: readonly number[];
  readonly offsets: readonly number[];
  /** Share of the type size. */
  readonly width: number;
  /** Baseline below the middle, as a share of the type size. */
  readonly drop: number;
  readonly run: GlyphRun;
}

interface Group {
  readonly run: GlyphRun;
  readonly words: GlyphWord[];
}

/**
 * Many short labels of plain letters and figures as one operation. Each character is set once and the labels are put
 * together from them, since thousands of cells have names; kerning is left out.
 */
export function labelOps(labels: readonly Label[], style: TextStyle, assets: Assets): Op[] {
  const size = ptToMm(style.size);
  const letters = new Map<string, Letter | undefined>();
  const letterOf = (character: string): Letter | undefined => {
    if (!letters.has(character)) letters.set(character, setLetter(character, style, size, assets));
    return letters.get(character);
  };
  /** Words by the face they are set in and their baseline. */
  const runs = new Map<string, Group>();
  for (const { text, x, y } of labels) {
    const set = [...text].flatMap((character) => letterOf(character) ?? []);
    const [first] = set;
    if (!first) continue;
    const same = set.filter(({ face }) => face === first.face);
    const width = same.reduce((sum, letter) => sum + letter.width, 0) * size;
    const baseline = y + first.drop * size;
    const key = `${first.face} ${baseline}`;
    const group: Group = runs.get(key) ?? { run: { ...first.run, y: baseline }, words: [] };
    group.words.push(wordOf(text, same, x - width / 2, width));
    runs.set(key, group);
  }
  if (runs.size === 0) return [];
  const set = [...runs.values()].map(({ run, words }) => ({ ...run, words }));
  return [{ op: 'text', runs: set, shadows: [], outline: null }];
}

/** A name that breaks into lines in a box as wide as its cell; it begins at the box's upper side. */
export interface CellName extends Label {
  readonly w: number;
}

/** Names in whatever script, each set as a text of its own. @param names few, unlike the labels of all cells */
export function nameOps(names: readonly CellName[], style: TextStyle, assets: Assets): Op[] {
  const size = ptToMm(style.size);
  const centred: TextStyle = { ...style, align: 'center', vAlign: 'top' };
  const runs = names.flatMap(({ text, x, y, w }) => {
    const paragraphs = [{ inlines: [{ kind: 'text' as const, text, look: PLAIN }], bullet: false }];
    const prepared = prepareText(paragraphs, centred, assets.fonts, () => undefined);
    if (!prepared) return [];
    const room = { w, h: 0, lineHeight: NAME_LINE, paragraphGap: 0 };
    const box = { x: x - w / 2, y: y - (size * NAME_LINE) / 2, w, h: 0 };
    return placeText(setAt(prepared, room, size), box, room, centred).runs;
  });
  return runs.length === 0 ? [] : [{ op: 'text', runs, shadows: [], outline: null }];
}
const NAME_LINE = 1.1;

function wordOf(text: string, letters: readonly Letter[], x: number, width: number): GlyphWord {
  const glyphs: number[] = [];
  const offsets: number[] = [];
  const clusters: number[] = [];
  let reached = 0;
  for (const [index, letter] of letters.entries()) {
    for (const [at, glyph] of letter.glyphs.entries()) {
      glyphs.push(glyph);
      offsets.push((letter.offsets[2 * at] ?? 0) + reached, letter.offsets[2 * at + 1] ?? 0);
      clusters.push(index);
    }
    reached += letter.width;
  }
  return { text, x, width, glyphs, offsets, clusters };
}

function setLetter(character: string, style: TextStyle, size: number, assets: Assets): Letter | undefined {
  const upright: TextStyle = { ...style, align: 'left', vAlign: 'middle' };
  const paragraphs = [{ inlines: [{ kind: 'text' as const, text: character, look: PLAIN }], bullet: false }];
  const prepared = prepareText(paragraphs, upright, assets.fonts, () => undefined);
  if (!prepared) return undefined;
  const room = { w: 10 * size, h: 0, lineHeight: 1, paragraphGap: 0 };
  const { runs } = placeText(setAt(prepared, room, size), { x: 0, y: 0, w: room.w, h: 0 }, room, upright);
  const [run] = runs;
  const [word] = run?.words ?? [];
  if (!run || !word) return undefined;
  const { glyphs, offsets, width } = word;
  return { face: run.face, glyphs, offsets, width: width / size, drop: run.y / size, run };
}
