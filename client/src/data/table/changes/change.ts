import { cellAt } from '../../../core/records.ts';
import type { Card, CardStatus, Component, WithId } from '../../documents/documents.ts';

/**
 * Changes of a table, as small as they are written: one cell, one field, one card. Every change
 * knows what it replaces, so that it can be taken back, and only while nobody else has changed the
 * same place since.
 */
export type Change =
  | {
      readonly kind: 'cell';
      readonly card: string;
      readonly key: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly kind: 'field';
      readonly card: string;
      readonly field: CardFieldName;
      readonly before: CardFieldValue;
      readonly after: CardFieldValue;
    }
  | { readonly kind: 'add'; readonly card: string; readonly value: Card }
  | { readonly kind: 'remove'; readonly card: string; readonly value: Card }
  | { readonly kind: 'component'; readonly before: ComponentPatch; readonly after: ComponentPatch };

export type CardFieldName = 'copies' | 'order' | 'status';
/** A field's value; `null` is a field that is not there. */
export type CardFieldValue = number | CardStatus | null;

/** The part of a component that a table changes; `null` takes a field away. */
export type ComponentPatch = {
  readonly [K in 'columns' | 'copiesColumn' | 'idColumn' | 'source']?: NonNullable<Component[K]> | null;
};

/** Requested change, before the value it replaces is known. */
export type Intent =
  | { readonly kind: 'cell'; readonly card: string; readonly key: string; readonly text: string }
  | {
      readonly kind: 'field';
      readonly card: string;
      readonly field: CardFieldName;
      readonly value: CardFieldValue;
    }
  | { readonly kind: 'add'; readonly card: string; readonly value: Card }
  | { readonly kind: 'remove'; readonly card: string }
  | { readonly kind: 'component'; readonly patch: ComponentPatch };

/** The change an intent makes of what is there now; `undefined` when it changes nothing. */
export function changeOf(
  intent: Intent,
  card: WithId<Card> | undefined,
  component: WithId<Component>,
): Change | undefined {
  switch (intent.kind) {
    case 'cell': {
      if (!card) return undefined;
      const before = cellAt(card.cells, intent.key);
      if (before === intent.text) return undefined;
      return { kind: 'cell', card: intent.card, key: intent.key, before, after: intent.text };
    }
    case 'field': {
      const before = card?.[intent.field] ?? null;
      if (!card || before === intent.value) return undefined;
      return { kind: 'field', card: intent.card, field: intent.field, before, after: intent.value };
    }
    case 'add':
      return card ? undefined : intent;
    case 'remove': {
      if (!card) return undefined;
      const { id, ...value } = card;
      return { kind: 'remove', card: id, value };
    }
    case 'component': {
      const names = Object.keys(intent.patch) as (keyof ComponentPatch)[];
      const before = Object.fromEntries(names.map((name) => [name, component[name] ?? null]));
      return { kind: 'component', before, after: intent.patch };
    }
  }
}

/** Inverse of a change. */
export function inverse(change: Change): Change {
  switch (change.kind) {
    case 'cell':
    case 'field':
      return { ...change, before: change.after, after: change.before } as Change;
    case 'component':
      return { ...change, before: change.after, after: change.before };
    case 'add':
      return { ...change, kind: 'remove' };
    case 'remove':
      return { ...change, kind: 'add' };
  }
}

/** True if the value to be replaced is still there: otherwise somebody else has changed it. */
export function applies(
  change: Change,
  card: WithId<Card> | undefined,
  component: WithId<Component>,
): boolean {
  switch (change.kind) {
    case 'cell':
      return card !== undefined && cellAt(card.cells, change.key) === change.before;
    case 'field':
      return card !== undefined && (card[change.field] ?? null) === change.before;
    case 'add':
      return card === undefined;
    case 'remove':
      return card !== undefined;
    case 'component':
      return Object.entries(change.before).every(
        ([name, before]) =>
          JSON.stringify(component[name as keyof ComponentPatch] ?? null) === JSON.stringify(before),
      );
  }
}
