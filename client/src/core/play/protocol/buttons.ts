import { type Formula, formulaText, readFormula } from './formula.ts';
import type { FaceLook } from './looks.ts';
import type { At, ContainerKind, Facing, Policy, SeatNo, ShownContainer, ShownSet } from './messages.ts';
import { type Part, type PartRef, refOf, sortedParts } from './parts.ts';

/** Buttons of a table, limits of the server (`functions-host/table/src/limits.rs`). */
export const MAX_BUTTONS = 100;
const MAX_MOST = 200;

/** A number of a step: this one, that of the presser's client, or one that the server works out when the step is done. */
export type Count = { readonly fixed: number } | { readonly given: number } | { readonly formula: Formula };

/** Sorts of numbers of a step: a number of pieces has bounds of its own. */
export type AmountOf = 'pieces' | 'value';

interface Select {
  readonly from: PartRef;
  readonly most?: Count | null;
}

/** A container that the step `place` makes. */
export interface NewContainer {
  readonly kind: ContainerKind;
  readonly name: string;
  readonly policy?: Policy;
  readonly arrangement?: ShownContainer['arrangement'];
  readonly size?: readonly [number, number];
}

/** Things that the step `place` makes: pieces, a whole set or what is left of one in the box, or a container. */
export type Placed =
  | {
      readonly pieces: {
        readonly definition: number;
        readonly copies?: number | null;
        readonly count?: Count;
        readonly name?: string;
      };
    }
  | { readonly set: number }
  | { readonly rest: { readonly set: number; readonly most?: Count | null } }
  | { readonly container: NewContainer };
export type Target =
  | { readonly into: PartRef }
  | { readonly at: At }
  | { readonly within: { readonly into: PartRef; readonly x: number; readonly y: number } };

/** State of pieces that a step puts somewhere: degrees clockwise, locked or not, and a colour. */
export interface PlacedMarks {
  readonly turn?: number;
  readonly locked?: boolean;
  readonly tint?: number;
}

/** Steps that are written here. `seat` is the only one that a step is done for. */
export type Step = { readonly each_seat?: boolean; readonly seat?: SeatNo; readonly times?: Count } & (
  | {
      readonly do: 'place';
      readonly place: Placed;
      readonly to: Target;
      readonly face?: Facing | null;
      readonly marks?: PlacedMarks;
    }
  | { readonly do: 'shuffle' | 'roll'; readonly what: PartRef }
  | { readonly do: 'deal'; readonly from: PartRef; readonly most: Count }
  | {
      readonly do: 'move';
      readonly what: Select;
      readonly to: Target;
      readonly face?: Facing | null;
      readonly marks?: PlacedMarks;
    }
  | { readonly do: 'note'; readonly text: string; readonly to: Target; readonly marks?: PlacedMarks }
  | { readonly do: 'flip' | 'reveal'; readonly what: Select }
  | { readonly do: 'set'; readonly what: PartRef; readonly value: number; readonly formula?: Formula }
  | { readonly do: 'phase'; readonly phase: string }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'wait-for-host' }
);
export type PlaceStep = Extract<Step, { readonly do: 'place' }>;
/** Kinds of steps as they are offered: containers are made by a kind of their own. */
export type StepKind = Step['do'] | 'make';

export const kindOf = (step: Step): StepKind =>
  step.do === 'place' && 'container' in step.place ? 'make' : step.do;

export interface Button {
  readonly steps: readonly Step[];
}

/** Kinds of steps with their words, in the order in which they are offered. */
export const STEP_KINDS: readonly { readonly value: StepKind; readonly label: string }[] = [
  { value: 'shuffle', label: 'Shuffle a pile' },
  { value: 'deal', label: 'Deal to the hands' },
  { value: 'move', label: 'Move pieces' },
  { value: 'place', label: 'Take from the box' },
  { value: 'make', label: 'Make a pile or an area' },
  { value: 'flip', label: 'Turn pieces over' },
  { value: 'reveal', label: 'Turn pieces face up' },
  { value: 'roll', label: 'Roll a die' },
  { value: 'set', label: 'Set a value' },
  { value: 'phase', label: 'Go to a phase' },
  { value: 'note', label: 'Put a note on the table' },
  { value: 'say', label: 'Write a line in the log' },
  { value: 'wait-for-host', label: 'Wait for the host' },
];

export const isStepKind = (kind: string): kind is StepKind => STEP_KINDS.some(({ value }) => value === kind);

