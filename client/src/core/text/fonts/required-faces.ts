import { EMPTY_ROW, type Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { familiesOfFonts } from '../../scene/style/layout-font.ts';
import { definitionOf, isParent, type Zone } from '../../scene/zones.ts';
import { isHyphenationLoaded, loadHyphenation } from '../hyphenation/hyphenation.ts';
import { fontBytes } from '../woff2/woff2.ts';
import {
  chooseFaces,
  FALLBACK_FAMILIES,
  type FaceFile,
  type FontFamily,
  findFamily,
  learnFamilies,
} from './catalogue.ts';
import { EAST_ASIAN, eastAsianFamilies, type HanForms, WIDE_OR_NARROW } from './east-asian.ts';
import type { FaceReader, FontRegistry } from './font-registry.ts';
import { formsOf } from './forms-of.ts';

/** Weights that markup can select anywhere. */
const USUAL_WEIGHTS: readonly number[] = [400, 700];
/** Usual weights of fonts, for weights that a column or a formula sets. */
const EVERY_WEIGHT: readonly number[] = [100, 200, 300, 400, 500, 600, 700, 800, 900];
/** Family of the label of a missing image. */
const LABEL_FAMILY = 'inter';

/** Requirements of a layout with these rows: families, weights, and every character that occurs. */
interface Needs {
  readonly families: ReadonlySet<string>;
  readonly weights: ReadonlySet<number>;
  readonly codePoints: ReadonlySet<number>;
  /** Languages words are hyphenated by. */
  readonly languages: ReadonlySet<string>;
  /** Forms of Chinese characters; empty where no East Asian character occurs. */
  readonly forms: ReadonlySet<HanForms>;
  /** A column or a formula names the family. */
  readonly byName: boolean;
}

/** A font of a layout that cannot be loaded; the message says which and why. */
export class FontUnreadable extends Error {
  override readonly name = 'FontUnreadable';
}

/** Longest address of a font in a message. */
const MAX_SHOWN_ADDRESS = 80;

/** Reads the families of a list. */
export type FontListReader = () => Promise<readonly FontFamily[]>;

/** Lists of families that are read when a layout first needs them. */
export interface FontLists {
  /** The library, for a layout that names a family that is not built in. */
  readonly library?: FontListReader;
  /** The pack for Chinese, Japanese and Korean; empty where it is not installed. */
  readonly eastAsian?: FontListReader;
}

/** Keeps a registry supplied with the fonts that cards need. */
export class FontLoader {
  readonly #fonts: FontRegistry;
  readonly #read: FaceReader;
  readonly #lists: FontLists;
  /** Lists that were read, or are being read. */
  readonly #learned = new Map<keyof FontLists, Promise<void>>();
  /** Characters already handled, by the families they are set in. */
  readonly #done = new Map<string, Set<number>>();

  constructor(fonts: FontRegistry, read: FaceReader, lists: FontLists = {}) {
    this.#fonts = fonts;
    this.#read = read;
    this.#lists = lists;
  }

  /** True if everything that setting these rows could need is loaded. */
  hasAll(layout: Layout, rows: readonly Row[]): boolean {
    if (layout.fonts) learnFamilies(familiesOfFonts(layout.fonts));
    const needs = needsOf(layout, rows);
    const { codePoints, languages } = needs;
    const done = this.#done.get(keyOf(needs));
    if (!done || [...languages].some((language) => !isHyphenationLoaded(language))) return false;
    for (const codePoint of codePoints) if (!done.has(codePoint)) return false;
    return true;
  }

  /**
   * Loads every face that setting these rows could need: each style of the families the layout or a cell names, then,
   * for characters none of those has, the fallback families, and those of the East Asian pack for what is left.
   * @throws FontUnreadable naming the file that could not be read
   */
  async load(layout: Layout, rows: readonly Row[]): Promise<void> {
    if (layout.fonts) learnFamilies(familiesOfFonts(layout.fonts));
    let needs = needsOf(layout, rows);
    if (needs.byName || [...needs.families].some((name) => !findFamily(name))) {
      await this.#learn('library');
      // Families of the pack can be chosen, too.
      if ([...needs.families].some((name) => !findFamily(name))) await this.#learn('eastAsian');
      needs = needsOf(layout, rows);
    }
    const { families, weights, codePoints, languages, forms } = needs;
    await Promise.all([...languages].map(loadHyphenation));
    const key = keyOf(needs);
    const done = this.#done.get(key) ?? new Set();
    const fresh = new Set([...codePoints].filter((codePoint) => !done.has(codePoint)));
    if (fresh.size === 0) return;
    const lacking = { families, weights, codePoints: fresh };
    await loadFaces(this.#fonts, requiredFaces(lacking), this.#read);
    await loadFaces(this.#fonts, fillInFaces(this.#fonts, lacking), this.#read);
    if (forms.size > 0) await this.#loadEastAsian(lacking, forms);
    for (const codePoint of fresh) done.add(codePoint);
    this.#done.set(key, done);
  }

  /** Loads of the pack what none of the other fonts has. */
  async #loadEastAsian(wanted: Wanted, forms: ReadonlySet<HanForms>): Promise<void> {
    if (lackingIn(this.#fonts, wanted, FALLBACK_FAMILIES).size === 0) return;
    await this.#learn('eastAsian');
    const punctuation = new Set(
      [...wanted.codePoints].filter((codePoint) => WIDE_OR_NARROW.test(String.fromCodePoint(codePoint))),
    );
    for (const one of forms) {
      const families = eastAsianFamilies(one);
      const own = stylesOf(families[0] ?? '', USUAL_WEIGHTS);
      await loadFaces(
        this.#fonts,
        own.filter((file) => meant(file, punctuation)),
        this.#read,
      );
      // The next family is for what the files of those before it turn out not to have.
      for (const [at, family] of families.entries()) {
        const lacking = lackingIn(this.#fonts, wanted, [...FALLBACK_FAMILIES, ...families.slice(0, at)]);
        if (lacking.size === 0) break;
        const files = stylesOf(family, USUAL_WEIGHTS).filter((file) => meant(file, lacking));
        await loadFaces(this.#fonts, files, this.#read);
      }
    }
  }

  async #learn(list: keyof FontLists): Promise<void> {
    const read = this.#lists[list];
    if (!read) return;
    const learning = this.#learned.get(list) ?? read().then(learnFamilies);
    this.#learned.set(list, learning);
    try {
      await learning;
    } catch (error) {
      // The next layout retries.
      this.#learned.delete(list);
      throw new Error(`The list of fonts could not be loaded: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** A family with its present files: a custom font may be replaced under the same name. */
function versionOf(name: string): string {
  const family = findFamily(name);
  return family?.category === 'own' ? family.faces.map(({ id }) => id).join('+') : name;
}

const keyOf = ({ families, weights, forms }: Pick<Needs, 'families' | 'weights' | 'forms'>): string =>
  `${[...families].map(versionOf).sort().join()}:${[...weights].sort().join()}:${[...forms].sort().join()}`;

function needsOf(layout: Layout, rows: readonly Row[]): Needs {
  const families = new Set<string>();
  const weights = new Set(USUAL_WEIGHTS);
  const texts = new Set<string>();
  let byName = false;
  const languages = new Set<string>();
  const visit = (zone: Zone): void => {
    if (isParent(zone)) for (const child of zone.children) visit(child);
    const definition = definitionOf(zone);
    for (const text of definition.texts(zone)) texts.add(text);
    const style = definition.style(zone);
    if (style) {
      families.add(style.family);
      if (style.hyphenate !== '') languages.add(style.hyphenate);
      if (zone.bindings['style.family']) byName = true;
      weights.add(style.weight);
      if (zone.bindings['style.weight']) for (const weight of EVERY_WEIGHT) weights.add(weight);
    }
    for (const binding of Object.values(zone.bindings)) {
      if (binding.mode !== 'formula') continue;
      texts.add(binding.formula);
      // A formula that chooses a family names it in quotes.
      for (const [, quoted = ''] of binding.formula.matchAll(/['"]([^'"]{1,100})['"]/g)) {
        if (findFamily(quoted)) families.add(quoted);
      }
    }
  };
  for (const zone of layout.zones) visit(zone);
  for (const variable of layout.variables) {
    if (variable.kind === 'text') texts.add(variable.value);
    if (variable.kind !== 'style') continue;
    if (variable.style.family) families.add(variable.style.family);
    if (variable.style.weight) weights.add(variable.style.weight);
  }
  for (const row of rows) {
    for (const cell of Object.values(row.cells)) {
      texts.add(cell);
      if (byName && findFamily(cell)) families.add(cell);
    }
    for (const words of Object.values(row.words ?? {})) texts.add(words);
    // A formula may print the words of any language.
    for (const words of Object.values(row.languages ?? {}))
      for (const text of Object.values(words)) texts.add(text);
  }
  const codePoints = codePointsOf(texts);
  return { families, weights, codePoints, languages, forms: formsNeeded(layout, rows, texts), byName };
}

function formsNeeded(layout: Layout, rows: readonly Row[], texts: ReadonlySet<string>): Set<HanForms> {
  for (const text of texts) {
    if (EAST_ASIAN.test(text))
      return new Set(
        rows.length === 0 ? [formsOf(layout, EMPTY_ROW)] : rows.map((row) => formsOf(layout, row)),
      );
  }
  return new Set();
}

function codePointsOf(texts: Iterable<string>): Set<number> {
  // The bullet of lists, the hyphen of broken words and the space never appear in the text.
  const codePoints = new Set([0x20, 0x2d, 0x2022]);
  for (const text of texts) {
    for (const character of text) {
      codePoints.add(character.codePointAt(0) ?? 0);
      // Styles may set text in capitals or small letters.
      if (character > '\u007f') {
        codePoints.add(character.toUpperCase().codePointAt(0) ?? 0);
        codePoints.add(character.toLowerCase().codePointAt(0) ?? 0);
      }
    }
  }
  return codePoints;
}

/** Families in their weights, and the characters to set in each. */
type Wanted = Pick<Needs, 'families' | 'weights' | 'codePoints'>;

function requiredFaces({ families, weights, codePoints }: Wanted): FaceFile[] {
  const faces = new Set<FaceFile>();
  for (const name of families) {
    for (const file of stylesOf(name, weights)) if (meant(file, codePoints)) faces.add(file);
  }
  // Labels of missing images are set in it.
  const labels = findFamily(LABEL_FAMILY)?.faces.find(({ weight, italic }) => weight === 400 && !italic);
  if (labels) faces.add(labels);
  return [...faces];
}

/** Faces of the fallback families, for characters that a chosen family lacks. */
function fillInFaces(fonts: FontRegistry, wanted: Wanted): FaceFile[] {
  const lacking = lackingIn(fonts, wanted);
  if (lacking.size === 0) return [];
  const files = FALLBACK_FAMILIES.flatMap((name) => stylesOf(name, USUAL_WEIGHTS));
  return files.filter((file) => meant(file, lacking));
}

/** Characters that one of the chosen families lacks, and all of the families after it. */
function lackingIn(
  fonts: FontRegistry,
  { families, codePoints }: Wanted,
  after: readonly string[] = [],
): Set<number> {
  const loadedOf = (name: string) =>
    (findFamily(name)?.faces ?? []).map((file) => fonts.face(file.id)).filter((face) => face !== undefined);
  const others = after.flatMap(loadedOf);
  const lacking = new Set<number>();
  for (const name of families) {
    const loaded = [...loadedOf(name), ...others];
    for (const codePoint of codePoints) {
      if (codePoint > 0x20 && !loaded.some((face) => face.has(codePoint))) lacking.add(codePoint);
    }
  }
  return lacking;
}

/** Every file for upright and italic text of these weights in a family. */
function stylesOf(name: string, weights: Iterable<number>): FaceFile[] {
  const family = findFamily(name);
  if (!family) return [];
  const files = new Set<FaceFile>();
  for (const weight of weights) {
    for (const italic of [false, true]) {
      for (const file of chooseFaces(family, weight, italic).files) files.add(file);
    }
  }
  return [...files];
}

function meant(file: FaceFile, codePoints: ReadonlySet<number>): boolean {
  for (const codePoint of codePoints) if (inRanges(file, codePoint)) return true;
  return false;
}

function inRanges(file: FaceFile, codePoint: number): boolean {
  return file.ranges.some(([from, to]) => codePoint >= from && codePoint <= to);
}

async function loadFaces(fonts: FontRegistry, faces: readonly FaceFile[], read: FaceReader): Promise<void> {
  const wanted = faces.filter((face) => !fonts.has(face.id));
  const loaded = await Promise.all(
    wanted.map(async (face) => {
      try {
        return { face, bytes: fontBytes(await read(face)) };
      } catch (error) {
        throw unreadable(face, error);
      }
    }),
  );
  for (const { face, bytes } of loaded) {
    if (fonts.has(face.id)) continue;
    try {
      fonts.add(face.id, bytes);
    } catch (error) {
      throw unreadable(face, error);
    }
  }
}

function unreadable({ file }: FaceFile, error: unknown): FontUnreadable {
  const name = file.length > MAX_SHOWN_ADDRESS ? `${file.slice(0, MAX_SHOWN_ADDRESS - 1)}…` : file;
  return new FontUnreadable(`The font file ${name} could not be loaded: ${messageOf(error)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
