import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod';
import type { Block } from '../../../../core/book/document/schema.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import {
  type Beginning,
  picturesWords,
  TEXT_FILES,
  withPictures,
} from '../../../../data/rulebooks/beginning.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import { Losses } from '../../project/import/losses.tsx';
import { BeginningFile } from '../../project/rulebooks/beginning-file.tsx';
import { withText } from '../commands/insert-text.ts';
import css from '../rulebook.module.css';
import type { RulebookEditor } from '../state/rulebook-editor.ts';

/** A text that came in: its source, and the sentences about its losses. */
interface Imported {
  readonly from: string;
  readonly losses: readonly string[];
}

/** State of the address when the rulebook was just made of something else. */
const openedWith = z.object({
  imported: z.object({ from: z.string(), losses: z.array(z.string()) }),
});

/** Inserts the text of a file below the cursor, and says what of a text could not be taken over. */
export function FileWindow({
  open,
  project,
  editor,
  onClose,
}: {
  open: boolean;
  project: Project;
  editor: RulebookEditor;
  onClose: () => void;
}) {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  // It stays while its window closes.
  const [imported, setImported] = useState<Imported | undefined>(
    () => openedWith.safeParse(state).data?.imported,
  );
  const [reporting, setReporting] = useState(imported !== undefined);
  useEffect(() => {
    // Whoever loads the page again has read it.
    if (state !== null) void navigate(pathname, { replace: true, state: null });
  }, [state, pathname, navigate]);
  return (
    <>
      <Popup open={open} onClose={onClose} title="Text of a file" width={520}>
        <InsertFile
          project={project}
          editor={editor}
          onCancel={onClose}
          onRead={(blocks, from, losses) => {
            editor.dispatch(withText(editor.state, blocks));
            onClose();
            if (losses.length === 0) return;
            setImported({ from, losses });
            setReporting(true);
          }}
        />
      </Popup>
      <Popup open={reporting} onClose={() => setReporting(false)} title="The text was inserted" width={520}>
        {imported && <Report {...imported} editor={editor} onClose={() => setReporting(false)} />}
      </Popup>
    </>
  );
}

/** Only once a window is gone does the text take the cursor. */
function useTextAfterwards(editor: RulebookEditor): void {
  useEffect(() => () => editor.view?.focus(), [editor]);
}

function Report({
  from,
  losses,
  editor,
  onClose,
}: Imported & { readonly editor: RulebookEditor; readonly onClose: () => void }) {
  useTextAfterwards(editor);
  return (
    <>
      <Losses of={from} losses={losses} />
      <PopupActions>
        <Button data-autofocus onClick={onClose}>
          Go on
        </Button>
      </PopupActions>
    </>
  );
}

function InsertFile({
  project,
  editor,
  onCancel,
  onRead,
}: {
  project: Project;
  editor: RulebookEditor;
  onCancel: () => void;
  onRead: (blocks: readonly Block[], from: string, losses: readonly string[]) => void;
}) {
  useTextAfterwards(editor);
  const [read, setRead] = useState<Beginning>();
  const { busy, failure, attempt, cancel } = useAttempt();
  const [progress, setProgress] = useState<string>();
  const insert = async () => {
    if (!read) return;
    setProgress(undefined);
    await attempt(async (signal) => {
      const { blocks, losses } = await withPictures(project, read, {
        signal,
        onProgress: (done, all) => setProgress(picturesWords(done, all)),
      });
      const title = read.title?.trim() ?? '';
      const head: Block[] =
        title === ''
          ? []
          : [{ type: 'heading', id: 'title', level: 1, content: [{ type: 'text', text: title }] }];
      onRead([...head, ...blocks], read.from, losses);
    });
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void insert();
      }}
    >
      {failure && <Problem title={failure} />}
      <BeginningFile
        label="Word document or Markdown"
        accept={TEXT_FILES}
        kind="a Word document (.docx) or a Markdown file"
        onRead={setRead}
      />
      <p className={css.quiet}>
        It comes below the block that the cursor is in. One undo takes it back; its pictures stay among the
        project’s images.
      </p>
      {busy && progress && <p role="status">{progress}</p>}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={busy ? cancel : onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={!read}>
          Insert
        </Button>
      </PopupActions>
    </form>
  );
}
