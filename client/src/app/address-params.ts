import { readLayoutSegment } from '../data/project/layout-address.ts';

/** Longest id of a document, in bytes. */
const MAX_ID_BYTES = 1500;

/** True for a text that can be the id of a document. Of others, an address of a document cannot be made. */
function isId(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || text.includes('/')) return false;
  return !/^__.*__$/.test(text) && new TextEncoder().encode(text).length <= MAX_ID_BYTES;
}

/** Parameters in which an address says `PROJECT.LAYOUT`. */
const LAYOUT_PAGES = /^\/layouts\/(?:edit|shared)\//;

/** True if all parameters of an address can name something; the rest of a path, which names folders, may be anything. */
export function canName(path: string, params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(params).every(([name, value]) => {
    if (name === '*' || value === undefined) return true;
    if (!LAYOUT_PAGES.test(path) || name !== 'id') return isId(value);
    const { project, id } = readLayoutSegment(value);
    return isId(id) && (project === undefined || isId(project));
  });
}
