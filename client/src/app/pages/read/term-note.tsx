import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Definition } from '../../../core/book/document/schema.ts';
import { anchorOf } from './book-context.ts';
import { Inlines } from './book-inlines.tsx';
import css from './read.module.css';

/** Width of the note and its distance from the edge of the window, in CSS pixels. */
const WIDTH_PX = 320;
const MARGIN_PX = 12;

/**
 * The definition of a term, below the place where it is used. It moves with the text, and closes with Escape, with a
 * click elsewhere and when the place leaves the window.
 */
export function TermNote({
  definition,
  use,
  onClose,
}: {
  definition: Definition;
  /** The place where it is used, which has the focus afterwards. */
  use: HTMLElement;
  onClose: () => void;
}) {
  const note = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    setPlace(placeOf(use.getBoundingClientRect(), note.current?.offsetHeight ?? 0));
    note.current?.focus({ preventScroll: true });
  }, [use]);
  useEffect(() => {
    const follow = () => {
      const at = use.getBoundingClientRect();
      if (at.bottom < 0 || at.top > window.innerHeight) onClose();
      else setPlace(placeOf(at, note.current?.offsetHeight ?? 0));
    };
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && !note.current?.contains(event.target)) onClose();
    };
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    document.addEventListener('pointerdown', elsewhere);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
      document.removeEventListener('pointerdown', elsewhere);
    };
  }, [use, onClose]);
  const leave = () => {
    onClose();
    use.focus({ preventScroll: true });
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

/** Place of a note beside a place in the window: below it, or above where there is no room. */
function placeOf(use: DOMRect, height: number): { left: number; top: number } {
  const room = window.innerWidth - WIDTH_PX - MARGIN_PX;
  const below = use.bottom + 6;
  const fits = below + height <= window.innerHeight - MARGIN_PX;
  return {
    left: Math.max(MARGIN_PX, Math.min(use.left, room)),
    top: fits ? below : Math.max(MARGIN_PX, use.top - height - 6),
  };
}