/** Parts that steps make: later steps can name them. */
function partsMade(steps: readonly Step[]): readonly Part[] {
  return steps.flatMap((step): Part[] => {
    if (step.do !== 'place') return [];
    if ('container' in step.place) {
      return [{ name: step.place.container.name, own: step.each_seat === true, is: 'container' }];
    }
    const name = 'pieces' in step.place ? step.place.pieces.name : undefined;
    return name === undefined ? [] : [{ name, own: false, is: 'piece' }];
  });
}

/** Parts of the table with those that steps make. */
export const withMade = (parts: readonly Part[], steps: readonly Step[]): readonly Part[] =>
  sortedParts([...partsMade(steps), ...parts]);

/** Pieces of the box that steps can place. */
export interface Stock {
  /** Number of the definition. */
  readonly no: number;
  readonly name: string;
}

/**
 * Pieces of the box whose faces the own seat has seen, by name; those of one name are numbered. Of the others a
 * seat knows nothing.
 */
export function stockOf({ faces }: { readonly faces: ReadonlyMap<number, FaceLook> }): readonly Stock[] {
  const seen = new Map<string, number>();
  return [...faces]
    .sort(([one], [other]) => one - other)
    .map(([no, { name }]) => {
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return { no, name: count === 1 ? name : `${name} (${count})` };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Things that steps can take out of the box. */
export interface Supply {
  readonly stock: readonly Stock[];
  /** Sets of the box; their numbers are their places. */
  readonly sets: readonly ShownSet[];
}

/** The set of a step that places one. */
export function setOf(place: Placed): number | undefined {
  if ('set' in place) return place.set;
  return 'rest' in place ? place.rest.set : undefined;
}

/** Things placed, in words. */
export function placedWords(place: Placed, { stock, sets }: Supply): string {
  if ('container' in place) return place.container.name;
  const set = setOf(place);
  if (set !== undefined) return sets[set]?.name ?? 'a set of the box';
  const definition = 'pieces' in place ? place.pieces.definition : undefined;
  return stock.find(({ no }) => no === definition)?.name ?? 'a piece you have not seen';
}

/** The middle of the table, where no pile or area is chosen. */
export const MIDDLE: At = { surface: 0, x: 0, y: 0 };

/** Parts that a kind of step is about. */
export function fitting(kind: StepKind, parts: readonly Part[]): readonly Part[] {
  if (kind === 'roll') return parts.filter(({ is }) => is === 'die');
  if (kind === 'set') return parts.filter(({ is }) => is !== 'container');
  return parts.filter(({ is }) => is === 'container');
}

/** A step of a kind about the first parts and pieces that fit; undefined if the table has none. */
export function newStep(kind: StepKind, parts: readonly Part[], supply: Supply): Step | undefined {
  const [first, second = first] = fitting(kind, parts).map(refOf);
  switch (kind) {
    case 'place': {
      const [piece] = supply.stock;
      const to = first ? { into: first } : { at: MIDDLE };
      if (supply.sets.length > 0) return { do: kind, place: { rest: { set: 0 } }, to, face: 'down' };
      return piece && { do: kind, place: { pieces: { definition: piece.no, copies: 1 } }, to };
    }
    case 'make':
      return { do: 'place', place: { container: { kind: 'stack', name: 'New pile' } }, to: { at: MIDDLE } };
    case 'wait-for-host':
      return { do: kind };
    case 'say':
      return { do: kind, text: '' };
    case 'note':
      return { do: kind, text: '', to: { at: MIDDLE } };
    case 'phase':
      return { do: kind, phase: '' };
    default:
      return first && second && aboutParts(kind, first, second);
  }
}

function aboutParts(
  kind: Exclude<StepKind, 'wait-for-host' | 'say' | 'note' | 'phase' | 'place' | 'make'>,
  first: PartRef,
  second: PartRef,
): Step {
  switch (kind) {
    case 'deal':
      return { do: kind, from: first, most: { fixed: 5 } };
    case 'move':
      return { do: kind, what: { from: first, most: { fixed: 1 } }, to: { into: second } };
    case 'flip':
    case 'reveal':
      return { do: kind, what: { from: first } };
    case 'set':
      return { do: kind, what: first, value: 0 };
    default:
      return { do: kind, what: first };
  }
}

/** The part that a step takes from or is about. */
export function partOf(step: Step): PartRef | undefined {
  if ('from' in step) return step.from;
  if (!('what' in step)) return undefined;
  return 'from' in step.what ? step.what.from : step.what;
}

/** Steps about some of the pieces of a container. */
type SelectStep = Extract<Step, { readonly do: 'move' | 'flip' | 'reveal' }>;

const selects = (step: Step): step is SelectStep =>
  step.do === 'move' || step.do === 'flip' || step.do === 'reveal';

/** The same step about another part. */
export function withPart(step: Step, part: PartRef): Step {
  if (step.do === 'deal') return { ...step, from: part };
  if (selects(step)) return { ...step, what: { ...step.what, from: part } };
  return 'what' in step ? { ...step, what: part } : step;
}

/** The most pieces of a step; undefined for all of them, null for a step without a number. */
export function mostOf(step: Step): Count | undefined | null {
  if (step.do === 'place') return copiesOf(step.place);
  if (step.do !== 'deal' && !selects(step)) return null;
  return (step.do === 'deal' ? step.most : step.what.most) ?? undefined;
}

function copiesOf(place: Placed): Count | undefined | null {
  if ('container' in place) return null;
  if ('set' in place) return undefined;
  if ('rest' in place) return place.rest.most ?? undefined;
  const { copies, count } = place.pieces;
  return count ?? (copies === undefined || copies === null ? undefined : { fixed: copies });
}

/** The same step with another number of pieces; undefined for all. */
export function withMost(step: Step, most: Count | undefined): Step {
  if (step.do === 'deal') return { ...step, most: most ?? { fixed: 1 } };
  if (step.do === 'place') return { ...step, place: withCopies(step.place, most) };
  if (!selects(step)) return step;
  return { ...step, what: { ...step.what, most: most ?? null } };
}

function withCopies(place: Placed, most: Count | undefined): Placed {
  if ('container' in place) return place;
  const set = setOf(place);
  if (set !== undefined) return { rest: { set, ...(most && { most }) } };
  if (!('pieces' in place)) return place;
  const { count: _, ...pieces } = place.pieces;
  if (most && !('fixed' in most)) return { pieces: { ...pieces, count: most } };
  return { pieces: { ...pieces, copies: most?.fixed ?? null } };
}

/** The value of a step that sets one. */
export const setValueOf = ({ value, formula }: Extract<Step, { readonly do: 'set' }>): Count =>
  formula === undefined ? { fixed: value } : { formula };

/** The same step with another value. */
export function withValue(step: Extract<Step, { readonly do: 'set' }>, value: Count): Step {
  const { formula: _, ...rest } = step;
  if ('formula' in value) return { ...rest, value: 0, formula: value.formula };
  return { ...rest, value: 'fixed' in value ? value.fixed : 0 };
}

/** A number as one writes it; empty for all. */
export function countText(count: Count | undefined): string {
  if (count === undefined) return '';
  if ('fixed' in count) return String(count.fixed);
  return 'formula' in count ? formulaText(count.formula) : 'the number that was said';
}

/** Reads a number, of pieces or a value, or a formula; `undefined` for an empty text. */
export function readCount(
  text: string,
  parts: readonly Part[],
  of: AmountOf,
): { readonly count: Count | undefined } | { readonly fault: string } {
  if (text.trim() === '') return { count: undefined };
  const read = readFormula(text, parts);
  if ('fault' in read) return read;
  const { formula } = read;
  if (typeof formula === 'string' || !('number' in formula)) return { count: { formula } };
  const { number } = formula;
  if (of === 'pieces' && (number < 1 || number > MAX_MOST)) {
    return { fault: `Write a number from 1 to ${MAX_MOST}, or a formula.` };
  }
  return { count: { fixed: number } };
}

/** The thing that a button lacks before it can be kept; undefined if it lacks nothing. */
export function buttonFault(
  name: string,
  steps: readonly Step[],
  taken: ReadonlySet<string>,
): string | undefined {
  if (name.trim() === '') return 'Give the button a name.';
  if (taken.has(name.trim())) return 'Another button has this name.';
  return stepsFault(steps);
}

/** The thing that steps lack before they can be kept. */
export function stepsFault(steps: readonly Step[]): string | undefined {
  if (steps.length === 0) return 'Add a step.';
  const isBlank = (step: Step) =>
    ((step.do === 'say' || step.do === 'note') && !step.text.trim()) ||
    (step.do === 'phase' && !step.phase.trim());
  if (steps.some(isBlank)) return 'A step has no text.';
  const made = (step: Step) =>
    step.do === 'place' && 'container' in step.place ? step.place.container.name : undefined;
  if (steps.some((step) => made(step)?.trim() === ''))
    return 'A step makes a pile or an area without a name.';
  return undefined;
}
