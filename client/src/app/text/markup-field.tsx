import { Textarea, type TextareaProps } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { MarkupContext } from '../../core/text/markup/braces.ts';
import { variableSpans } from '../../core/text/markup/variable-spans.ts';
import { useUserObject } from '../../data/user-object/use-user-object.ts';
import css from './markup-field.module.css';

/** Properties that place the letters of a text field. */
const METRICS = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'fontFeatureSettings',
  'letterSpacing',
  'lineHeight',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'tabSize',
] as const;

/** The text again, unseen behind the field, with marks behind the variables. */
function marksOf(text: string, context: MarkupContext): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { from, to, known } of variableSpans(text, context)) {
    parts.push(text.slice(at, from));
    parts.push(
      <mark key={from} data-known={known}>
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  parts.push(text.slice(at));
  return parts;
}

/** Places the letters of the backdrop as the field places its own. */
function align(field: HTMLTextAreaElement, backdrop: HTMLElement): void {
  const style = getComputedStyle(field);
  for (const name of METRICS) backdrop.style[name] = style[name];
  // A scroll bar takes room from the letters.
  const borders = Number.parseFloat(style.borderLeftWidth) + Number.parseFloat(style.borderRightWidth);
  backdrop.style.width = `${field.clientWidth + borders}px`;
  backdrop.scrollTop = field.scrollTop;
}

/** A field for card text. Its variables stand out while the account's setting says so. */
export function MarkupField({
  context,
  value,
  ...rest
}: Omit<TextareaProps, 'value' | 'inputContainer' | 'classNames'> & {
  value: string;
  /** Meanings of names in braces. */
  context: MarkupContext;
}) {
  const { variableHighlight } = useUserObject().userObject;
  const marks = useMemo(
    () => (variableHighlight ? marksOf(value, context) : undefined),
    [variableHighlight, value, context],
  );
  const field = useRef<HTMLTextAreaElement>(null);
  const backdrop = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (field.current && backdrop.current) align(field.current, backdrop.current);
  });
  const marked = marks !== undefined;
  useEffect(() => {
    const [from, to] = [field.current, backdrop.current];
    if (!(marked && from && to)) return;
    // The window or a scroll bar changes the field's room without a render.
    const observer = new ResizeObserver(() => align(from, to));
    observer.observe(from);
    return () => observer.disconnect();
  }, [marked]);
  return (
    <Textarea
      {...rest}
      ref={field}
      value={value}
      classNames={{ input: marks ? css.field : undefined }}
      onScroll={(event) => {
        if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop;
      }}
      inputContainer={(input) => (
        <div className={css.stack}>
          {marks && (
            <div ref={backdrop} className={css.backdrop} aria-hidden>
              {marks}
              {/* A last empty line has a height only with something on it. */}
              {'\u200b'}
            </div>
          )}
          {input}
        </div>
      )}
    />
  );
}
