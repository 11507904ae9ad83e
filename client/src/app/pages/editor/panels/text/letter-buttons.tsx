import {
  AlignCenter,
  AlignJustify,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Bold,
  Italic,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TextStyle } from '../../../../../core/scene/style/text-style.ts';
import { levelsOf } from '../../../../../core/text/lines/levels.ts';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import type { SetStyle } from '../fields/set-style.ts';
import css from '../panels.module.css';

/** Weights from here on count as bold. */
const BOLD = 600;

const ALIGNMENTS = [
  ['left', 'Align left', AlignLeft],
  ['center', 'Align centre', AlignCenter],
  ['right', 'Align right', AlignRight],
  ['justify', 'Justify', AlignJustify],
] as const;

/** Sides of each paragraph's direction, and the buttons they are shown by. */
const SIDES = { left: 'start', right: 'end' } as const;
const SIDE_LABELS: Partial<Record<TextStyle['align'], string>> = {
  left: 'Align at the start',
  right: 'Align at the end',
};
/** Icons of the sides in a text that runs right to left: it starts at the right. */
const MIRRORED_ICONS: Partial<Record<TextStyle['align'], typeof AlignLeft>> = {
  left: AlignRight,
  right: AlignLeft,
};
/** True for a text that runs right to left, as far as its first letter says. */
export const runsRightToLeft = (text: string, { direction }: TextStyle): boolean =>
  levelsOf(text, direction).base === 1;
export const isMirrored = (align: TextStyle['align']): boolean => align === 'start' || align === 'end';

/** An alignment with its sides those of the page, or those of each paragraph's direction. */
export function sided(align: TextStyle['align'], mirrored: boolean): TextStyle['align'] {
  if (align === 'left' || align === 'start') return mirrored ? SIDES.left : 'left';
  if (align === 'right' || align === 'end') return mirrored ? SIDES.right : 'right';
  return align;
}

const VERTICAL = [
  ['top', 'Align top', AlignVerticalJustifyStart],
  ['middle', 'Align middle', AlignVerticalJustifyCenter],
  ['bottom', 'Align bottom', AlignVerticalJustifyEnd],
] as const;

function Toggle({
  label,
  pressed,
  onClick,
  children,
}: {
  label: string;
  pressed: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={bar.tool} aria-label={label} aria-pressed={pressed} onClick={onClick}>
      {children}
    </button>
  );
}

const NONE: ReadonlySet<keyof TextStyle> = new Set();

/** Weight, slant and alignment, as buttons. */
export function LetterButtons({
  style,
  mixed = NONE,
  rightToLeft = false,
  setStyle,
}: {
  style: TextStyle;
  /** Properties in which the texts differ that the style stands for. */
  mixed?: ReadonlySet<keyof TextStyle>;
  /** The text runs right to left. */
  rightToLeft?: boolean;
  setStyle: SetStyle;
}) {
  const has = <K extends keyof TextStyle>(key: K, value: TextStyle[K]) =>
    !mixed.has(key) && style[key] === value;
  const bold = !mixed.has('weight') && style.weight >= BOLD;
  const italic = has('italic', true);
  const mirrored = isMirrored(style.align);
  return (
    <>
      <div className={css.buttons}>
        <Toggle label="Bold" pressed={bold} onClick={() => setStyle('weight', bold ? 400 : 700)}>
          <Bold size={16} aria-hidden />
        </Toggle>
        <Toggle label="Italic" pressed={italic} onClick={() => setStyle('italic', !italic)}>
          <Italic size={16} aria-hidden />
        </Toggle>
      </div>
      <div className={css.buttons}>
        {ALIGNMENTS.map(([value, label, Given]) => {
          const Icon = (mirrored && rightToLeft && MIRRORED_ICONS[value]) || Given;
          return (
            <Toggle
              key={value}
              label={mirrored ? (SIDE_LABELS[value] ?? label) : label}
              pressed={has('align', value) || has('align', sided(value, true))}
              onClick={() => setStyle('align', sided(value, mirrored))}
            >
              <Icon size={16} aria-hidden />
            </Toggle>
          );
        })}
      </div>
      <div className={css.buttons}>
        {VERTICAL.map(([value, label, Icon]) => (
          <Toggle
            key={value}
            label={label}
            pressed={has('vAlign', value)}
            onClick={() => setStyle('vAlign', value)}
          >
            <Icon size={16} aria-hidden />
          </Toggle>
        ))}
      </div>
    </>
  );
}
