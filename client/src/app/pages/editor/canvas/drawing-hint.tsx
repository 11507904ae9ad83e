import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isTyping } from '../../../../ui/commands/keys.ts';
import { addInTheMiddle } from '../commands/add.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { partOf } from '../zone-parts.ts';
import css from './canvas.module.css';

/** True in fields, dialogs and menus, which take these keys themselves. */
const isElsewhere = (target: EventTarget | null): boolean =>
  isTyping(target) ||
  (target instanceof Element && target.closest('dialog, [role=dialog], [role=menu]') !== null);

/** Says how to draw the next zone, and takes the keys that end it: Enter adds it in the middle, Escape adds none. */
export function DrawingHint({ model }: { model: EditorModel }) {
  const tool = useStore(model.store, (state) => state.tool);
  useEffect(() => {
    if (!tool) return;
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'Enter' && event.key !== 'Escape') || isElsewhere(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      model.view({ tool: null });
      if (event.key === 'Enter') addInTheMiddle(model, tool);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [model, tool]);
  return (
    <p role="status" className={css.drawingHint} hidden={!tool}>
      {tool && (
        <>
          {partOf({ kind: tool }).label}: drag to draw it, or click. <kbd>Enter</kbd> adds it in the middle,{' '}
          <kbd>Esc</kbd> cancels.
        </>
      )}
    </p>
  );
}
