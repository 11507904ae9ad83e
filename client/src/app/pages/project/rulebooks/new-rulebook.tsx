import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useCallback, useRef, useState } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router';
import { SKELETONS } from '../../../../core/book/beginnings/skeletons.ts';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { type Beginning, picturesWords, withPictures } from '../../../../data/rulebooks/beginning.ts';
import { createRulebook, deleteRulebook } from '../../../../data/rulebooks/rulebooks.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { PopupActions } from '../../../../ui/popups/popup.tsx';
import { offerUndo } from '../../../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';
import { useAttempt } from '../../../use-attempt.ts';
import css from '../project.module.css';
import { BeginningFile } from './beginning-file.tsx';
import { BeginningRows } from './beginning-rows.tsx';

/** Beginnings that are no skeletons. */
const EMPTY = 'empty';
const FIRST_TITLE = 'Rules';
const OTHERS: Readonly<Record<string, { readonly label: string; readonly words: string }>> = {
  markdown: { label: 'A file of Markdown', words: 'The text of another program.' },
  word: { label: 'A Word document', words: 'Text, tables and pictures of a .docx file.' },
  rows: { label: 'A component of the project', words: 'Each row of its table becomes a section.' },
};

/** Makes a rulebook of a text, opens it, and answers what else could not be taken over. */
async function makeRulebook(
  project: Project,
  fields: { readonly title: string; readonly order: number },
  read: Beginning | undefined,
  skeleton: Beginning['blocks'],
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<{ readonly id: string; readonly losses: readonly string[] }> {
  // The editor's document model is not needed before.
  const { stepsOf } = await import('../../../../core/book/prose/steps.ts');
  const { blocks, losses } = read
    ? await withPictures(project, read, { signal, onProgress })
    : { blocks: skeleton, losses: [] };
  signal.throwIfAborted();
  const { subtitle = '', language = 'en-gb' } = read ?? {};
  const head = { ...fields, subtitle, language, format: 'a5', style: 'chronicle' };
  const id = await createRulebook(project, head, blocks.length > 0 ? stepsOf(blocks) : []);
  return { id, losses };
}

/** Offers to take a rulebook back that was made of something else. */
function offerToTakeBack(project: Project, id: string, title: string, navigate: NavigateFunction): void {
  offerUndo(`${title} is made.`, () => {
    deleteRulebook(project, { id, link: '' }, Date.now()).then(
      () => void navigate(`/decks/${project.id}`),
      tellFailure,
    );
  });
}

/** Makes a rulebook: from nothing, a skeleton, a file, or the rows of a component. */
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
  const { busy, failure, attempt, cancel } = useAttempt();
  const [progress, setProgress] = useState<string>();
  const [read, setRead] = useState<Beginning>();
  /** The title that nobody typed. */
  const suggested = useRef(FIRST_TITLE);
  const skeleton = SKELETONS.find(({ id }) => id === from);
  const other = OTHERS[from];
  const take = useCallback((next: Beginning | undefined) => {
    setRead(next);
    if (!next) return;
    const found = next.title ?? next.from.replace(/\.\w+$/, '');
    const wanted = found.slice(0, LIMITS.title);
    const before = suggested.current;
    suggested.current = wanted;
    // Whoever typed one while the file was read meant it.
    setTitle((now) => (now === before ? wanted : now));
  }, []);
  const make = async () => {
    const given = other ? read : undefined;
    setProgress(undefined);
    await attempt(async (signal) => {
      const wanted = { title: title.trim(), order };
      const blocks = skeleton?.blocks() ?? [];
      const { id, losses } = await makeRulebook(project, wanted, given, blocks, signal, (done, all) =>
        setProgress(picturesWords(done, all)),
      );
      const state = given && losses.length > 0 ? { imported: { from: given.from, losses } } : null;
      void navigate(`/rulebook-maker/${project.id}/${id}`, { state });
      if (given) offerToTakeBack(project, id, wanted.title, navigate);
    });
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
        description={other?.words ?? skeleton?.summary ?? 'One empty paragraph.'}
        value={from}
        data={[
          ...SKELETONS.map(({ id, name }) => ({ value: id, label: name })),
          ...Object.entries(OTHERS).map(([value, { label }]) => ({ value, label })),
          { value: EMPTY, label: 'Nothing' },
        ]}
        onChange={(event) => {
          setFrom(event.currentTarget.value);
          setRead(undefined);
        }}
      />
      <fieldset className={css.plain} disabled={busy}>
        {from === 'markdown' && (
          <BeginningFile
            key={from}
            label="Markdown file"
            accept=".md,.markdown,.txt,text/markdown,text/plain"
            kind="a Markdown file"
            onRead={take}
          />
        )}
        {from === 'word' && (
          <BeginningFile
            key={from}
            label="Word document"
            accept=".docx"
            kind="a Word document (.docx)"
            onRead={take}
          />
        )}
        {from === 'rows' && <BeginningRows project={project} onRead={take} />}
      </fieldset>
      {busy && progress && <p role="status">{progress}</p>}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={busy ? cancel : onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          data-tutorial="make-rulebook"
          loading={busy}
          disabled={title.trim() === '' || (other !== undefined && !read)}
        >
          Make rulebook
        </Button>
      </PopupActions>
    </form>
  );
}
