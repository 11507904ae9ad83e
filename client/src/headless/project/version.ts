import { type ProjectDocument, projectSchema, type WithId } from '../../data/documents/documents.ts';
import { PROJECTS, projectPath } from '../../data/project/addresses.ts';
import { openedId } from '../../data/versions/opened.ts';
import { gameVersionSchema, openedSchema } from '../../data/versions/schema.ts';
import { type RemoteStore, StoreError } from './store.ts';

/** Most names of versions in an error. */
const MAX_NAMED = 20;

/** An opened version of a project. */
export interface OpenedVersion {
  /** The project as it was. */
  readonly deck: WithId<ProjectDocument>;
  /** Name of the version; that of an automatic one is its number: `#12`. */
  readonly name: string;
  /** Documents of it that are damaged, in words. */
  readonly unreadable: readonly string[];
}

/**
 * Opens a version by its name, its number (`#12`) or its id.
 * @throws StoreError naming the versions there are
 */
export async function openVersion(
  store: RemoteStore,
  project: WithId<ProjectDocument>,
  wanted: string,
): Promise<OpenedVersion> {
  const listed = await store.list(projectPath(project.id, 'gameVersions'), gameVersionSchema);
  const versions = listed.found
    .sort((a, b) => b.number - a.number)
    .map((version) => ({ ...version, name: version.name || `#${version.number}` }));
  const chosen = versions.find(({ id }) => id === wanted) ?? named(project, versions, wanted.trim());
  const { damaged } = openedSchema.parse(
    await store.call('openVersion', { projectId: project.id, version: chosen.id }),
  );
  const deck = await store.get(
    PROJECTS,
    openedId({ project: project.id, version: chosen.id }),
    projectSchema,
  );
  if (!deck) throw new StoreError(`${chosen.name} of “${project.name}” could not be opened. Try again.`);
  return {
    deck,
    name: chosen.name,
    unreadable: damaged.map((path) => `${path} is damaged in this version`),
  };
}

interface Numbered {
  readonly id: string;
  readonly name: string;
  readonly number: number;
}

function named<T extends Numbered>(
  { name: project }: ProjectDocument,
  versions: readonly T[],
  wanted: string,
): T {
  const found = versions.filter(({ name, number }) => name === wanted || `#${number}` === wanted);
  if (found.length > 1) {
    const numbers = found.map(({ number }) => `#${number}`).join(', ');
    throw new StoreError(
      `${found.length} versions of “${project}” are called “${wanted}”: give the number instead (${numbers}).`,
    );
  }
  if (found[0]) return found[0];
  const names = versions.slice(0, MAX_NAMED).map(({ name }) => `“${name}”`);
  const more = versions.length > MAX_NAMED ? `, and ${versions.length - MAX_NAMED} more` : '';
  throw new StoreError(
    versions.length === 0
      ? `“${project}” has no versions yet: freeze one first.`
      : `“${project}” has no version “${wanted}”. There is: ${names.join(', ')}${more}.`,
  );
}
