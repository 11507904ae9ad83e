import { useContext, useEffect, useRef } from 'react';
import type { ZoneFrame } from '../../../../core/scene/display/display-list.ts';
import { MAX_TEXT_LENGTH } from '../../../../core/scene/limits.ts';
import type { TextZone } from '../../../../core/scene/zones/text.ts';
import { isolated } from '../../../../core/text/names.ts';
import { ptToMm } from '../../../../core/units.ts';
import { OwnLanguageContext } from '../../../painting/own-language.ts';
import { breakLine } from '../panels/text/break-line.ts';
import type { EditorModel } from '../state/editor-store.ts';
import css from './canvas.module.css';
import { placeStyle } from './zone-box.tsx';

/** Writing on the card itself: the zone's markup in its place and about its size. Escape or a click elsewhere ends it. */
export function TextWriter({
  zone,
  frame,
  scale,
  model,
}: {
  zone: TextZone;
  frame: ZoneFrame;
  scale: number;
  model: EditorModel;
}) {
  const language = useContext(OwnLanguageContext);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const size = ptToMm(frame.fittedSize || zone.style.size) * scale;
  return (
    <textarea
      ref={field}
      className={css.writer}
      {...(language && { lang: language, dir: 'auto' })}
      aria-label={`Text of ${isolated(zone.name)}`}
      maxLength={MAX_TEXT_LENGTH}
      value={zone.text}
      style={{
        ...placeStyle(frame, scale),
        fontSize: Math.max(9, size),
        lineHeight: zone.style.lineHeight,
        textAlign: zone.style.align,
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        model.actOn<TextZone>(
          zone.id,
          (draft) => {
            draft.text = text;
          },
          'text',
        );
      }}
      onKeyDown={(event) => {
        breakLine(event);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        model.view({ writing: null });
      }}
      onBlur={() => model.view({ writing: null })}
    />
  );
}
