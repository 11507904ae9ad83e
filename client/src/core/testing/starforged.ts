import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Column, Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { TextZone } from '../scene/zones/text.ts';
import { newZone } from '../scene/zones.ts';

/** The 87 asset cards of Starforged (CC BY 4.0, Datasworn) as a table, and a layout for them. */

interface Ability {
  readonly text: string;
  readonly enabled: boolean;
}
interface Asset {
  readonly _id: string;
  readonly name: string;
  readonly category: string;
  readonly requirement?: string;
  readonly abilities: readonly Ability[];
}
interface Ruleset {
  readonly assets: Readonly<
    Record<string, { readonly color?: string; readonly contents: Readonly<Record<string, Asset>> }>
  >;
}

export const STARFORGED_COLUMNS: readonly Column[] = [
  { key: 'id', name: 'ID' },
  { key: 'name', name: 'Name' },
  { key: 'category', name: 'Category' },
  { key: 'color', name: 'Color' },
  { key: 'requirement', name: 'Requirement' },
  { key: 'ability1', name: 'Ability 1' },
  { key: 'ability2', name: 'Ability 2' },
  { key: 'ability3', name: 'Ability 3' },
];

export function starforgedRows(): Row[] {
  const file = createRequire(import.meta.url).resolve('@datasworn/starforged/json/starforged.json');
  const ruleset = JSON.parse(readFileSync(file, 'utf8')) as Ruleset;
  return Object.values(ruleset.assets).flatMap(({ color, contents }) =>
    Object.values(contents).map((asset) => ({
      cells: {
        id: asset._id,
        name: asset.name,
        category: asset.category,
        color: color ?? '#445566',
        requirement: asset.requirement ?? '',
        ability1: asset.abilities[0]?.text ?? '',
        ability2: asset.abilities[1]?.text ?? '',
        ability3: asset.abilities[2]?.text ?? '',
      },
    })),
  );
}

/** A poker card: title on a coloured band, category, three abilities that share the height. */
export function starforgedLayout(): Layout {
  const document = newLayout('Starforged asset');
  document.base.fill = { kind: 'solid', color: '#f6f1e7' };
  const band = newZone('shape', 'band', 'Band', { x: -3.175, y: -3.175, w: 69.85, h: 19.5 });
  band.bindings = { fill: { mode: 'column', column: 'color' } };
  const name = text('name', 'Name', { x: 5, y: 3.6, w: 53.5, h: 7.4 }, 'name');
  Object.assign(name.style, { family: 'cinzel', weight: 700, size: 15, color: '#ffffff', vAlign: 'middle' });
  name.style.lineHeight = 1.1;
  const category = text('category', 'Category', { x: 5, y: 11, w: 53.5, h: 3.8 }, 'category');
  Object.assign(category.style, { family: 'oswald', size: 7.5, color: '#ffffff', letterSpacing: 0.12 });
  Object.assign(category.style, { transform: 'uppercase', vAlign: 'middle' });
  const body = newZone('container', 'abilities', 'Abilities', { x: 5, y: 19.5, w: 53.5, h: 65.4 });
  Object.assign(body, { direction: 'column', gap: 1.2, align: 'stretch', justify: 'space-between' });
  body.children = [1, 2, 3].map((number) => {
    const ability = text(
      `ability${number}`,
      `Ability ${number}`,
      { x: 0, y: 0, w: 53.5, h: 20 },
      `ability${number}`,
    );
    Object.assign(ability.style, { size: 8, lineHeight: 1.16, align: 'left', vAlign: 'middle' });
    ability.flex = { grow: 1, shrink: 1, absolute: false };
    ability.padding = [0.8, 0, 0.8, 5];
    ability.hideIfEmpty = true;
    ability.minSize = 4.5;
    return ability;
  });
  document.zones = [band, name, category, body];
  return document;
}

function text(
  id: string,
  name: string,
  box: { x: number; y: number; w: number; h: number },
  column: string,
): TextZone {
  const zone = newZone('text', id, name, box);
  zone.bindings = { text: { mode: 'column', column } };
  return zone;
}
