import { compile, DECLARATION, FONT_FACE, RULESET } from 'stylis';
import { parseColour } from '../scene/colour/colour.ts';
import type { Rgba } from '../scene/display/display-list.ts';
import { NotVector } from './drawing.ts';
import type { Element } from './xml.ts';

/** Declared values by property. */
export type Declarations = ReadonlyMap<string, string>;

/** Inherited properties. */
const INHERITED = [
  'clip-rule',
  'color',
  'fill',
  'fill-opacity',
  'fill-rule',
  'marker-end',
  'marker-mid',
  'marker-start',
  'paint-order',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'visibility',
] as const;

/** Properties that are not inherited. */
const OWN = [
  'clip-path',
  'display',
  'filter',
  'isolation',
  'mask',
  'mix-blend-mode',
  'opacity',
  'stop-color',
  'stop-opacity',
  'transform',
  'transform-origin',
  'vector-effect',
] as const;

const READ: ReadonlySet<string> = new Set([...INHERITED, ...OWN, 'marker']);
/** Properties whose attributes of the same name mean something else on some elements, and are read there. */
const NOT_PRESENTATION = new Set(['transform', 'mask-type', 'marker']);

interface Rule {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  /** Orders rules: the greater wins, the later of equals. */
  readonly weight: number;
  readonly declarations: Declarations;
}

/** Rules of an SVG's `style` elements. */
export class StyleSheet {
  readonly #rules: Rule[] = [];

  /** @throws NotVector for unsupported selectors and at-rules */
  constructor(css: string) {
    for (const element of compile(css)) {
      if (element.type === RULESET) this.#add(element);
      else if (element.type !== 'comm' && element.type !== FONT_FACE && element.type !== '@charset') {
        throw new NotVector(`has a style rule that only browsers know: ${element.value.slice(0, 40)}`);
      }
    }
    this.#rules.sort((a, b) => a.weight - b.weight);
  }

  #add({ props, children }: ReturnType<typeof compile>[number]): void {
    if (typeof children === 'string') return;
    const declarations = new Map<string, string>();
    for (const child of children) {
      if (child.type === DECLARATION) declarations.set(String(child.props), String(child.children));
      else if (child.type !== 'comm') throw new NotVector('has style rules inside one another');
    }
    if (![...declarations.keys()].some((name) => READ.has(name))) return;
    for (const selector of [props].flat()) this.#rules.push({ ...readSelector(selector), declarations });
  }

  /** An element's declarations: attributes, then rules, then its `style`. */
  of(element: Element): Declarations {
    const found = new Map<string, string>();
    for (const [name, value] of element.attributes) {
      if (READ.has(name) && !NOT_PRESENTATION.has(name)) found.set(name, value);
    }
    const id = element.attributes.get('id') ?? '';
    const classes = (element.attributes.get('class') ?? '').split(/\s+/);
    const important = new Map<string, string>();
    const take = (name: string, value: string): void => {
      const plain = value.replace(/\s*!\s*important\s*$/i, '');
      if (plain !== value) important.set(name, plain);
      found.set(name, plain);
    };
    for (const rule of this.#rules) {
      if (rule.tag !== '' && rule.tag !== element.name) continue;
      if (rule.id !== '' && rule.id !== id) continue;
      if (!rule.classes.every((name) => classes.includes(name))) continue;
      for (const [name, value] of rule.declarations) take(name, value);
    }
    for (const [name, value] of inlineStyle(element.attributes.get('style') ?? '')) take(name, value);
    for (const [name, value] of important) found.set(name, value);
    for (const [name, value] of found) {
      if (READ.has(name) && /\b(?:var|calc|env)\s*\(/i.test(value)) {
        throw new NotVector(`has a style that only browsers work out: ${value.slice(0, 40)}`);
      }
    }
    return found;
  }
}

const SELECTOR = /^(\*|[a-zA-Z][\w-]*)?((?:[#.][\w-]+)*)$/;

function readSelector(selector: string): Omit<Rule, 'declarations'> {
  const found = SELECTOR.exec(selector.trim());
  if (!found) throw new NotVector(`has a style selector that only browsers know: ${selector.slice(0, 40)}`);
  const tag = found[1] === undefined || found[1] === '*' ? '' : found[1];
  const parts = found[2]?.match(/[#.][\w-]+/g) ?? [];
  const ids = parts.filter((part) => part.startsWith('#')).map((part) => part.slice(1));
  const classes = parts.filter((part) => part.startsWith('.')).map((part) => part.slice(1));
  const weight = ids.length * 10_000 + classes.length * 100 + (tag === '' ? 0 : 1);
  return { tag, id: ids[0] ?? '', classes, weight };
}

function inlineStyle(text: string): Declarations {
  const found = new Map<string, string>();
  if (text.trim() === '') return found;
  for (const { type, props, children } of compile(text.endsWith(';') ? text : `${text};`)) {
    if (type === DECLARATION) found.set(String(props), String(children));
  }
  return found;
}

/** The computed values of an element, declared and inherited. */
export class Style {
  readonly #own: Declarations;
  readonly #parent: Style | undefined;

  constructor(own: Declarations, parent?: Style) {
    this.#own = own;
    this.#parent = parent;
  }

  /** An inherited property. */
  inherited(name: (typeof INHERITED)[number]): string | undefined {
    const value = this.#own.get(name)?.trim();
    return value === undefined || value === 'inherit' ? this.#parent?.inherited(name) : value;
  }

  /** A property that is not inherited. */
  own(name: (typeof OWN)[number]): string | undefined {
    return this.#own.get(name)?.trim();
  }
}

/**
 * A property's colour; `currentColor` is the element's `color`.
 * @throws NotVector for invalid colours
 */
export function readColour(text: string, style: Style): Rgba {
  const isCurrent = (name: string): boolean => name.toLowerCase() === 'currentcolor';
  const named = isCurrent(text) ? (style.inherited('color') ?? 'black') : text;
  const color = parseColour(isCurrent(named) ? 'black' : named);
  if (!color) throw new NotVector(`has a colour that cannot be read: ${named.slice(0, 40)}`);
  return color;
}
