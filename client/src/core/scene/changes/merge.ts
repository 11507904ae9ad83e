import type { Layout } from '../layout.ts';
import { type LayoutFont, MAX_LAYOUT_FONTS } from '../style/layout-font.ts';
import { isSetIn } from '../style/used-fonts.ts';
import { definitionOf, isParent, type Zone } from '../zones.ts';
import { sameDocument } from './same-document.ts';

/**
 * Three-way merge of two versions of a layout and their common base. A property that only one side changed is taken
 * from it; zones are matched by id, wherever they have been moved. Where both changed the same property differently,
 * `prefer` decides. A zone that one side deleted and the other changed stays, unless `theirs` is preferred and deleted
 * it.
 */
export type Preference = 'mine' | 'theirs';

export function mergeLayouts(base: Layout, mine: Layout, theirs: Layout, prefer: Preference): Layout {
  // The very same objects, so that comparisons by identity see no change.
  if (mine === base || sameDocument(mine, base)) return theirs;
  if (theirs === base || sameDocument(theirs, base)) return mine;
  const { zones: a, ...fromBase } = base;
  const { zones: b, ...fromMine } = mine;
  const { zones: c, ...fromTheirs } = theirs;
  const rest = mergeValue(fromBase, fromMine, fromTheirs, prefer) as Omit<Layout, 'zones'>;
  const { fonts: _, ...merged } = { ...rest, zones: mergeZones(a, b, c, prefer) };
  const fonts = mergeFonts([base, mine, theirs], merged, prefer);
  return fonts.length > 0 ? { ...merged, fonts } : merged;
}

/**
 * Font files, each cut of a family by itself: both sides may have brought one, and a copy has addresses of its own. A family
 * that one side took off its list stays while something in the merged layout is set in it.
 */
