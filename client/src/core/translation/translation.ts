import isEqual from 'fast-deep-equal';
import { TranslationError } from './error.ts';
import { MAX_UNIT } from './pieces.ts';
import type { Unit } from './unit.ts';

/** A translation as it is stored: its text, and the source that it was made from. */
export interface Entry {
  readonly source: string;
  readonly text: string;
}

/** Translations into one language by the ids of their units. */
export type Entries = ReadonlyMap<string, Entry>;

/** A unit is stale when its source has changed since it was translated. */
export type UnitState = 'missing' | 'stale' | 'done';

/** A unit with its translation, as far as there is one. */
export interface TranslatedUnit {
  readonly unit: Unit;
  readonly state: UnitState;
  readonly text: string | undefined;
  /** The source of a stale translation. */
  readonly was: string | undefined;
  /** Reason for which the source is printed instead of the translation. */
  readonly fault: string | undefined;
}

/**
 * A translation of a unit as it is stored.
 * @throws TranslationError naming all that is wrong with it
 */
export function checkedText(
  { form, most, source }: Pick<Unit, 'form' | 'most' | 'source'>,
  text: string,
): string {
  if (source.length > MAX_UNIT) {
    throw new TranslationError(
      `The source has more than ${MAX_UNIT} characters and cannot be translated as one: divide it.`,
    );
  }
  return form.check(source, text, most);
}

/**
 * Units with their states.
 * @param movable the name of a text that is found by its words as well, wherever it stands among others of its place;
 * by default none is
 */
export function unitStates(
  units: readonly Unit[],
  entries: Entries,
  movable: (id: string, source: string) => string | undefined = () => undefined,
): TranslatedUnit[] {
  const current = new Set(units.map(({ id, source }) => movable(id, source)));
  const byWords = new Map<string, Entry>();
  for (const [id, entry] of entries) {
    const words = movable(id, entry.source);
    if (words !== undefined) byWords.set(words, entry);
  }
  return units.map((unit) => {
    const own = entries.get(unit.id);
    const fits = own?.source === unit.source ? own : byWords.get(movable(unit.id, unit.source) ?? '');
    if (fits) {
      return { unit, state: 'done', text: fits.text, was: undefined, fault: faultOf(unit, fits) };
    }
    const words = own && movable(unit.id, own.source);
    // Its translation belongs to a text that stands at another place now.
    if (!own || (words !== undefined && current.has(words))) {
      return { unit, state: 'missing', text: undefined, was: undefined, fault: undefined };
    }
    return { unit, state: 'stale', text: own.text, was: own.source, fault: faultOf(unit, own) };
  });
}

/** Units with those that are as they were taken from before, so that their rows are not drawn again. */
export function keepUnchanged(
  before: readonly TranslatedUnit[],
  units: readonly TranslatedUnit[],
): readonly TranslatedUnit[] {
  const known = new Map(before.map((one) => [one.unit.id, one]));
  return units.map((one) => {
    const old = known.get(one.unit.id);
    return old && isEqual(old, one) ? old : one;
  });
}

/** The unit that a translation was compared with last, and its fault: reading all at each letter would take long. */
const compared = new WeakMap<
  Entry,
  { readonly source: string; readonly form: Unit['form']; readonly fault: string | undefined }
>();

/** Reason for which a translation cannot stand for a unit as it is now. */
function faultOf(unit: Unit, entry: Entry): string | undefined {
  const known = compared.get(entry);
  const { source, form } = unit;
  if (known?.source === source && known.form === form) return known.fault;
  let fault: string | undefined;
  try {
    checkedText(unit, entry.text);
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    fault = error.message;
  }
  compared.set(entry, { source, form, fault });
  return fault;
}

/** Numbers of units by their state. */
export type StateCounts = Readonly<Record<UnitState, number>>;

export function stateCounts(units: readonly TranslatedUnit[]): StateCounts {
  const counts = { missing: 0, stale: 0, done: 0 };
  for (const { state } of units) counts[state]++;
  return counts;
}

/** The translations that are printed, by the ids of their units. */
export function printedTexts(units: readonly TranslatedUnit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { unit, text, fault } of units) {
    if (text !== undefined && fault === undefined) texts.set(unit.id, text);
  }
  return texts;
}

/**
 * Changes of some units with those that they need: a text that has its translation from another place gets it into its
 * own, before that place gets another one.
 */
export function withSettled(
  changes: ReadonlyMap<string, Entry | null>,
  units: readonly TranslatedUnit[],
  entries: Entries,
): ReadonlyMap<string, Entry | null> {
  const places = new Set(units.flatMap(({ unit }) => (changes.has(unit.id) ? [unit.place] : [])));
  const settled = new Map<string, Entry | null>();
  for (const { unit, state, text } of units) {
    if (!places.has(unit.place) || state !== 'done' || text === undefined) continue;
    const own = entries.get(unit.id);
    if (own?.source !== unit.source) settled.set(unit.id, { source: unit.source, text });
  }
  return new Map([...settled, ...changes]);
}
