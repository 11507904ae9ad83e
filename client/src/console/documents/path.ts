/** Location in a database: a collection, and optionally one of its documents. */
export interface Place {
  /** Path of the document that the collection lies under; empty at the root. */
  readonly parent: string;
  /** The collection's path; empty where none is chosen. */
  readonly collection: string;
  /** The chosen document's path. */
  readonly document: string | undefined;
}

/** Reads a path as it stands in the address: an odd number of segments is a collection. */
export function placeOf(path: string): Place {
  const segments = path.split('/').filter((segment) => segment !== '');
  const even = segments.length % 2 === 0;
  const collection = even ? segments.slice(0, -1) : segments;
  return {
    parent: collection.slice(0, -1).join('/'),
    collection: collection.join('/'),
    document: even && segments.length > 0 ? segments.join('/') : undefined,
  };
}

/** A path's last segment. */
export function idOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A document's path in its database. */
export function pathOf(name: string): string {
  return name.split('/documents/').slice(1).join('/documents/');
}

/** Address at which the console shows a path. */
export function addressOf(path: string, search = ''): string {
  const encoded = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodeURIComponent)
    .join('/');
  return `/documents/${encoded}${search}`;
}
