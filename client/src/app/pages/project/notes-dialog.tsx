import { Button, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { edits } from '../../../data/project/members.ts';
import { MAX_NOTES_LENGTH, saveNotes, useNotes } from '../../../data/project/notes.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { Prose } from '../../prose/prose.tsx';
import css from './project.module.css';
import { useRole } from './project-gate.tsx';

/** Notes on a project: read by everyone who sees it, written by those who may change it. */
export function NotesDialog({
  open,
  project,
  onClose,
}: {
  open: boolean;
  project: Project;
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Notes" width={760}>
      <Notes project={project} onClose={onClose} />
    </Popup>
  );
}

function Notes({ project, onClose }: { project: Project; onClose: () => void }) {
  const { data, error } = useNotes(project);
  const mayEdit = edits(useRole());
  const stored = data === undefined ? undefined : (data?.text ?? '');
  /** Text being written, and the stored text it started from. */
  const [draft, setDraft] = useState<{ text: string; base: string }>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // Nothing to read: begin to write.
    if (stored === '' && mayEdit) setDraft((known) => known ?? { text: '', base: '' });
  }, [stored, mayEdit]);
  const overtaken = draft !== undefined && stored !== undefined && stored !== draft.base;
  const save = async () => {
    if (!draft) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await saveNotes(project, draft.text);
      setDraft(undefined);
      if (draft.text === '') onClose();
    } catch (reason) {
      setFailure(describeError(reason));
    } finally {
      setBusy(false);
    }
  };
  if (error) return <Problem title={describeError(error)} />;
  if (stored === undefined) return <Placeholder height={240} radius={10} />;
  return (
    <>
      {failure && <Problem title={failure} />}
      {draft ? (
        <>
          {overtaken && (
            <Problem title="Somebody has changed the notes while you wrote.">
              Saving puts yours in their place. Copy yours and cancel to see theirs.
            </Problem>
          )}
          <Textarea
            label="Notes of this project"
            data-autofocus
            description="## heading, - list, 1. list, **strong**, *emphasis*, [text](address)"
            autosize
            minRows={12}
            maxRows={24}
            maxLength={MAX_NOTES_LENGTH}
            value={draft.text}
            onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
          />
        </>
      ) : stored === '' ? (
        <p className={css.quiet}>Nothing is written yet.</p>
      ) : (
        <Prose source={stored} />
      )}
      <PopupActions>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => (draft && stored !== '' ? setDraft(undefined) : onClose())}
        >
          {draft ? 'Cancel' : 'Close'}
        </Button>
        {draft ? (
          <Button loading={busy} disabled={draft.text === stored} onClick={() => void save()}>
            {overtaken ? 'Save over theirs' : 'Save'}
          </Button>
        ) : (
          mayEdit && (
            <Button variant="default" onClick={() => setDraft({ text: stored, base: stored })}>
              Edit
            </Button>
          )
        )}
      </PopupActions>
    </>
  );
}
