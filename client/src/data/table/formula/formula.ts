import {
  checkFormula,
  evaluate,
  type Scope,
  type StepBudget,
  TOO_MANY_TOGETHER,
  textOf as valueText,
} from '../../../core/expression/expression.ts';
import { cellAt } from '../../../core/records.ts';
import type { Card, Component, TableColumn, WithId } from '../../documents/documents.ts';
import { cellText } from '../changes/edits.ts';
import type { TextOf } from '../view.ts';

/** Deepest chain of formula columns that use each other. */
const MAX_CHAIN = 16;
/** Most steps that all formulas of a table take together, whenever its cards change. */
export const MAX_TABLE_STEPS = 20_000_000;
/** Steps that a page takes at a time, so that it can be used meanwhile: some hundredths of a second. */
export const SLICE_STEPS = 400_000;
/** Text of a cell that has not been computed yet. */
export const WAITING = '…';
/** Prefix of a cell whose formula failed. */
export const FORMULA_FAULT = '⚠ ';

const fold = (name: string) => name.trim().toLowerCase();

/** Fault in a column's formula that does not depend on the card. */
export function checkColumnFormula(formula: string): string | undefined {
  if (formula.trim() === '') return 'Write what the column works out, such as cost * 2.';
  return checkFormula(formula)?.message;
}

/**
 * The text of every cell of a table, formula columns worked out. A card that did not change is not
 * worked out again, unless a formula asks for the card's place or how many there are.
 *
 * In slices, it works until a slice is spent and says that cells are `waiting`; what is in sight has a slice of its own.
 */
export class Formulas {
  readonly #component: Pick<Component, 'columns' | 'copiesColumn'>;
  readonly #byKey: ReadonlyMap<string, TableColumn>;
  readonly #byName: ReadonlyMap<string, string>;
  readonly #usesPlace: boolean;
  readonly #steps: StepBudget = { left: MAX_TABLE_STEPS };
  readonly #inSlices: boolean;
  /** Remaining steps of the slice, for visible cells and for all others. */
  #slice = { seen: SLICE_STEPS, other: SLICE_STEPS };
  #waiting = false;
  #known = new WeakMap<Card, Map<string, string>>();
  /** Values before the cards were reordered: shown until they are computed again. */
  #before = new WeakMap<Card, Map<string, string>>();
  #cards: readonly WithId<Card>[] = [];
  #places = new Map<string, number>();

  constructor(component: Pick<Component, 'columns' | 'copiesColumn'>, inSlices = false) {
    this.#component = component;
    this.#inSlices = inSlices;
    const formulas = component.columns.filter(({ type }) => type === 'formula');
    this.#byKey = new Map(formulas.map((column) => [column.key, column]));
    const names = new Map<string, string>();
    for (const { key } of component.columns) names.set(fold(key), key);
    for (const { key, name } of component.columns) names.set(fold(name), key);
    this.#byName = names;
    this.#usesPlace = formulas.some(({ formula = '' }) => /\b(index|count)\b/i.test(formula));
  }

