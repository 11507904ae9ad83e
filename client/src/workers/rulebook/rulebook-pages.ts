import { sameBlocks } from '../../core/book/document/same-blocks.ts';
import type { Rulebook } from '../../core/book/document/schema.ts';
import { type Flowed, flow } from '../../core/book/paging/flow.ts';
import { fontLayout } from '../../core/book/paging/fonts.ts';
import { bookFormat } from '../../core/book/paging/formats.ts';
import type { CardArt, Project } from '../../core/book/typesetting/context.ts';
import { FlowCache } from '../../core/book/typesetting/flow-cache.ts';
import { houseStyle } from '../../core/book/typesetting/house-style.ts';
import type { DrawnRow, SetUpPart, SetUpPicture } from '../../core/play/set-up/set-up-picture.ts';
import type { Op } from '../../core/scene/display/display-list.ts';
import { IDENTITY } from '../../core/scene/display/matrix.ts';
import type { RenderContext } from '../../render/render-context.ts';
import type { ProjectFacts, SetRequest } from './rulebook-protocol.ts';

/** Most cards kept. */
const MAX_ARTS = 200;

/** Pages of a text, and the project as it was set with. */
export interface SetPages {
  /** The text, with the blocks of the one before where they are equal. */
  readonly doc: Rulebook;
  readonly flowed: Flowed;
  readonly project: Project;
}

/** Sets the pages of rulebooks with one render context, in a worker or without a browser. */
export class RulebookPages {
  readonly #renderContext: RenderContext;
  #cache = new FlowCache();
  /** The document that was set last. */
  #last: Rulebook | undefined;
  /** The table as it was laid out last. */
  #setUp: { readonly key: string; readonly picture: SetUpPicture<CardArt> } | undefined;
  /** Cards laid out before, by all that they are made of. */
  readonly #arts = new Map<string, CardArt>();

  constructor(renderContext: RenderContext) {
    this.#renderContext = renderContext;
  }

  /** Makes everything anew: images have changed. */
  forget(): void {
    this.#arts.clear();
    this.#setUp = undefined;
    this.#cache = new FlowCache();
  }

  async set(request: Omit<SetRequest, 'library'>): Promise<SetPages> {
    const house = houseStyle(request.style);
    const format = bookFormat(request.format);
    const project = await this.#projectOf(request.project);
    const doc = sameBlocks(this.#last, request.doc);
    this.#last = doc;
    await this.#renderContext.loadFonts(fontLayout(doc, house, project), []);
    const { fonts, images } = this.#renderContext;
    const set = () => flow(doc, house, format, { fonts, images, project, cache: this.#cache });
    let flowed = set();
    if (await images.loadWanted()) flowed = set();
    return { doc, flowed, project };
  }

  async #artOf({ layout, row, columns }: DrawnRow, alt: string): Promise<CardArt> {
    const key = JSON.stringify([layout, row, columns, alt]);
    const known = this.#arts.get(key);
    if (known) return known;
    const list = await this.#renderContext.layOut(layout, row, columns);
    const ops: Op[] = [
      { op: 'push', matrix: IDENTITY, clip: list.trim, opacity: 1, blend: 'normal' },
      ...list.ops,
      { op: 'pop' },
    ];
    const art: CardArt = { w: list.w, h: list.h, ops, alt };
    if (this.#arts.size >= MAX_ARTS) this.#arts.clear();
    this.#arts.set(key, art);
    return art;
  }

  /** The table with each of its looks laid out once. */
  async #setUpOf(given: SetUpPicture<DrawnRow>): Promise<SetUpPicture<CardArt>> {
    const key = JSON.stringify(given);
    if (this.#setUp?.key === key) return this.#setUp.picture;
    const { parts, ...picture } = given;
    const drawn: SetUpPart<CardArt>[] = [];
    for (const { look, ...part } of parts)
      drawn.push({ ...part, ...(look && { look: await this.#artOf(look, '') }) });
    this.#setUp = { key, picture: { ...picture, parts: drawn } };
    return this.#setUp.picture;
  }

  async #projectOf({
    components,
    icons,
    cards,
    absent,
    shared,
    values,
    setUp,
  }: ProjectFacts): Promise<Project> {
    const art = new Map<string, CardArt>();
    for (const card of cards) art.set(card.name, await this.#artOf(card, card.alt));
    const known = new Map(values);
    return {
      components,
      ...(setUp && { setUp: 'problem' in setUp ? setUp : await this.#setUpOf(setUp) }),
      icons: new Map(icons.map(({ name, ...icon }) => [name, icon])),
      card: (name) => art.get(name),
      absent: new Map(absent),
      shared: new Map(shared),
      value: (formula) => known.get(formula) ?? { error: 'It has not been worked out.' },
    };
  }
}
