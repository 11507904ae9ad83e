import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { LIMITS } from '../../../core/book/limits.ts';
import type { ReadBook } from '../../../core/book/markdown/read.ts';
import { SKELETONS } from '../../../core/book/skeletons.ts';
import { describeError } from '../../../data/messages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { createRulebook } from '../../../data/rulebooks/rulebooks.ts';
import { Problem } from '../../../ui/page.tsx';
import { PopupActions } from '../../../ui/popups/popup.tsx';
import { FilePick } from './file-pick.tsx';
import css from './project.module.css';

/** Beginnings that are no skeletons. */
const EMPTY = 'empty';
const MARKDOWN = 'markdown';
const FIRST_TITLE = 'Rules';
/** Largest file that is read, in bytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A rulebook as a file of Markdown says. @throws RulebookError when it cannot be one */
async function readFile(file: File): Promise<ReadBook> {
  if (file.size > MAX_FILE_BYTES) {
    throw new Error(`${file.name} has more than ${MAX_FILE_BYTES / 1024 / 1024} MB: divide it.`);
  }
  const { readMarkdown } = await import('../../../core/book/markdown/read.ts');
  return readMarkdown(await file.text());
}

/** Makes a rulebook: from nothing, a skeleton, or a file of Markdown. */
export function NewRulebook({
  project,
  order,
  onCancel,
}: {
  project: Project;
  order: number;
  onCancel: () => void;
}) {
  const navigate = useNavigate();
  const [title, setTitle] = useState(FIRST_TITLE);
  const [from, setFrom] = useState<string>(SKELETONS[0]?.id ?? EMPTY);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [file, setFile] = useState<{ readonly name: string; readonly book: ReadBook }>();
  const skeleton = SKELETONS.find(({ id }) => id === from);
  const choose = (chosen: File) => {
    setFile(undefined);
    setFailure(undefined);
    readFile(chosen).then(
      (book) => {
        setFile({ name: chosen.name, book });
        const found = book.title ?? chosen.name.replace(/\.\w+$/, '');
        // Whoever typed one while the file was read meant it.
        setTitle((now) => (now === FIRST_TITLE ? found : now));
      },
      (reason: unknown) => setFailure(`${chosen.name} cannot be read. ${describeError(reason)}`),
    );
  };
  const book = from === MARKDOWN ? file?.book : undefined;
  const make = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      // The editor's document model is not needed before.
      const { stepsOf } = await import('../../../core/book/prose/steps.ts');
      const fields = {
        title: title.trim(),
        subtitle: book?.subtitle ?? '',
        language: book?.language ?? 'en-gb',
        format: 'a5',
        style: 'chronicle',
        order,
      };
      const blocks = book?.blocks ?? skeleton?.blocks() ?? [];
      const id = await createRulebook(project, fields, blocks.length > 0 ? stepsOf(blocks) : []);
      void navigate(`/rulebook-maker/${project.id}/${id}`);
    } catch (reason) {
      setFailure(describeError(reason));
      setBusy(false);
    }
  };
  return (
    <form
      className={css.newRulebook}
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      {failure && <Problem title={failure} />}
      <TextInput
        label="Title"
        required
        data-autofocus
        autoFocus
        maxLength={LIMITS.title}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <NativeSelect
        label="Begin with"
        description={
          from === MARKDOWN ? 'The text of another program.' : (skeleton?.summary ?? 'One empty paragraph.')
        }
        value={from}
        data={[
          ...SKELETONS.map(({ id, name }) => ({ value: id, label: name })),
          { value: MARKDOWN, label: 'A file of Markdown' },
          { value: EMPTY, label: 'Nothing' },
        ]}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      {from === MARKDOWN && (
        <FilePick label="Markdown file" accept=".md,.markdown,.txt,text/markdown,text/plain" onFile={choose}>
          {file ? (
            `${file.name}: ${file.book.blocks.length} blocks`
          ) : (
            <>
              <b>Choose a file</b> of Markdown
            </>
          )}
        </FilePick>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button
          type="submit"
          data-tutorial="make-rulebook"
          loading={busy}
          disabled={title.trim() === '' || (from === MARKDOWN && !file)}
        >
          Make rulebook
        </Button>
      </PopupActions>
    </form>
  );
}
