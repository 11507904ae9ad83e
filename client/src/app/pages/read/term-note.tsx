import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Definition } from '../../../core/book/schema.ts';
import { anchorOf } from './book-context.ts';
import { Inlines } from './book-inlines.tsx';
import css from './read.module.css';

/** Width of the note and its distance from the edge of the window, in CSS pixels. */
const WIDTH_PX = 320;
const MARGIN_PX = 12;

/** The definition of a term, below the place where it is used. Escape and a click elsewhere close it. */
export function TermNote({
  definition,
  at,
  back,
  onClose,
}: {
  definition: Definition;
  /** The place in the window where it is used. */
  at: DOMRect;
  /** Has the focus afterwards. */
  back: HTMLElement;
  onClose: () => void;
}) {
  const note = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const height = note.current?.offsetHeight ?? 0;
    const room = window.innerWidth - WIDTH_PX - MARGIN_PX;
    const below = at.bottom + 6;
    const fits = below + height <= window.innerHeight - MARGIN_PX;
    setPlace({
      left: Math.max(MARGIN_PX, Math.min(at.left, room)),
      top: fits ? below : Math.max(MARGIN_PX, at.top - height - 6),
    });
    note.current?.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => {
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && !note.current?.contains(event.target)) onClose();
    };
    // The note stays where it is while the text moves.
    window.addEventListener('scroll', onClose, { passive: true });
    window.addEventListener('resize', onClose);
    document.addEventListener('pointerdown', elsewhere);
    return () => {
      window.removeEventListener('scroll', onClose);
      window.removeEventListener('resize', onClose);
      document.removeEventListener('pointerdown', elsewhere);
    };
  }, [onClose]);
  const leave = () => {
    onClose();
    back.focus({ preventScroll: true });
  };
  return (
    <div
      ref={note}
      role="dialog"
      aria-label={definition.term}
      tabIndex={-1}
      className={css.note}
      style={{ ...place, maxWidth: WIDTH_PX }}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    >
      <div className={css.noteHead}>
        <strong>{definition.term}</strong>
        <button type="button" aria-label="Close" onClick={leave}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <p>
        <Inlines content={definition.content} />
      </p>
      <a href={`#${anchorOf(definition.id)}`} onClick={onClose}>
        Go to the definition
      </a>
    </div>
  );
}
