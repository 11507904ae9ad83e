import type { TextStyle } from '../../scene/style/text-style.ts';
import { findFamily } from '../fonts/catalogue.ts';
import { EAST_ASIAN, guessHanForms, type HanForms } from '../fonts/east-asian.ts';
import type { FontChain, FontRegistry } from '../fonts/font-registry.ts';
import type { Hyphenate } from '../hyphenation/hyphenation.ts';
import type { Inline, Paragraph, TextLook } from '../markup/markup.ts';
import { type Levels, levelsOf } from './levels.ts';
import { opportunitiesOf } from './opportunities.ts';
import { PLAIN_SHAPING, type ShapedText, type Shaping, shape } from './shape.ts';

/**
 * Paragraphs prepared for line breaking. Everything is measured once, in em of the zone's type size, so that trying a
 * smaller size costs only the breaking. Lines break greedily where Unicode (UAX #14) allows. The break opportunities
 * come from the `linebreak` package and not from a browser-tuned engine, so that the same card breaks alike in every
 * browser, worker and Node; those between words of Thai alone are the browser's.
 */

/** A part of a unit in one style. */
export type Part = WordPart | IconPart;

export interface WordPart {
  readonly kind: 'word';
  readonly text: string;
  readonly style: PartStyle;
  readonly shaped: ShapedText;
  readonly shaping: Shaping;
  /** Bidirectional level: odd runs right to left. */
  readonly level: number;
  /** Width in em of the zone's size, letter spacing included. */
  readonly width: number;
}

export interface IconPart {
  readonly kind: 'icon';
  readonly source: string;
  readonly width: number;
  readonly height: number;
  /** Vertical shift from the resting place, positive is down. */
  readonly offset: number;
  readonly style: PartStyle;
  readonly level: number;
}

export interface PartStyle {
  readonly chain: FontChain;
  readonly color: string;
  readonly scale: number;
  readonly mark?: string;
}

/** Unbreakable part of a line, and the space behind it that a line end swallows. */
export interface Unit {
  readonly parts: readonly Part[];
  readonly width: number;
  readonly space: number;
  /** Bidirectional level of that space. */
  readonly spaceLevel: number;
  /** Justified lines may have room behind it although there is no space: it ends, or the next begins, in East Asian. */
  readonly spreads: boolean;
  /** The line ends here whatever its length. */
  readonly endsLine: boolean;
}

export interface PreparedParagraph {
  readonly units: readonly Unit[];
  readonly bullet: WordPart | null;
  /** Hanging indent in em. */
  readonly indent: number;
  readonly endsList: boolean;
  /** Runs right to left as a whole. */
  readonly rightToLeft: boolean;
}

export interface PreparedText {
  readonly paragraphs: readonly PreparedParagraph[];
  readonly chain: FontChain;
  readonly letterSpacing: number;
  readonly missing: readonly string[];
}

/** A number before an icon is its count: no line breaks between them. */
const NUMBER_AND_SPACE = /(\p{N}) $/u;

/** Width over height of an icon; undefined for an unknown one. */
export type IconAspect = (source: string) => number | undefined;

const BULLET_INDENT_EM = 0.85;
/** Height of small capitals as a share of capitals. */
const SMALL_CAPS_SCALE = 0.78;
const BULLET_TEXT = '•';
const BOX = '\ufffc';
const SPACES = /[ \t\n\u1680\u2000-\u2006\u2008-\u200b\u205f\u3000]+$/;
/** As wide as an East Asian character: at the start of a paragraph it is its indent. */
const WIDE_SPACE = '\u3000';

/**
 * Measures parsed text; undefined when no face of the family (or of a fallback) is loaded.
 * @param forms of Chinese characters; asked for if there are any, and told from the text itself when left out
 */
export function prepareText(
  paragraphs: readonly Paragraph[],
  style: TextStyle,
  fonts: FontRegistry,
  aspect: IconAspect,
  hyphenate: Hyphenate = (text) => text,
  forms: (texts: readonly string[]) => HanForms = guessHanForms,
): PreparedText | undefined {
  const texts = eastAsianTexts(paragraphs);
  const han = texts.length > 0 ? forms(texts) : undefined;
  const chain = fonts.chain(familyId(style.family), style.weight, style.italic, style.axes, han);
  if (!chain) return undefined;
  const setter = new Setter(style, fonts, chain, aspect, hyphenate, han);
  const prepared = paragraphs.map((paragraph, index) =>
    setter.paragraph(paragraph, paragraphs[index + 1]?.bullet !== true),
  );
  return { paragraphs: prepared, chain, letterSpacing: style.letterSpacing, missing: [...setter.missing] };
}

