import type { Point } from '../scene/display/matrix.ts';
import { NO_EXTRAS, type SaveExtras, withNotebook } from './extras.ts';
import { Rows } from './places.ts';
import { type CustomDeck, type TtsObject, type TtsSave, walkObjects } from './save.ts';
import {
  type CardMaking,
  type ComponentMaking,
  deckContent,
  deckObject,
  Guids,
  MEMO,
  memoOf,
  type SimulatorPlan,
  transformAt,
} from './simulator.ts';

/**
 * Updates the cards of a save and leaves the table as it is: places, sides, order and bags. Cards are matched by the id
 * in their `Memo`; decks of an older save by the component's name.
 */
export interface UpdateReport {
  /** Copies that stayed where they were. */
  readonly kept: number;
  readonly added: number;
  readonly removed: number;
}

/** New pieces and decks lie from here on, away from the player: new saves have nothing there. */
const NEW_Z = 6.5;

/** Number of the first new sheet, beyond all that a save uses. */
export function nextKey(save: TtsSave): number {
  let highest = 0;
  walkObjects(save, ({ CustomDeck }) => {
    for (const key of Object.keys(CustomDeck ?? {})) highest = Math.max(highest, Number(key));
  });
  return highest + 1;
}

/** @param plan with sheets numbered from `nextKey` */
export function updateSave(
  save: TtsSave,
  plan: SimulatorPlan,
  extras: Pick<SaveExtras, 'notebook'> = NO_EXTRAS,
): { save: TtsSave; report: UpdateReport } {
  const { save: updated, report } = new Update(save, plan).run();
  if (extras.notebook.length === 0) return { save: updated, report };
  return { save: { ...updated, TabStates: withNotebook(save.TabStates, extras.notebook) }, report };
}

/** Earlier saves name the card alone. */
const cardIdOf = (memo: string): string => memo.slice(Math.max(MEMO.length, memo.lastIndexOf('/') + 1));

class Update {
  readonly #save: TtsSave;
  readonly #plan: SimulatorPlan;
  readonly #guids: Guids;
  /** Cards by memo, with the copies still to be found. */
  readonly #wanted = new Map<string, { card: CardMaking; component: ComponentMaking; left: number }>();
  /** Components whose deck was found, by id. */
  readonly #decks = new Map<string, TtsObject>();
  #kept = 0;
  #added = 0;
  #removed = 0;

  constructor(save: TtsSave, plan: SimulatorPlan) {
    this.#save = save;
    this.#plan = plan;
    const taken: string[] = [];
    walkObjects(save, ({ GUID }) => {
      if (GUID !== undefined) taken.push(GUID);
    });
    this.#guids = new Guids(taken);
    for (const component of plan.components) {
      for (const card of component.cards) {
        this.#wanted.set(card.id, { card, component, left: card.copies });
      }
    }
  }

