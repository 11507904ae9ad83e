import type { EditorState } from 'prosemirror-state';
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { VERSION_EVERY } from '../../../../core/book/prose/versions.ts';
import { guardUnsaved } from '../../../../data/account/unsaved-work.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { projectSteps } from '../../../../data/rulebooks/step-store.ts';
import type { RulebookText } from '../../../../data/rulebooks/stored-text.ts';
import type { Base, SkippedStep } from '../../../../data/rulebooks/sync.ts';
import { keepVersion } from '../../../../data/rulebooks/versions.ts';
import type { CardTexts } from './example-cards.ts';
import { type EditorHost, RulebookEditor } from './rulebook-editor.ts';

/** The editor of one rulebook, as it is now. */
export interface UsedEditor {
  readonly editor: RulebookEditor;
  readonly state: EditorState;
  readonly skipped: readonly SkippedStep[];
  /** Reason for which the steps of others no longer come. */
  readonly lost: Error | undefined;
}

/**
 * Makes the editor of a rulebook in its place and keeps it in step with what is stored.
 * @param host its windows as they are now
 * @param cardTexts always the same function
 */
export function useRulebookEditor(
  project: Project,
  rulebook: string,
  text: RulebookText,
  place: RefObject<HTMLElement | null>,
  host: RefObject<EditorHost>,
  cardTexts: CardTexts,
): UsedEditor {
  const [editor] = useState(() => {
    // Should it fail, whoever opens the rulebook next keeps one.
    const keep = (base: Base) => void keepVersion(project, rulebook, base).catch(() => undefined);
    if (host.current.editable && text.number - text.from >= VERSION_EVERY) keep(text);
    return new RulebookEditor(projectSteps(project, rulebook), text, crypto.randomUUID(), keep, cardTexts);
  });
  const state = useSyncExternalStore(editor.subscribe, editor.snapshot);
  const skipped = useSyncExternalStore(editor.sync.subscribe, editor.sync.skipped);
  const [lost, setLost] = useState<Error>();
  useEffect(() => {
    if (!place.current) return;
    const unmount = editor.mount(place.current, () => host.current);
    editor.sync.start(setLost);
    const unguard = guardUnsaved({
      isUnsaved: () => editor.sync.snapshot() !== 'saved',
      save: () => editor.sync.whenSaved(),
    });
    const again = () => void editor.sync.flush();
    window.addEventListener('online', again);
    return () => {
      unguard();
      window.removeEventListener('online', again);
      void editor.sync.flush().finally(() => editor.sync.stop());
      unmount();
    };
  }, [editor, place, host]);
  return { editor, state, skipped, lost };
}
