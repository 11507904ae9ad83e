/** The part of a project that a document belongs to. */
export type Place =
  | { readonly kind: 'project' | 'notes' }
  | { readonly kind: 'component' | 'layout' | 'image' | 'font' | 'preset' | 'rulebook'; readonly id: string }
  | { readonly kind: 'card'; readonly component: string; readonly id: string }
  /** A step of a rulebook's text, or a state of it that was kept. */
  | { readonly kind: 'text'; readonly rulebook: string }
  | { readonly kind: 'translation'; readonly rulebook: string; readonly language: string }
  /** The cards' texts in a language. */
  | { readonly kind: 'language'; readonly language: string }
  /** Nothing that this version of the program knows. */
  | { readonly kind: 'unknown' };

const UNKNOWN: Place = { kind: 'unknown' };

const SINGLE = {
  components: 'component',
  layouts: 'layout',
  images: 'image',
  fonts: 'font',
  printPresets: 'preset',
  rulebooks: 'rulebook',
} as const;

const isSingle = (name: string): name is keyof typeof SINGLE => Object.hasOwn(SINGLE, name);

/** Reads the path of a document, relative to its project. */
export function placeOf(path: string): Place {
  if (path === '') return { kind: 'project' };
  const [top = '', id = '', below, name = '', parts, part, ...rest] = path.split('/');
  if (id === '' || rest.length > 0) return UNKNOWN;
  if (below === undefined) {
    if (top === 'notes' && id === 'main') return { kind: 'notes' };
    if (top === 'languages') return { kind: 'language', language: id };
    return isSingle(top) ? { kind: SINGLE[top], id } : UNKNOWN;
  }
  if (name === '') return UNKNOWN;
  if (top === 'components' && below === 'cards' && parts === undefined)
    return { kind: 'card', component: id, id: name };
  if (top === 'languages' && below === 'parts' && parts === undefined)
    return { kind: 'language', language: id };
  if (top !== 'rulebooks') return UNKNOWN;
  if ((below === 'steps' || below === 'versions') && parts === undefined)
    return { kind: 'text', rulebook: id };
  const isPart = parts === undefined || (parts === 'parts' && part !== undefined && part !== '');
  if (below === 'languages' && isPart) return { kind: 'translation', rulebook: id, language: name };
  return UNKNOWN;
}
