import type { FaceLook } from './looks.ts';
import type { At, Facing, Handle, Shown } from './messages.ts';

/** Buttons of a table, limits of the server (`functions-host/table/src/limits.rs`). */
export const MAX_BUTTONS = 100;
const MAX_MOST = 200;

/** A part of the table by its name; `own` is that of the seat that the step is done for. */
export interface PartRef {
  readonly name: string;
  readonly own?: boolean;
}
/** A number of a step; another part of the server's answer to `given` is a formula, which this page does not write. */
export type Count = { readonly fixed: number } | { readonly given: number };

interface Select {
  readonly from: PartRef;
  readonly most?: Count | null;
}

/** Things that the step `place` makes. Pieces are written here; sets and containers are kept as they are. */
export type Placed =
  | { readonly pieces: { readonly definition: number; readonly copies?: number | null } }
  | { readonly set: number }
  | { readonly container: { readonly name: string } };
export type Target = { readonly into: PartRef } | { readonly at: At };

/** Steps that are written here. */
export type Step = { readonly each_seat?: boolean; readonly times?: Count } & (
  | {
      readonly do: 'place';
      readonly place: Placed;
      readonly to: Target;
      readonly face?: Facing | null;
    }
  | { readonly do: 'shuffle' | 'roll'; readonly what: PartRef }
  | { readonly do: 'deal'; readonly from: PartRef; readonly most: Count }
  | {
      readonly do: 'move';
      readonly what: Select;
      readonly to: { readonly into: PartRef };
      readonly face?: Facing | null;
    }
  | { readonly do: 'flip' | 'reveal'; readonly what: Select }
  | { readonly do: 'set'; readonly what: PartRef; readonly value: number }
  | { readonly do: 'phase'; readonly phase: string }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'wait-for-host' }
);
export type StepKind = Step['do'];

export interface Button {
  readonly steps: readonly Step[];
}

/** Kinds of steps with their words, in the order in which they are offered. */
export const STEP_KINDS: readonly { readonly value: StepKind; readonly label: string }[] = [
  { value: 'shuffle', label: 'Shuffle a pile' },
  { value: 'deal', label: 'Deal to the hands' },
  { value: 'move', label: 'Move pieces' },
  { value: 'place', label: 'Take from the box' },
  { value: 'flip', label: 'Turn pieces over' },
  { value: 'reveal', label: 'Turn pieces face up' },
  { value: 'roll', label: 'Roll a die' },
  { value: 'set', label: 'Set a value' },
  { value: 'phase', label: 'Go to a phase' },
  { value: 'say', label: 'Write a line in the log' },
  { value: 'wait-for-host', label: 'Wait for the host' },
];

export const isStepKind = (kind: string): kind is StepKind => STEP_KINDS.some(({ value }) => value === kind);

/** A part of the table that steps can name. */
export interface Part {
  readonly name: string;
  /** Each seat has one. */
  readonly own: boolean;
  readonly is: 'container' | 'die' | 'piece';
}

/** Parts with names, each once: piles and areas first. */
export function partsOf({ pieces }: { readonly pieces: ReadonlyMap<Handle, Shown> }): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const { name, container, kind } of pieces.values()) {
    if (name === undefined || name === '') continue;
    const own = container?.owner !== undefined;
    const is = container ? 'container' : kind === 'die' ? 'die' : 'piece';
    parts.set(`${own} ${name}`, { name, own, is });
  }
  const rank = { container: 0, die: 1, piece: 2 };
  return [...parts.values()].sort((a, b) => rank[a.is] - rank[b.is] || a.name.localeCompare(b.name));
}

export const partKey = ({ name, own }: PartRef): string => `${own === true ? 'own' : 'any'} ${name}`;
export const partWords = ({ name, own }: Pick<Part, 'name' | 'own'>): string =>
  own ? `${name} of the player` : name;
const refOf = ({ name, own }: Pick<Part, 'name' | 'own'>): PartRef => ({ name, ...(own && { own }) });

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

/** Things placed, in words. */
export function placedWords(place: Placed, stock: readonly Stock[]): string {
  if ('set' in place) return 'all pieces of a component';
  if ('container' in place) return place.container.name;
  const { definition } = place.pieces;
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
export function newStep(kind: StepKind, parts: readonly Part[], stock: readonly Stock[]): Step | undefined {
  const [first, second = first] = fitting(kind, parts).map(refOf);
  switch (kind) {
    case 'place': {
      const [piece] = stock;
      const to = first ? { into: first } : { at: MIDDLE };
      return piece && { do: kind, place: { pieces: { definition: piece.no, copies: 1 } }, to };
    }
    case 'wait-for-host':
      return { do: kind };
    case 'say':
      return { do: kind, text: '' };
    case 'phase':
      return { do: kind, phase: '' };
    default:
      return first && second && aboutParts(kind, first, second);
  }
}

function aboutParts(
  kind: Exclude<StepKind, 'wait-for-host' | 'say' | 'phase' | 'place'>,
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
export function mostOf(step: Step): number | undefined | null {
  if (step.do === 'place') return 'pieces' in step.place ? (step.place.pieces.copies ?? undefined) : null;
  if (step.do !== 'deal' && !selects(step)) return null;
  const most = step.do === 'deal' ? step.most : step.what.most;
  return most && 'fixed' in most ? most.fixed : undefined;
}

/** The same step with another number of pieces; undefined for all. */
export function withMost(step: Step, most: number | undefined): Step {
  const fixed = most === undefined ? undefined : Math.max(1, Math.min(MAX_MOST, Math.round(most)));
  if (step.do === 'deal') return { ...step, most: { fixed: fixed ?? 1 } };
  if (step.do === 'place') {
    if (!('pieces' in step.place)) return step;
    return { ...step, place: { pieces: { ...step.place.pieces, copies: fixed ?? null } } };
  }
  if (!selects(step)) return step;
  return { ...step, what: { ...step.what, most: fixed === undefined ? null : { fixed } } };
}

/** The thing that a button lacks before it can be kept; undefined if it lacks nothing. */
export function buttonFault(
  name: string,
  steps: readonly Step[],
  taken: ReadonlySet<string>,
): string | undefined {
  if (name.trim() === '') return 'Give the button a name.';
  if (taken.has(name.trim())) return 'Another button has this name.';
  if (steps.length === 0) return 'Add a step.';
  if (
    steps.some(
      (step) => (step.do === 'say' && !step.text.trim()) || (step.do === 'phase' && !step.phase.trim()),
    )
  ) {
    return 'A step has no text.';
  }
  return undefined;
}
