import type { Inline as MarkupInline, TextLook } from '../../text/markup/markup.ts';
import type { Inline } from '../document/schema.ts';
import type { Context } from './context.ts';
import type { Role } from './house-style.ts';
import { linkMark } from './set-lines.ts';

/** Height of an icon in text, as a share of the type size. */
const ICON_SIZE = 0.95;

/** The text of a document's inlines as the setter takes it: references and values worked out, icons found. */
export function markupOf(
  context: Context,
  block: string,
  content: readonly Inline[],
  role: Role,
): MarkupInline[] {
  const plain = lookOf(context, role, [], undefined);
  const result: MarkupInline[] = [];
  for (const [at, inline] of content.entries()) {
    const text = (words: string, look: TextLook = plain) => {
      if (words !== '') result.push({ kind: 'text', text: words, look });
    };
    const linked = (to: string) => lookOf(context, role, [], linkMark(`${block}.${at}`, to));
    switch (inline.type) {
      case 'text':
        text(inline.text, inline.marks?.length ? lookOf(context, role, inline.marks, undefined) : plain);
        break;
      case 'break':
        result.push({ kind: 'break' });
        break;
      case 'icon':
        result.push(icon(context, block, inline.name, plain));
        break;
      case 'card':
        text(inline.name, lookOf(context, role, ['emphasis'], undefined));
        break;
      case 'term':
        if (known(context, block, inline.definition)) text(inline.text, linked(inline.definition));
        else text(inline.text);
        break;
      case 'reference':
        if (known(context, block, inline.block)) text(referenceText(context, inline), linked(inline.block));
        else text('?');
        break;
      case 'value':
        text(valueText(context, block, inline.formula));
        break;
    }
  }
  return result;
}

export function lookOf(
  { house }: Context,
  role: Role,
  marks: readonly ('strong' | 'emphasis')[],
  mark: string | undefined,
): TextLook {
  const { italic } = house.roles[role].text;
  return {
    family: null,
    weight: marks.includes('strong') ? house.strong : null,
    // Emphasis inside italic text stands upright.
    italic: marks.includes('emphasis') ? !italic : null,
    color: mark !== undefined ? house.link : null,
    scale: 1,
    ...(mark !== undefined && { mark }),
  };
}

function icon({ assets, report }: Context, block: string, name: string, look: TextLook): MarkupInline {
  const found = assets.project.icons.get(name);
  if (found) return { kind: 'icon', source: found.source, size: ICON_SIZE, offset: 0, look };
  report({
    block,
    code: 'missing-icon',
    message: `The project has no icon ${name}: choose another one or add it to the project.`,
  });
  return { kind: 'text', text: `[${name}]`, look };
}

function known({ numbering, report }: Context, block: string, target: string): boolean {
  if (numbering.places.has(target)) return true;
  report({
    block,
    code: 'dead-reference',
    message: `The block ${target} that this text refers to is gone: point the reference elsewhere or remove it.`,
  });
  return false;
}

/** Stands for a page that is not known yet; as wide as most. */
const UNKNOWN_PAGE = '00';

function referenceText(
  { numbering, pages }: Context,
  { block, show }: { readonly block: string; readonly show: 'number' | 'title' | 'page' },
): string {
  const place = numbering.places.get(block);
  if (show === 'page') return `${pages.get(block) ?? UNKNOWN_PAGE}`;
  const [wanted, other] = show === 'number' ? [place?.number, place?.title] : [place?.title, place?.number];
  return wanted || other || `${pages.get(block) ?? UNKNOWN_PAGE}`;
}

function valueText({ assets, report }: Context, block: string, formula: string): string {
  const value = assets.project.value(formula);
  if ('text' in value) return value.text;
  report({ block, code: 'bad-value', message: `${formula}: ${value.error}` });
  return `{{${formula}}}`;
}
