/** Addresses of layouts: `PROJECT.LAYOUT` in one segment for a project's, `LAYOUT` for one of the user's own library. */

/** Name of a layout in an address. */
export interface LayoutName {
  /** Id of its project; of the user's own library without. */
  readonly project?: string | undefined;
  readonly id: string;
}

/** An id without dots, which separate the project from the layout. */
const encoded = (id: string): string => encodeURIComponent(id).replaceAll('.', '%2E');

/** The segment of an address that names a layout. Ids that the application makes stay as they are. */
export const layoutSegment = ({ project, id }: LayoutName): string =>
  project === undefined ? encoded(id) : `${encoded(project)}.${encoded(id)}`;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The layout that a segment of an address names. */
export function readLayoutSegment(segment: string): LayoutName {
  const dot = segment.indexOf('.');
  if (dot < 0) return { id: decoded(segment) };
  return { project: decoded(segment.slice(0, dot)), id: decoded(segment.slice(dot + 1)) };
}

/** Address of a layout's editor; `component` names the table shown beside it. */
export function editorAddress(segment: string, component?: string): string {
  const query = component === undefined ? '' : `?component=${encodeURIComponent(component)}`;
  return `/layouts/edit/${encodeURIComponent(segment)}${query}`;
}