  run(): { save: TtsSave; report: UpdateReport } {
    const objects = this.#list(this.#save.ObjectStates);
    const added = this.#addMissing();
    return {
      save: { ...this.#save, ObjectStates: [...this.#filledAll(objects), ...added] },
      report: { kept: this.#kept, added: this.#added, removed: this.#removed },
    };
  }

  #list(objects: readonly TtsObject[]): TtsObject[] {
    return objects.flatMap((object) => {
      const updated = this.#object(object);
      return updated ? [updated] : [];
    });
  }

  #object(object: TtsObject): TtsObject | undefined {
    const memo = object.Memo ?? '';
    if (object.DeckIDs) return this.#deck(object);
    const wanted = memo.startsWith(MEMO) ? this.#wanted.get(cardIdOf(memo)) : undefined;
    if (wanted) return this.#card(object, wanted);
    if (memo.startsWith(MEMO) && (object.CardID !== undefined || object.CustomImage)) {
      // One of our cards that is no longer in the list.
      if (!this.#isOurs(memo)) return object;
      this.#removed++;
      return undefined;
    }
    return {
      ...object,
      ...(object.ContainedObjects && { ContainedObjects: this.#list(object.ContainedObjects) }),
      ...(object.States && { States: this.#states(object.States) }),
    };
  }

  /** Cards of components that are not part of this export are left alone. */
  #isOurs(memo: string): boolean {
    return this.#plan.components.some(({ id }) => memo.startsWith(memoOf(id, '')));
  }

  #states(states: Record<string, TtsObject>): Record<string, TtsObject> {
    return Object.fromEntries(
      Object.entries(states).flatMap(([state, object]) => {
        const updated = this.#object(object);
        return updated ? [[state, updated]] : [];
      }),
    );
  }

  #card(
    object: TtsObject,
    wanted: { card: CardMaking; component: ComponentMaking; left: number },
  ): TtsObject | undefined {
    if (wanted.left <= 0) {
      this.#removed++;
      return undefined;
    }
    wanted.left--;
    this.#kept++;
    // Its kind of object stays: a card on the table has another `Name` than one in a deck.
    const { Name: _name, ...fresh } = wanted.card.object;
    return { ...object, ...fresh };
  }

  #deck(deck: TtsObject): TtsObject | undefined {
    const component = this.#plan.components.find(
      ({ id, name, as }) =>
        as === 'deck' &&
        (deck.Memo === `${MEMO}${id}` || (!deck.Memo && name !== '' && deck.Nickname === name)),
    );
    const held = deck.ContainedObjects ?? [];
    const known = held.some(({ Memo }) => Memo?.startsWith(MEMO));
    if (!component && !known) return deck;
    if (component && !known) {
      // Made by another tool: the whole deck is replaced in its place.
      this.#removed += held.length;
      const empty: TtsObject = {
        ...deck,
        Memo: `${MEMO}${component.id}`,
        DeckIDs: [],
        CustomDeck: {},
        ContainedObjects: [],
      };
      this.#decks.set(component.id, empty);
      return empty;
    }
    const updated: TtsObject = { ...deck, ...this.#content(deck, this.#list(held)) };
    if (component && !this.#decks.has(component.id)) {
      updated.Nickname = component.name;
      this.#decks.set(component.id, updated);
    }
    return updated;
  }

  /** A deck's lists for its new cards; cards of other tools keep the sheets they had. */
  #content(deck: TtsObject, cards: readonly TtsObject[]): Partial<TtsObject> {
    const withSheets = cards.map((card) => {
      if (card.CustomDeck || card.CardID === undefined) return card;
      const key = String(Math.floor(card.CardID / 100));
      const sheet: CustomDeck | undefined = deck.CustomDeck?.[key];
      return sheet ? { ...card, CustomDeck: { [key]: sheet } } : card;
    });
    return deckContent(withSheets);
  }

  /** New cards and copies go into their component's deck, or into a new one beside the others. */
  #addMissing(): TtsObject[] {
    const fresh: TtsObject[] = [];
    const rows = new Rows(NEW_Z, 1);
    for (const component of this.#plan.components) {
      const cards = component.cards.flatMap((card) => {
        const wanted = this.#wanted.get(card.id);
        return Array.from({ length: wanted?.left ?? 0 }, (_, copy): TtsObject => {
          this.#added++;
          return {
            GUID: this.#guids.take(`${card.id} added ${copy}`),
            ...card.object,
            Transform: transformAt(0, 0, component.scale, true),
          };
        });
      });
      if (cards.length === 0) continue;
      const deck = this.#decks.get(component.id);
      const place = ({ x, y }: Point) => transformAt(x, y, component.scale, component.as === 'deck');
      if (component.as !== 'deck') {
        const places = rows.take(cards.length, component.room);
        fresh.push(
          ...cards.map((card, at) => ({ ...card, Transform: place(places[at] ?? { x: 0, y: NEW_Z }) })),
        );
      } else if (deck) {
        Object.assign(deck, this.#content(deck, [...(deck.ContainedObjects ?? []), ...cards]));
      } else {
        const made = deckObject(component, cards, this.#guids);
        const [at = { x: 0, y: NEW_Z }] = rows.take(1, component.room);
        if (made) fresh.push({ ...made, Transform: place(at) });
      }
    }
    return fresh;
  }

  #filledAll(objects: readonly TtsObject[]): TtsObject[] {
    return objects.flatMap((object) => {
      const filled = this.#filled(object);
      return filled ? [filled] : [];
    });
  }

  /** A deck of one card becomes a card, and an empty one is dropped: the game accepts no others. */
  #filled(object: TtsObject): TtsObject | undefined {
    const children = object.ContainedObjects;
    if (!object.DeckIDs) {
      return children ? { ...object, ContainedObjects: this.#filledAll(children) } : object;
    }
    const [only] = children ?? [];
    if (!only) return undefined;
    if (children?.length !== 1) return object;
    const { Transform: place, GUID } = object;
    return { ...only, Name: 'CardCustom', ...(GUID && { GUID }), ...(place && { Transform: place }) };
  }
}
