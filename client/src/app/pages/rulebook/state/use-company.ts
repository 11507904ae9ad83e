import type { EditorState } from 'prosemirror-state';
import { useEffect, useMemo, useState } from 'react';
import { useRulebookComments } from '../../../../data/cards/comments.ts';
import type { Presence, Remark, WithId } from '../../../../data/documents/documents.ts';
import { usePresence } from '../../../../data/presence/use-presence.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { cursorOf } from './marks.ts';
import type { RulebookEditor } from './rulebook-editor.ts';

/** Others at a rulebook, and the things they said about it. */
export interface Company {
  readonly peers: readonly WithId<Presence>[];
  /** `undefined` while they are loaded. */
  readonly comments: readonly WithId<Remark>[] | undefined;
  readonly error: Error | null;
}

/** Tells others where the cursor is, and shows theirs and the commented blocks in the text. */
export function useCompany(
  project: Project,
  rulebook: string,
  editor: RulebookEditor,
  state: EditorState,
): Company {
  const [peers, setPeers] = useState<readonly WithId<Presence>[]>([]);
  const { data, error } = useRulebookComments(project, rulebook);
  usePresence(project, { kind: 'rulebook', id: rulebook }, cursorOf(state), setPeers);
  const comments = data?.items;
  const commented = useMemo(
    () => new Set(comments?.filter(({ resolved }) => !resolved).map(({ block }) => block)),
    [comments],
  );
  useEffect(() => editor.mark({ peers, commented }), [editor, peers, commented]);
  return { peers, comments, error };
}