  /** The cards in their order. */
  setCards(cards: readonly WithId<Card>[]): void {
    if (cards === this.#cards) return;
    this.#cards = cards;
    // With other cards there may be steps for those that had none left.
    const ranOut = this.#steps.left < 0;
    this.#steps.left = MAX_TABLE_STEPS;
    if (!this.#usesPlace && !ranOut) return;
    this.#places = new Map(cards.map(({ id }, i) => [id, i + 1]));
    this.#before = this.#known;
    this.#known = new WeakMap();
  }

  /** Called when a cell begins to wait, once for each slice. */
  onWaiting: (() => void) | undefined;
  /** The text of a cell, however long that takes: for what is copied or looked for. */
  readonly wholeTextOf: TextOf = (card, key) => this.#text(card, key, 0);
  readonly textOf: TextOf = (card, key) => this.#textNow(card, key, 'other');
  /** The text of a cell in sight. */
  readonly seenTextOf: TextOf = (card, key) => this.#textNow(card, key, 'seen');

  /** True if a cell was requested that the slice had no steps left for. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Begins the next slice. */
  resume(): void {
    this.#slice = { seen: SLICE_STEPS, other: SLICE_STEPS };
    this.#waiting = false;
  }

  /**
   * Works out every cell of the table, in slices of its own. `pause` resolves when the next may begin; to call the work
   * off, it rejects.
   */
  async workOut(pause: () => Promise<void>): Promise<void> {
    let left = SLICE_STEPS;
    for (const card of this.#cards) {
      for (const key of this.#byKey.keys()) {
        if (this.#known.get(card)?.has(key)) continue;
        const before = this.#steps.left;
        this.#text(card, key, 0);
        left -= Math.max(1, before - this.#steps.left);
        if (left > 0) continue;
        await pause();
        left = SLICE_STEPS;
      }
    }
  }

  #textNow(card: WithId<Card>, key: string, slice: 'seen' | 'other'): string {
    if (!this.#inSlices || !this.#byKey.has(key)) return this.#text(card, key, 0);
    const known = this.#known.get(card)?.get(key);
    if (known !== undefined) return known;
    if (this.#slice[slice] <= 0) {
      if (!this.#waiting) {
        this.#waiting = true;
        this.onWaiting?.();
      }
      return this.#before.get(card)?.get(key) ?? WAITING;
    }
    const before = this.#steps.left;
    const text = this.#text(card, key, 0);
    // Cells cost something even where their formulas are short, or the table has spent its steps.
    this.#slice[slice] -= Math.max(1, before - this.#steps.left);
    return text;
  }

  #text(card: WithId<Card>, key: string, depth: number): string {
    const column = this.#byKey.get(key);
    if (!column) return cellText(card, key, this.#component);
    let known = this.#known.get(card);
    if (!known) {
      known = new Map();
      this.#known.set(card, known);
    }
    let text = known.get(key);
    if (text === undefined) {
      text = this.#workOut(card, column, depth);
      known.set(key, text);
    }
    return text;
  }

  #workOut(card: WithId<Card>, { formula = '' }: TableColumn, depth: number): string {
    if (formula.trim() === '') return '';
    if (this.#steps.left < 0) return FORMULA_FAULT + TOO_MANY_TOGETHER;
    if (depth >= MAX_CHAIN) return `${FORMULA_FAULT}This formula uses itself.`;
    const scope: Scope = (name, language) => {
      if (language !== undefined) {
        throw new Error(
          'lang works in formulas of layouts only: formulas of a table read the cards’ own words.',
        );
      }
      const key = this.#byName.get(fold(name));
      if (key !== undefined) return this.#text(card, key, depth + 1);
      if (fold(name) === 'index') return this.#places.get(card.id) ?? 1;
      if (fold(name) === 'count') return this.#places.size || 1;
      return fold(name) === 'copies' ? card.copies : undefined;
    };
    const result = evaluate(formula, scope, this.#steps);
    return result.ok ? valueText(result.value) : FORMULA_FAULT + result.error.message;
  }
}

const computed = new WeakMap<object, WeakMap<Card, WithId<Card>>>();

/** A component whose formulas give nothing. */
export function withoutFormulas<C extends Pick<Component, 'columns'>>(component: C): C {
  const columns = component.columns.map((column) =>
    column.type === 'formula' ? { ...column, formula: '' } : column,
  );
  return { ...component, columns };
}

/**
 * Cards with formula columns worked out, for whoever paints them. Unchanged cards keep their identity. `work` is what
 * knows some of their cells already.
 */
export function computedCards(
  cards: readonly WithId<Card>[],
  component: Pick<Component, 'columns' | 'copiesColumn'>,
  work: Formulas = new Formulas(component),
): readonly WithId<Card>[] {
  const formulas = component.columns.filter(({ type }) => type === 'formula');
  if (formulas.length === 0) return cards;
  let known = computed.get(component.columns);
  if (!known) {
    known = new WeakMap();
    computed.set(component.columns, known);
  }
  const own = known;
  work.setCards(cards);
  return cards.map((card) => {
    const old = own.get(card);
    const values = formulas.map(({ key }) => [key, work.textOf(card, key)] as const);
    if (old && values.every(([key, text]) => cellAt(old.cells, key) === text)) return old;
    const next = { ...card, cells: { ...card.cells, ...Object.fromEntries(values) } };
    own.set(card, next);
    return next;
  });
}
