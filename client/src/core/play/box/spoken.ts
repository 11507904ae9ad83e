import type { PrintPart } from '../../imposition/job/print-job.ts';
import { groupZones } from '../../layout/group-sizes.ts';
import { own } from '../../records.ts';
import type { Layout } from '../../scene/layout.ts';
import type { TextZone } from '../../scene/zones/text.ts';
import { isParent, type Zone } from '../../scene/zones.ts';
import type { SpokenFace, SpokenLayout } from '../protocol/looks.ts';

/** Words in another language, by the keys of their columns. */
type Words = Readonly<Record<string, string>>;

/** Bytes that a text of a language takes beside its words and its tag. */
const AROUND = 16;
const encoder = new TextEncoder();

export const bytesOf = (text: string): number => encoder.encode(text).length;

function textZones(zones: readonly Zone[], found = new Map<string, TextZone>()): Map<string, TextZone> {
  for (const zone of zones) {
    if (isParent(zone)) textZones(zone.children, found);
    else if (zone.kind === 'text') found.set(zone.id, zone);
  }
  return found;
}

/** A layout's own in a language, beside what its zones say themselves. */
export function spokenLayout(layout: Layout, inLanguage: Layout): SpokenLayout {
  const other = textZones(inLanguage.zones);
  const zones = [...textZones(layout.zones)].flatMap(([id, zone]) => {
    const spoken = other.get(id);
    return spoken ? [{ id, zone, spoken }] : [];
  });
  const texts = zones.filter(({ zone, spoken }) => spoken.text !== zone.text);
  const groups = groupZones(layout.zones);
  const sizes = zones.filter(({ id }) => groups.has(id));
  return {
    ...(texts.length > 0 && { texts: Object.fromEntries(texts.map(({ id, spoken }) => [id, spoken.text])) }),
    ...(sizes.length > 0 && {
      sizes: Object.fromEntries(sizes.map(({ id, spoken }) => [id, spoken.style.size])),
    }),
  };
}

/** True if a language shows a zone that is hidden otherwise. */
export const showsMore = (zones: readonly Zone[], language: string): boolean =>
  zones.some(
    (zone) =>
      zone.languages?.[language]?.hidden === false || (isParent(zone) && showsMore(zone.children, language)),
  );

/** The words that stand for cells which are read. */
export function wordsOfCells(words: Words | undefined, cells: Words): Words | undefined {
  const found = Object.keys(cells).flatMap((key): [string, string][] => {
    const text = words && own(words, key);
    return text === undefined ? [] : [[key, text]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The words of a box in its languages, of which those are taken for which there is room. */
export class SpokenBox {
  readonly #bytes = new Map<string, number>();
  readonly #layouts = new Map<string, Map<Layout, SpokenLayout>>();
  readonly #faces = new Map<number, Map<string, SpokenFace>>();
  readonly #backs = new Map<number, Map<string, Words>>();
  readonly #most: number;

  /** @param most bytes that a language has at most */
  constructor(most: number) {
    this.#most = most;
  }

  #counted(language: string, value: unknown): void {
    const bytes =
      (this.#bytes.get(language) ?? 0) + bytesOf(JSON.stringify(value)) + language.length + AROUND;
    this.#bytes.set(language, bytes);
  }

  /** False for a language that has no room whatever comes. */
  #takes(language: string): boolean {
    return (this.#bytes.get(language) ?? 0) <= this.#most;
  }

  layout(language: string, layout: Layout, inLanguage: Layout): void {
    const known = this.#layouts.get(language) ?? new Map<Layout, SpokenLayout>();
    this.#layouts.set(language, known);
    if (known.has(layout)) return;
    const spoken = spokenLayout(layout, inLanguage);
    known.set(layout, spoken);
    this.#counted(language, spoken);
  }

  face(no: number, language: string, face: SpokenFace): void {
    const says = face.name !== undefined || face.sides.some((side) => Object.keys(side).length > 0);
    if (!says || !this.#takes(language)) return;
    const known = this.#faces.get(no) ?? new Map<string, SpokenFace>();
    this.#faces.set(no, known.set(language, face));
    this.#counted(language, face);
  }

  /**
   * Cards whose backs look alike in the source must not be told apart in another language: all of them have the words of
   * the first that is translated.
   */
  back(no: number, language: string, words: Words | undefined): void {
    const known = this.#backs.get(no) ?? new Map<string, Words>();
    if (!words || known.has(language) || !this.#takes(language)) return;
    this.#backs.set(no, known.set(language, words));
    this.#counted(language, words);
  }

  /** Languages that have room in so many bytes, those with the most words first, and those that have none. */
  divided(room: number): { readonly kept: ReadonlySet<string>; readonly without: readonly string[] } {
    const kept = new Set<string>();
    let left = room;
    for (const [language, bytes] of [...this.#bytes].sort(([, a], [, b]) => b - a)) {
      if (bytes > left) continue;
      kept.add(language);
      left -= bytes;
    }
    return { kept, without: [...this.#bytes.keys()].filter((language) => !kept.has(language)).sort() };
  }

  layoutsIn(language: string, layouts: Iterable<Layout>): readonly SpokenLayout[] {
    return [...layouts].map((layout) => this.#layouts.get(language)?.get(layout) ?? {});
  }

  ofFace(no: number, kept: ReadonlySet<string>): Readonly<Record<string, SpokenFace>> | undefined {
    return keptOf(this.#faces.get(no), kept);
  }

  ofBack(no: number, kept: ReadonlySet<string>): Readonly<Record<string, Words>> | undefined {
    return keptOf(this.#backs.get(no), kept);
  }
}

function keptOf<T>(
  all: ReadonlyMap<string, T> | undefined,
  kept: ReadonlySet<string>,
): Readonly<Record<string, T>> | undefined {
  const found = [...(all ?? [])]
    .filter(([language]) => kept.has(language))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** A part in other languages, by their tags: the same cards in the same order. */
export type InLanguages = ReadonlyMap<string, PrintPart>;
