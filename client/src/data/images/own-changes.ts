import { type Component, usedLayouts, type WithId } from '../documents.ts';
import type { ProjectTexts } from './places.ts';

/** Texts that cells of a card had before; `null` if there was no card. */
type CardBefore = Readonly<Record<string, string>> | null;
/** Fields that a component had before; `null` if there was no component. */
type ComponentBefore = Partial<Component> | null;

/**
 * The changes that the user of this window has written to a project and whose images have not been looked for yet: only
 * such a change takes an image out of the user's library. It holds what was there before; the first counts.
 */
export class OwnChanges {
  readonly #cards = new Map<string, Map<string, CardBefore>>();
  readonly #components = new Map<string, ComponentBefore>();
  /** Scenes as they were; `null` if there was no layout. */
  readonly #layouts = new Map<string, unknown>();

  get size(): number {
    return this.#cards.size + this.#components.size + this.#layouts.size;
  }

  card(component: string, card: string, before: CardBefore): void {
    const cards = this.#cards.get(component) ?? new Map<string, CardBefore>();
    this.#cards.set(component, cards);
    const known = cards.get(card);
    cards.set(card, known === null || before === null ? (known ?? before) : { ...before, ...known });
  }

  component(id: string, before: ComponentBefore): void {
    const known = this.#components.get(id);
    this.#components.set(id, known === null || before === null ? (known ?? before) : { ...before, ...known });
  }

  layout(id: string, before: unknown): void {
    if (!this.#layouts.has(id)) this.#layouts.set(id, before);
  }

  /** Adds changes that were made before these. */
  after(earlier: OwnChanges): void {
    const later = [...this.#all()];
    this.#cards.clear();
    this.#components.clear();
    this.#layouts.clear();
    for (const note of [...earlier.#all(), ...later]) note(this);
  }

  *#all(): Generator<(into: OwnChanges) => void> {
    for (const [component, cards] of this.#cards) {
      for (const [card, before] of cards) yield (into) => into.card(component, card, before);
    }
    for (const [id, before] of this.#components) yield (into) => into.component(id, before);
    for (const [id, before] of this.#layouts) yield (into) => into.layout(id, before);
  }

  /** True if a component's cards may show other images because of a change. */
  concerns(component: WithId<Component>): boolean {
    return this.#cards.has(component.id) || this.concernsAll(component);
  }

  /** True if all of its cards may. */
  concernsAll(component: WithId<Component>): boolean {
    return (
      this.#components.has(component.id) || usedLayouts(component).some((layout) => this.#layouts.has(layout))
    );
  }

  /** True if a change is of this card, or of this layout if no card is named. */
  isOf(id: string, card?: string): boolean {
    return card === undefined ? this.#layouts.has(id) : (this.#cards.get(id)?.has(card) ?? false);
  }

  /** A project's texts without these changes; what others changed meanwhile stays. */
  takenFrom(texts: ProjectTexts): ProjectTexts {
    return {
      components: texts.components.flatMap((component) => {
        const before = this.#components.get(component.id);
        return before === null ? [] : [{ ...component, ...before }];
      }),
      cards: new Map(
        [...texts.cards].map(([component, cards]) => {
          const changed = this.#cards.get(component);
          const left = cards.flatMap((card) => {
            const before = changed?.get(card.id);
            if (before === null) return [];
            return before ? [{ ...card, cells: { ...card.cells, ...before } }] : [card];
          });
          return [component, changed ? left : cards];
        }),
      ),
      layouts: texts.layouts.flatMap((layout) => {
        if (!this.#layouts.has(layout.id)) return [layout];
        const scene = this.#layouts.get(layout.id);
        return scene === null ? [] : [{ ...layout, scene }];
      }),
    };
  }
}

const noted = new Map<string, OwnChanges>();
const observers = new Set<(project: string) => void>();

/** Notes a change that has been written. @param project its id */
export function noteOwnChange(project: string, note: (changes: OwnChanges) => void): void {
  const changes = noted.get(project) ?? new OwnChanges();
  noted.set(project, changes);
  note(changes);
  for (const observer of [...observers]) observer(project);
}

/** Hands out the changes of a project, and begins anew. */
export function takeOwnChanges(project: string): OwnChanges | undefined {
  const changes = noted.get(project);
  noted.delete(project);
  return changes;
}

/** Puts back changes whose images could not be looked for. */
export function returnOwnChanges(project: string, changes: OwnChanges): void {
  const since = noted.get(project) ?? new OwnChanges();
  noted.set(project, since);
  since.after(changes);
}

/** Calls back whenever a change is noted. */
export function onOwnChange(callback: (project: string) => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}
