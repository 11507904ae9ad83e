import { getDoc } from '@sdk/firestore';
import { ImageLibrary } from '../../core/images/library.ts';
import { sourcesInScene } from '../../core/images/sources.ts';
import { cellAt } from '../../core/records.ts';
import { projectSchema } from '../documents/documents.ts';
import { editorAddress } from '../project/layout-address.ts';
import {
  detailsOf,
  type Layouts,
  openLibrary,
  openProject,
  type Project,
  readOwnProjects,
} from '../project/open-project.ts';
import { type ImagePlace, projectOfPlace, USER_LIBRARY } from './library-location.ts';
import type { StoredImage } from './library-store.ts';
import { type NamingLayout, type NamingPlace, placesNaming, readNamingLayouts, readTexts } from './places.ts';
import { readProjectImages } from './project-images.ts';
import { imagesSeen } from './seen.ts';

/** A place that shows an image, or that has a copy of it. */
export interface ImageUse {
  /** Id of the image. */
  readonly image: string;
  /** Kind and name of the place, such as “Layout Frame”. */
  readonly what: string;
  /** Its page. */
  readonly to: string;
  /** A project has a copy of its own, which needs this one no more. */
  readonly copy: boolean;
}

/** Most places told of for one question. */
export const MAX_USES = 2_000;

/**
 * Looks for images through the layouts, cards and rulebooks of their project; for images of a library, through those of the library and
 * of all projects of the signed-in user.
 * @param images all that lie there
 * @param wanted ids to look for
 */
export async function findUses(
  place: ImagePlace,
  images: readonly StoredImage[],
  wanted: ReadonlySet<string>,
): Promise<ImageUse[]> {
  const search = new Search(place, wanted);
  const only = projectOfPlace(place);
  if (only === undefined) await search.library(openLibrary(), new ImageLibrary(images));
  const projects = only === undefined ? await readOwnProjects() : [await getDoc(detailsOf(only))];
  for (const found of projects) {
    const details = projectSchema.safeParse(found.data());
    if (!details.success) continue;
    const project = openProject({ id: found.id, owner: details.data.owner });
    const own = only === undefined ? await readProjectImages(project) : images;
    search.copies(project, details.data.name, own);
    const library = new ImageLibrary(imagesSeen(own, only === undefined ? images : []));
    await search.project(project, details.data.name, library);
  }
  return search.found;
}

/** A search for images of one place. */
class Search {
  readonly found: ImageUse[] = [];
  readonly #place: ImagePlace;
  readonly #wanted: ReadonlySet<string>;

  constructor(place: ImagePlace, wanted: ReadonlySet<string>) {
    this.#place = place;
    this.#wanted = wanted;
  }

  #note(library: ImageLibrary, sources: Iterable<string>, what: string, to: string): void {
    const seen = new Set<string>();
    for (const source of sources) {
      const image = library.find(source) as StoredImage | undefined;
      if (!image || image.place !== this.#place || !this.#wanted.has(image.id) || seen.has(image.id))
        continue;
      seen.add(image.id);
      this.#add({ image: image.id, what, to, copy: false });
    }
  }

  #add(use: ImageUse): void {
    if (this.found.length < MAX_USES) this.found.push(use);
  }

  /** Copies that a project has of images of the user's library. */
  copies(project: Project, name: string, own: readonly StoredImage[]): void {
    if (this.#place !== 'image') return;
    const library = USER_LIBRARY.images().path;
    for (const { from } of own) {
      const image = from?.path.startsWith(`${library}/`) ? from.path.slice(library.length + 1) : '';
      if (!this.#wanted.has(image)) continue;
      this.#add({ image, what: `Images of “${name}”`, to: `/decks/images/${project.id}`, copy: true });
    }
  }

  async library(source: Layouts, library: ImageLibrary): Promise<void> {
    for (const layout of await readNamingLayouts(source)) {
      this.#layout(source, layout, '', library, sourcesInScene(layout.scene));
    }
  }

  async project(project: Project, name: string, library: ImageLibrary): Promise<void> {
    for await (const place of placesNaming(await readTexts(project))) {
      if ('layout' in place) this.#layout(project, place.layout, ` of “${name}”`, library, place.sources);
      else if ('card' in place) this.#card(project, name, place, library);
      else {
        const { id, title } = place.rulebook;
        const to = `/rulebook-maker/${project.id}/${id}`;
        this.#note(library, place.sources, `Rulebook “${title}” of “${name}”`, to);
      }
    }
  }

  #layout(
    source: Layouts,
    { id, name }: NamingLayout,
    where: string,
    library: ImageLibrary,
    sources: Iterable<string>,
  ): void {
    this.#note(library, sources, `Layout “${name}”${where}`, editorAddress(source.segment(id)));
  }

  #card(
    project: Project,
    name: string,
    { component, card, sources }: Extract<NamingPlace, { card: unknown }>,
    library: ImageLibrary,
  ): void {
    const first = component.columns.map(({ key }) => cellAt(card.cells, key)).find((text) => text !== '');
    this.#note(
      library,
      sources,
      `Card “${(first ?? 'without a name').slice(0, 60)}” of “${name}”`,
      `/decks/${project.id}?component=${component.id}&card=${card.id}`,
    );
  }
}
