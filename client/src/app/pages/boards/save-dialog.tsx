import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import type { Draft } from '../../../data/boards/drafts.ts';
import { NAMELESS, projectForBoard, saveBoard } from '../../../data/boards/save-draft.ts';
import { editorAddress } from '../../../data/project/layout-address.ts';
import { edits, roleOf } from '../../../data/project/members.ts';
import { openProject, type Project } from '../../../data/project/open-project.ts';
import { useJoinedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';

/** Choice of a new project; ids of projects are never empty. */
const NEW = '';

/** Asks which project a board goes to. It leaves the browser's own boards once the project has it. */
export function SaveDialog({
  open,
  name,
  read,
  onClose,
  onSaving,
  onSaved,
}: {
  open: boolean;
  name: string;
  /** The board as it is now. */
  read: () => Promise<Draft>;
  onClose: () => void;
  /** Told as saving begins, and when it has failed: meanwhile the board leaves the browser. */
  onSaving: (saving: boolean) => void;
  /** @param to address of the board's editor in its project */
  onSaved: (to: string) => Promise<void>;
}) {
  const { uid } = useUser();
  const { data } = useJoinedProjects();
  const [chosen, setChosen] = useState(NEW);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const fresh = useRef<Project>(undefined);
  useEffect(() => {
    if (open) setFailure(undefined);
  }, [open]);
  const projects = (data?.items ?? []).filter((one) => one.trashedAt === 0 && edits(roleOf(one, uid)));
  const target = projects.find(({ id }) => id === chosen);

  const save = async () => {
    setBusy(true);
    onSaving(true);
    setFailure(undefined);
    try {
      const draft = await read();
      // A second try uses the project that the first one made.
      const own = target ? undefined : (fresh.current ?? (await projectForBoard(name.trim() || NAMELESS)));
      fresh.current = own ?? fresh.current;
      const project = target ? openProject(target) : own;
      if (!project) return;
      const { component, layout } = await saveBoard(project, draft);
      toasts.show(
        `${isolated(name) || 'The board'} is in ${target ? isolated(target.name) : 'a project of its own'}.`,
        {
          type: 'success',
        },
      );
      await onSaved(editorAddress(project.segment(layout), component));
    } catch (reason) {
      setFailure(describeError(reason));
      setBusy(false);
      onSaving(false);
    }
  };
  return (
    <Popup open={open} onClose={onClose} locked={busy} title="Save to a project">
      {failure && <Problem title={failure}>The board is still in this browser.</Problem>}
      <NativeSelect
        label="Project"
        description="The board becomes a component of it, and its pictures become images of it."
        value={target ? chosen : NEW}
        data={[
          { value: NEW, label: `A new project, ${name.trim() || NAMELESS}` },
          ...projects.map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void save()}>
          Save
        </Button>
      </PopupActions>
    </Popup>
  );
}
