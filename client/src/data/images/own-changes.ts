import { type Component, usedLayouts, type WithId } from '../documents/documents.ts';
import type { ProjectTexts } from './places.ts';

/** Texts that cells of a card had before; `null` if there was no card. */
type CardBefore = Readonly<Record<string, string>> | null;
/** Fields that a component had before; `null` if there was no component. */
type ComponentBefore = Partial<Component> | null;

/** One change, as it is kept: of a card of a component, of a component, or of a layout, with what was there before. */
export type OwnChange =
  | readonly ['card', component: string, card: string, before: CardBefore]
  | readonly ['component', id: string, before: ComponentBefore]
  | readonly ['layout', id: string, before: unknown];

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

  add(change: OwnChange): void {
    if (change[0] === 'card') this.card(change[1], change[2], change[3]);
    else if (change[0] === 'component') this.component(change[1], change[2]);
    else this.layout(change[1], change[2]);
  }

  /** Adds changes that were made before these. */
  after(earlier: Iterable<OwnChange>): void {
    const later = [...this.all()];
    this.#cards.clear();
    this.#components.clear();
    this.#layouts.clear();
    for (const change of [...earlier, ...later]) this.add(change);
  }

  *all(): Generator<OwnChange> {
    for (const [component, cards] of this.#cards) {
      for (const [card, before] of cards) yield ['card', component, card, before];
    }
    for (const [id, before] of this.#components) yield ['component', id, before];
    for (const [id, before] of this.#layouts) yield ['layout', id, before];
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
