import { defaultTextStyle, type TextStyle } from '../../scene/style/text-style.ts';
import type { CalloutKind } from '../document/schema.ts';

/** Kinds of text that a house style sets. */
export const ROLES = [
  'title',
  'subtitle',
  'h1',
  'h2',
  'h3',
  'h4',
  'body',
  'lead',
  'list',
  'caption',
  'cell',
  'cellHead',
  'calloutTitle',
  'callout',
  'contents1',
  'contents2',
  'index',
  'head',
  'folio',
] as const;
export type Role = (typeof ROLES)[number];

export interface RoleStyle {
  readonly text: TextStyle;
  /** Space before, in lines of the grid; dropped at the top of a column. */
  readonly before: number;
  /** Space after, in lines of the grid. */
  readonly after: number;
  /** Indent of the first line in em. */
  readonly firstIndent: number;
}

export interface CalloutLook {
  readonly fill: string;
  readonly edge: string;
  readonly title: string;
}

export interface HouseStyle {
  readonly id: string;
  readonly name: string;
  /** Baseline to baseline of the body, in points. */
  readonly leading: number;
  /** Most columns; a narrow page has fewer. */
  readonly columns: 1 | 2 | 3;
  /** Narrowest column in millimetres. */
  readonly narrowest: number;
  readonly gutter: number;
  /** Shares of the page's width (inside, outside) and height (top, bottom). */
  readonly margins: {
    readonly inside: number;
    readonly outside: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** Page that a chapter opens on. */
  readonly chapters: 'right' | 'page' | 'run-on';
  readonly roles: Readonly<Record<Role, RoleStyle>>;
  /** Weight of strong text. */
  readonly strong: number;
  readonly accent: string;
  readonly rule: string;
  readonly link: string;
  readonly callouts: Readonly<Record<CalloutKind, CalloutLook>>;
  readonly calloutShape: 'bar' | 'lines' | 'round';
  readonly table: { readonly head: string; readonly band: string };
  readonly bullet: string;
}

type Change = Partial<TextStyle> & { before?: number; after?: number; firstIndent?: number };

function roles(base: Partial<TextStyle>, changes: Record<Role, Change>): Record<Role, RoleStyle> {
  const made = ROLES.map((role): [Role, RoleStyle] => {
    const { before = 0, after = 0, firstIndent = 0, ...text } = changes[role];
    return [role, { text: { ...defaultTextStyle(), ...base, ...text }, before, after, firstIndent }];
  });
  return Object.fromEntries(made) as Record<Role, RoleStyle>;
}

const left = { align: 'left' } as const;
const GARAMOND = 'eb-garamond';

/** A serif in the manner of printed histories: justified, indented, red chapter heads between fine rules. */
const CHRONICLE: HouseStyle = {
  id: 'chronicle',
  name: 'Chronicle',
  leading: 13,
  columns: 2,
  narrowest: 62,
  gutter: 6.5,
  margins: { inside: 0.1, outside: 0.085, top: 0.085, bottom: 0.085 },
  chapters: 'page',
  strong: 700,
  accent: '#7c1d1a',
  rule: '#b39a72',
  link: '#7c1d1a',
  calloutShape: 'lines',
  callouts: {
    note: { fill: '#f5efe2', edge: '#b39a72', title: '#5c4620' },
    example: { fill: '#eef1ea', edge: '#8a9a78', title: '#41532f' },
    important: { fill: '#f7e7e2', edge: '#7c1d1a', title: '#7c1d1a' },
    variant: { fill: '#ebeef3', edge: '#7d8da6', title: '#33486b' },
    faq: { fill: '#f5efe2', edge: '#b39a72', title: '#5c4620' },
  },
  table: { head: '#7c1d1a', band: '#f7f2e8' },
  bullet: '•',
  roles: roles(
    { family: GARAMOND, size: 10.5, color: '#241c14', features: 'onum', align: 'justify' },
    {
      title: { family: 'cinzel', size: 40, weight: 700, align: 'center', color: '#7c1d1a', after: 1 },
      subtitle: { size: 15, italic: true, align: 'center', after: 2 },
      h1: { family: 'cinzel', size: 25, weight: 700, color: '#7c1d1a', before: 2, after: 1, ...left },
      h2: { family: 'cinzel', size: 13.5, weight: 700, color: '#7c1d1a', before: 1, ...left },
      h3: { size: 12, weight: 700, before: 1, ...left },
      h4: { size: 10.5, weight: 700, italic: true, before: 1, ...left },
      body: { firstIndent: 1.2 },
      lead: {},
      list: {},
      caption: { size: 9, italic: true, ...left },
      cell: { size: 9.5, ...left },
      cellHead: { size: 9, weight: 700, color: '#ffffff', ...left },
      calloutTitle: { size: 10, weight: 700, smallCaps: true, letterSpacing: 0.04, ...left },
      callout: { size: 10 },
      contents1: { size: 11, weight: 700, before: 1, ...left },
      contents2: { size: 10.5, ...left },
      index: { size: 9.5, ...left },
      head: { size: 8.5, smallCaps: true, letterSpacing: 0.06, ...left },
      folio: { size: 10, ...left },
    },
  ),
};

/** A sans serif on a strict grid: ragged right, lines between paragraphs, heavy condensed heads. */
const MERIDIAN: HouseStyle = {
  id: 'meridian',
  name: 'Meridian',
  leading: 12,
  columns: 2,
  narrowest: 62,
  gutter: 7,
  margins: { inside: 0.095, outside: 0.085, top: 0.08, bottom: 0.08 },
  chapters: 'page',
  strong: 700,
  accent: '#0b5c8a',
  rule: '#c8d3da',
  link: '#0b5c8a',
  calloutShape: 'bar',
  callouts: {
    note: { fill: '#eef3f6', edge: '#0b5c8a', title: '#0b5c8a' },
    example: { fill: '#f1f4ec', edge: '#5d8a2c', title: '#44681d' },
    important: { fill: '#fdeeea', edge: '#c8401f', title: '#a83212' },
    variant: { fill: '#f3eff8', edge: '#6b4aa0', title: '#573a86' },
    faq: { fill: '#eef3f6', edge: '#52646f', title: '#3c4c56' },
  },
  table: { head: '#22323c', band: '#f2f5f7' },
  bullet: '•',
  roles: roles(
    { family: 'inter', size: 8.5, color: '#1b2429' },
    {
      title: { family: 'oswald', size: 46, weight: 700, transform: 'uppercase', color: '#0b5c8a', after: 1 },
      subtitle: { size: 13, color: '#52646f', after: 2 },
      h1: {
        family: 'oswald',
        size: 30,
        weight: 700,
        transform: 'uppercase',
        color: '#0b5c8a',
        before: 2,
        after: 1,
      },
      h2: { family: 'oswald', size: 15, weight: 700, color: '#22323c', before: 1 },
      h3: { size: 10, weight: 700, color: '#0b5c8a', before: 1 },
      h4: { size: 8.5, weight: 700, before: 1 },
      body: { before: 1 },
      lead: {},
      list: {},
      caption: { size: 7.5, color: '#52646f' },
      cell: { size: 8 },
      cellHead: { size: 7.5, weight: 700, color: '#ffffff', letterSpacing: 0.02 },
      calloutTitle: { size: 8, weight: 700, transform: 'uppercase', letterSpacing: 0.06 },
      callout: {},
      contents1: { size: 10, weight: 700, before: 1 },
      contents2: { size: 8.5 },
      index: { size: 8 },
      head: { size: 7, transform: 'uppercase', letterSpacing: 0.08, color: '#52646f' },
      folio: { size: 8.5, weight: 700, color: '#0b5c8a' },
    },
  ),
};

/** A warm serif with tall display heads and rounded boxes, for games that children open, too. */
const CARAVAN: HouseStyle = {
  id: 'caravan',
  name: 'Caravan',
  leading: 13.5,
  columns: 2,
  narrowest: 62,
  gutter: 7,
  margins: { inside: 0.095, outside: 0.085, top: 0.085, bottom: 0.08 },
  chapters: 'run-on',
  strong: 700,
  accent: '#c2531b',
  rule: '#e4c9a8',
  link: '#0f6b66',
  calloutShape: 'round',
  callouts: {
    note: { fill: '#e6f2f0', edge: '#0f6b66', title: '#0f6b66' },
    example: { fill: '#fdf0dc', edge: '#d6932e', title: '#8a5a0c' },
    important: { fill: '#fbe4da', edge: '#c2531b', title: '#a03f0e' },
    variant: { fill: '#efe9f4', edge: '#7a5a96', title: '#5e3f7a' },
    faq: { fill: '#e6f2f0', edge: '#0f6b66', title: '#0f6b66' },
  },
  table: { head: '#0f6b66', band: '#f3f8f7' },
  bullet: '•',
  roles: roles(
    { family: 'lora', size: 9.25, color: '#2b2420' },
    {
      title: { family: 'bebas-neue', size: 64, color: '#c2531b', align: 'center', after: 0 },
      subtitle: { size: 13, italic: true, align: 'center', color: '#0f6b66', after: 2 },
      h1: { family: 'bebas-neue', size: 34, color: '#c2531b', before: 2, after: 1 },
      h2: { family: 'bebas-neue', size: 19, color: '#0f6b66', letterSpacing: 0.02, before: 1 },
      h3: { size: 11, weight: 700, color: '#c2531b', before: 1 },
      h4: { size: 9.25, weight: 700, before: 1 },
      body: { firstIndent: 1.2 },
      lead: {},
      list: {},
      caption: { size: 8, italic: true },
      cell: { size: 8.5 },
      cellHead: { size: 8.5, weight: 700, color: '#ffffff' },
      calloutTitle: { family: 'bebas-neue', size: 12.5, letterSpacing: 0.03 },
      callout: { size: 9 },
      contents1: { size: 10.5, weight: 700, before: 1 },
      contents2: { size: 9.25 },
      index: { size: 8.5 },
      head: { family: 'bebas-neue', size: 9, letterSpacing: 0.06, color: '#0f6b66' },
      folio: { family: 'bebas-neue', size: 13, color: '#c2531b' },
    },
  ),
};

export const HOUSE_STYLES = [CHRONICLE, MERIDIAN, CARAVAN] as const satisfies readonly HouseStyle[];

/** House style by its id; the first where there is none of this id. */
export const houseStyle = (id: string): HouseStyle =>
  HOUSE_STYLES.find((style) => style.id === id) ?? HOUSE_STYLES[0];