function mergeFonts(
  [base, mine, theirs]: readonly [Layout, Layout, Layout],
  merged: Layout,
  prefer: Preference,
): LayoutFont[] {
  const byCut = ({ fonts = [] }: Layout) =>
    new Map(fonts.map((font) => [`${font.family} ${font.weight} ${font.italic}`, font]));
  const [a, b, c] = [byCut(base), byCut(mine), byCut(theirs)];
  const fonts = [...new Set([...c.keys(), ...b.keys()])].flatMap((cut) => {
    const [was, here, there] = [a.get(cut), b.get(cut), c.get(cut)];
    const font = mergeValue(was, here, there, prefer) as LayoutFont | undefined;
    if (font) return [font];
    const left = here ?? there;
    return left && isSetIn(merged, left) ? [left] : [];
  });
  return fonts.slice(0, MAX_LAYOUT_FONTS);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects are merged key by key; lists and everything else are taken whole from one side. */
function mergeValue(base: unknown, mine: unknown, theirs: unknown, prefer: Preference): unknown {
  if (sameDocument(mine, base)) return theirs;
  if (sameDocument(theirs, base) || sameDocument(mine, theirs)) return mine;
  if (!isFields(mine) || !isFields(theirs) || !sameKind(mine, theirs))
    return prefer === 'mine' ? mine : theirs;
  const from: Fields = isFields(base) ? base : {};
  const merged: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = mergeValue(from[key], mine[key], theirs[key], prefer);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** A solid fill and a gradient have no properties in common: one of them is taken whole. */
const sameKind = (a: Fields, b: Fields): boolean => a.kind === b.kind && a.mode === b.mode;

interface Placed {
  /** The zone without its children. */
  readonly own: Zone;
  /** Id of the parent zone, empty for the card. */
  readonly parent: string;
}

interface Tree {
  readonly zones: ReadonlyMap<string, Placed>;
  /** Ids of children by their parent, back to front. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

function treeOf(zones: readonly Zone[]): Tree {
  const found = new Map<string, Placed>();
  const children = new Map<string, string[]>();
  const visit = (list: readonly Zone[], parent: string): void => {
    children.set(
      parent,
      list.map(({ id }) => id),
    );
    for (const zone of list) {
      if (!isParent(zone)) found.set(zone.id, { own: zone, parent });
      else {
        found.set(zone.id, { own: { ...zone, children: [] }, parent });
        visit(zone.children, zone.id);
      }
    }
  };
  visit(zones, '');
  return { zones: found, children };
}

function mergeZones(
  base: readonly Zone[],
  mine: readonly Zone[],
  theirs: readonly Zone[],
  prefer: Preference,
): Zone[] {
  if (sameDocument(mine, base)) return theirs as Zone[];
  if (sameDocument(theirs, base)) return mine as Zone[];
  const trees = { base: treeOf(base), mine: treeOf(mine), theirs: treeOf(theirs) };
  const kept = new Map<string, Placed>();
  for (const id of new Set([...trees.theirs.zones.keys(), ...trees.mine.zones.keys()])) {
    const [was, ours, other] = [
      trees.base.zones.get(id),
      trees.mine.zones.get(id),
      trees.theirs.zones.get(id),
    ];
    const merged = mergePlaced(was, ours, other, prefer);
    if (merged) kept.set(id, merged);
  }
  const parents = new Map<string, string>();
  for (const [id, { parent }] of kept) {
    const there = parent === '' || holds(kept, parent);
    // Its parent is gone, or each was moved into the other: back to the card.
    parents.set(id, there && !circular(kept, id) ? parent : '');
  }
  const build = (parent: string): Zone[] =>
    orderOf(trees, parent, prefer, parents).flatMap((id): Zone[] => {
      const own = kept.get(id)?.own;
      if (!own) return [];
      return isParent(own) ? [{ ...own, children: build(id) }] : [own];
    });
  return build('');
}

const holds = (kept: ReadonlyMap<string, Placed>, id: string): boolean => {
  const own = kept.get(id)?.own;
  return own !== undefined && isParent(own);
};

function circular(kept: ReadonlyMap<string, Placed>, id: string): boolean {
  const seen = new Set([id]);
  for (let at = kept.get(id)?.parent; at; at = kept.get(at)?.parent) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

function mergePlaced(
  was: Placed | undefined,
  mine: Placed | undefined,
  theirs: Placed | undefined,
  prefer: Preference,
): Placed | undefined {
  if (mine && theirs) {
    const own = mergeOwn(was?.own, mine.own, theirs.own, prefer);
    const parent = mergeValue(was?.parent, mine.parent, theirs.parent, prefer) as string;
    return { own, parent };
  }
  const one = mine ?? theirs;
  // One side added it; or one deleted it, which stands unless the other changed it.
  if (!was || !one) return one;
  if (sameDocument(one, was)) return undefined;
  return mine && prefer === 'theirs' ? undefined : one;
}

function mergeOwn(base: Zone | undefined, mine: Zone, theirs: Zone, prefer: Preference): Zone {
  const whole = withLanguages(
    mergeValue(base, mine, theirs, prefer) as Zone,
    mergeLanguages(base, mine, theirs, prefer),
  );
  if (mine.kind !== theirs.kind || sameDocument(mine, theirs)) return whole;
  const was = base?.kind === mine.kind ? base : undefined;
  const { lists, merge } = definitionOf(mine);
  const merged: Fields & Zone = { ...whole };
  for (const [key, { by, most }] of Object.entries(lists)) {
    const [a, b, c] = [was, mine, theirs].map((zone) => entriesOf(zone, key));
    const entries = mergeEntries(a ?? [], b ?? [], c ?? [], by, prefer);
    Object.assign(merged, { [key]: entries.slice(0, most) });
  }
  return merge ? (merge({ base: was, mine, theirs, merged }, prefer) as Zone) : merged;
}

/**
 * The languages of a zone, each by itself. A side that took its last language off has no field any more, which is no reason
 * to lose the languages of the other.
 */
function mergeLanguages(base: Zone | undefined, mine: Zone, theirs: Zone, prefer: Preference): Fields {
  const [was, ours, other] = [base, mine, theirs].map((zone) => zone?.languages ?? {});
  return mergeValue(was, ours, other, prefer) as Fields;
}

/** A zone with these languages; the zone itself where it has them. */
function withLanguages(zone: Zone, languages: Fields): Zone {
  if (sameDocument(zone.languages ?? {}, languages)) return zone;
  const { languages: _, ...rest } = zone;
  return (Object.keys(languages).length > 0 ? { ...rest, languages } : rest) as Zone;
}

const entriesOf = (zone: Zone | undefined, key: string): readonly Fields[] =>
  ((zone as Fields | undefined)?.[key] as readonly Fields[] | undefined) ?? [];

/** Entries of a list by what tells them apart, in the order of the side that is preferred. */
function mergeEntries(
  base: readonly Fields[],
  mine: readonly Fields[],
  theirs: readonly Fields[],
  by: string,
  prefer: Preference,
): Fields[] {
  const [was, ours, other] = [base, mine, theirs].map(
    (list) => new Map(list.map((entry) => [entry[by], entry])),
  );
  const [first, second] = prefer === 'mine' ? [mine, theirs] : [theirs, mine];
  const keys = new Set([...first, ...second].map((entry) => entry[by]));
  return [...keys].flatMap((key) => {
    const [before, here, there] = [was?.get(key), ours?.get(key), other?.get(key)];
    if (here && there) return [mergeValue(before, here, there, prefer) as Fields];
    const one = here ?? there;
    // Added by one side; or deleted by one, which stands unless the other changed it.
    return one && !(before && sameDocument(one, before)) ? [one] : [];
  });
}

/**
 * Children of a zone, in the order of the side that reordered them; the other side's additions follow their neighbours.
 */
function orderOf(
  { base, mine, theirs }: { base: Tree; mine: Tree; theirs: Tree },
  parent: string,
  prefer: Preference,
  parents: ReadonlyMap<string, string>,
): string[] {
  const here = (tree: Tree): string[] =>
    (tree.children.get(parent) ?? []).filter((id) => parents.get(id) === parent);
  const [was, ours, other] = [here(base), here(mine), here(theirs)];
  const reordered = (list: readonly string[]): boolean => {
    const common = list.filter((id) => was.includes(id));
    return was.filter((id) => common.includes(id)).some((id, at) => common[at] !== id);
  };
  const minesFirst =
    prefer === 'mine' ? reordered(ours) || !reordered(other) : reordered(ours) && !reordered(other);
  const [first, second] = minesFirst ? [ours, other] : [other, ours];
  const order = [...first];
  for (const [at, id] of second.entries()) {
    if (order.includes(id)) continue;
    const before = second.slice(0, at).findLast((one) => order.includes(one));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  // Zones returned to the card because their parent is gone come in front.
  for (const [id, of] of parents) if (of === parent && !order.includes(id)) order.push(id);
  return order;
}
