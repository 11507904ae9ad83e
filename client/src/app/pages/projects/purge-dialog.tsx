import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import type { ProjectDocument, WithId } from '../../../data/documents/documents.ts';
import { purge } from '../../../data/project/projects.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';

/** Asks before projects go for good. */
export function PurgeDialog({
  projects,
  onClose,
}: {
  projects: readonly WithId<ProjectDocument>[] | undefined;
  onClose: () => void;
}) {
  const shown = useRef(projects);
  if (projects) shown.current = projects;
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (projects) setFailure(undefined);
  }, [projects]);
  const list = shown.current ?? [];
  const [first] = list;
  const what = list.length === 1 && first ? `“${isolated(first.name)}”` : `${list.length} projects`;
  const remove = async () => {
    if (!projects) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await purge(projects);
      toasts.show(`${what} ${list.length === 1 ? 'is' : 'are'} deleted.`, { type: 'success' });
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup
      open={projects !== undefined}
      onClose={onClose}
      title={list.length === 1 ? 'Delete this project for good?' : 'Empty the trash?'}
    >
      {failure && <Problem title={failure} />}
      <p>
        <strong>{what}</strong> {list.length === 1 ? 'goes' : 'go'} with all components, cards, layouts,
        notes, comments and the files of its exports: tables that show pictures stored here lose them. Copy
        layouts that you want to keep to your library before. This cannot be undone.
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep {list.length === 1 ? 'it' : 'them'}
        </Button>
        <Button color={DANGER} loading={busy} onClick={() => void remove()}>
          Delete for good
        </Button>
      </PopupActions>
    </Popup>
  );
}