function eastAsianTexts(paragraphs: readonly Paragraph[]): string[] {
  const found: string[] = [];
  for (const { inlines } of paragraphs) {
    for (const item of inlines) if (item.kind === 'text' && EAST_ASIAN.test(item.text)) found.push(item.text);
  }
  return found;
}

const familyId = (name: string): string => findFamily(name)?.id ?? name;

/** A hyphen that begins a word is a sign (“suffer -cargo”): it stays with the following text. */
function endsWithSign(text: string, at: number): boolean {
  return (
    /[-\u2010]/.test(text[at - 1] ?? '') &&
    /^$|[\s([“"‘']/.test(text[at - 2] ?? '') &&
    /\S/.test(text[at] ?? '')
  );
}

const isEastAsian = (text: string, at: number): boolean => EAST_ASIAN.test(text[at] ?? '');

interface Span {
  readonly start: number;
  readonly end: number;
  readonly item: Exclude<Inline, { kind: 'break' }>;
}

class Setter {
  readonly missing = new Set<string>();
  readonly #style: TextStyle;
  readonly #fonts: FontRegistry;
  readonly #base: FontChain;
  readonly #aspect: IconAspect;
  readonly #hyphenate: Hyphenate;
  readonly #styles = new Map<TextLook, PartStyle>();
  readonly #smallStyles = new Map<PartStyle, PartStyle>();
  readonly #shaping: readonly [Shaping, Shaping];
  readonly #forms: HanForms | undefined;

  constructor(
    style: TextStyle,
    fonts: FontRegistry,
    base: FontChain,
    aspect: IconAspect,
    hyphenate: Hyphenate,
    forms: HanForms | undefined,
  ) {
    this.#forms = forms;
    this.#style = style;
    this.#fonts = fonts;
    this.#base = base;
    this.#aspect = aspect;
    this.#hyphenate = hyphenate;
    const spaced = style.letterSpacing !== 0;
    const { features } = style;
    const plain = !spaced && features === '';
    this.#shaping = [
      plain ? PLAIN_SHAPING : { spaced, features, rightToLeft: false },
      { spaced, features, rightToLeft: true },
    ];
  }

  paragraph(paragraph: Paragraph, endsList: boolean): PreparedParagraph {
    const { text, spans } = this.#join(paragraph.inlines);
    const order = levelsOf(text, this.#style.direction);
    const units: Unit[] = [];
    const breaker = opportunitiesOf(text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      if (!next.required && endsWithSign(text, next.position)) continue;
      const unit = this.#unit(
        text,
        start,
        next.position,
        spans,
        next.required && next.position < text.length,
        order,
      );
      // White space at a line's start is not drawn.
      if (unit.parts.length > 0 || unit.endsLine) units.push(unit);
      start = next.position;
    }
    const bulletStyle = paragraph.bullet ? this.#styleOf(paragraph.inlines[0]) : null;
    return {
      units,
      bullet: bulletStyle ? this.#word(BULLET_TEXT, bulletStyle, 0) : null,
      indent: paragraph.bullet ? BULLET_INDENT_EM : 0,
      endsList,
      rightToLeft: order.base === 1,
    };
  }

  #join(inlines: readonly Inline[]): { text: string; spans: Span[] } {
    let text = '';
    const spans: Span[] = [];
    for (const [at, item] of inlines.entries()) {
      const joined = inlines[at + 1]?.kind === 'icon';
      const piece =
        item.kind === 'text'
          ? this.#transform(joined ? item.text.replace(NUMBER_AND_SPACE, '$1\u00a0') : item.text)
          : item.kind === 'icon'
            ? BOX
            : '\n';
      if (item.kind !== 'break') spans.push({ start: text.length, end: text.length + piece.length, item });
      text += piece;
    }
    return { text, spans };
  }

  #transform(text: string): string {
    const { transform, hyphenate } = this.#style;
    const cased =
      transform === 'uppercase' ? text.toUpperCase() : transform === 'lowercase' ? text.toLowerCase() : text;
    return hyphenate === '' ? cased : this.#hyphenate(cased, hyphenate);
  }

  #unit(
    text: string,
    start: number,
    end: number,
    spans: readonly Span[],
    endsLine: boolean,
    order: Levels,
  ): Unit {
    const slice = text.slice(start, end);
    const gap = start === 0 && slice.startsWith(WIDE_SPACE) ? null : SPACES.exec(slice);
    const solidEnd = gap ? start + gap.index : end;
    const wide = this.#forms !== undefined;
    const parts: Part[] = [];
    let space = 0;
    for (const span of spans) {
      if (span.end <= start || span.start >= end) continue;
      const from = Math.max(span.start, start);
      const to = Math.min(span.end, solidEnd);
      if (from < to) this.#parts(parts, text, from, to, span.item, order);
      // Several spaces in a row count as one, as everywhere on the web.
      if (space === 0 && span.end > solidEnd && solidEnd < end && span.item.kind === 'text') {
        if (/[^\n\u200b]/.test(text.slice(Math.max(solidEnd, span.start), Math.min(span.end, end)))) {
          const style = this.#styleFor(span.item.look);
          const blank = wide && gap?.[0].includes(WIDE_SPACE) ? WIDE_SPACE : ' ';
          space = Math.max(0, this.#word(blank, style, 0).width + this.#style.wordSpacing * style.scale);
        }
      }
    }
    const width = parts.reduce((sum, part) => sum + part.width, 0);
    const spreads = wide && space === 0 && (isEastAsian(text, solidEnd - 1) || isEastAsian(text, end));
    return { parts, width, space, spaceLevel: order.at(solidEnd), spreads, endsLine };
  }

  /** The parts of a stretch of one item, split where the direction or (small capitals) the case changes. */
  #parts(
    into: Part[],
    text: string,
    from: number,
    to: number,
    item: Exclude<Inline, { kind: 'break' }>,
    order: Levels,
  ): void {
    const style = this.#styleFor(item.look);
    if (item.kind === 'icon') {
      const height = item.size * style.scale;
      const width = height * (this.#aspect(item.source) ?? 1);
      const offset = item.offset * style.scale;
      into.push({ kind: 'icon', source: item.source, width, height, offset, style, level: order.at(from) });
      return;
    }
    for (let start = from; start < to; ) {
      let end = start + 1;
      const level = order.at(start);
      while (end < to && order.at(end) === level) end++;
      const piece = text.slice(start, end);
      if (this.#style.smallCaps) this.#smallCaps(into, piece, style, level);
      else into.push(this.#word(piece, style, level));
      start = end;
    }
  }

  #smallCaps(into: Part[], text: string, style: PartStyle, level: number): void {
    for (const [piece] of text.matchAll(/[\p{Ll}\p{M}\u00ad]+|[^\p{Ll}]+/gu)) {
      const small = /\p{Ll}/u.test(piece);
      into.push(
        this.#word(small ? piece.toUpperCase() : piece, small ? this.#smallStyle(style) : style, level),
      );
    }
  }

  #smallStyle(style: PartStyle): PartStyle {
    let small = this.#smallStyles.get(style);
    if (!small) {
      small = { ...style, scale: style.scale * SMALL_CAPS_SCALE };
      this.#smallStyles.set(style, small);
    }
    return small;
  }

  #word(text: string, style: PartStyle, level: number): WordPart {
    const shaping = this.#shaping[level % 2 === 1 ? 1 : 0];
    // Soft hyphens inside a line are no glyphs: a PDF would hold a space for each.
    const shaped = shape(style.chain, text.replaceAll('\u00ad', ''), shaping);
    for (const character of shaped.missing) this.missing.add(character);
    const letters = shaped.pieces.reduce((sum, piece) => sum + piece.glyphs.length, 0);
    const width = (shaped.width + letters * this.#style.letterSpacing) * style.scale;
    return { kind: 'word', text, style, shaped, shaping, level, width };
  }

  #styleOf(item: Inline | undefined): PartStyle {
    return !item || item.kind === 'break'
      ? { chain: this.#base, color: this.#style.color, scale: 1 }
      : this.#styleFor(item.look);
  }

  #styleFor(look: TextLook): PartStyle {
    const known = this.#styles.get(look);
    if (known) return known;
    const chain = this.#fonts.chain(
      familyId(look.family ?? this.#style.family),
      look.weight ?? this.#style.weight,
      look.italic ?? this.#style.italic,
      this.#style.axes,
      this.#forms,
    );
    const style = {
      chain: chain ?? this.#base,
      color: look.color ?? this.#style.color,
      scale: look.scale,
      ...(look.mark !== undefined && { mark: look.mark }),
    };
    this.#styles.set(look, style);
    return style;
  }
}
