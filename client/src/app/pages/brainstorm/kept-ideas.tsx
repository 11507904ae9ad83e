import { Button, Textarea } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { FolderPlus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { cutText } from '../../../core/text/cut-text.ts';
import { useUser } from '../../../data/account/session.ts';
import { MAX_NAME_LENGTH } from '../../../data/documents/documents.ts';
import {
  forgetIdea,
  type KeptIdea,
  keepAgain,
  MAX_IDEA_NOTE,
  MAX_IDEAS,
  noteOnIdea,
  useKeptIdeas,
} from '../../../data/ideas.ts';
import { describeError } from '../../../data/server/messages.ts';
import { queryClient } from '../../../data/server/query-client.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { offerUndo } from '../../../ui/toasts/offer-undo.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './brainstorm.module.css';

/** Words of an idea that name the project it begins. */
const NAME_WORDS = 6;

/** A project's first name, from the words of its idea. */
const nameFrom = (idea: string): string =>
  cutText(
    idea
      .split(/\s+/)
      .slice(0, NAME_WORDS)
      .join(' ')
      .replace(/[.,;:]+$/, ''),
    MAX_NAME_LENGTH,
  );

/** Makes a project that begins with the idea among its notes; answers its id. */
async function startProject({ text, note }: KeptIdea): Promise<string> {
  const [contents, notes, { openOwnProject }] = await Promise.all([
    import('../../../data/project/project-contents.ts'),
    import('../../../data/project/notes.ts'),
    import('../../../data/project/open-project.ts'),
  ]);
  const id = await contents.createProject({
    name: nameFrom(text),
    description: text,
    tags: [],
    coverColor: contents.COVER_COLORS[0],
    cover: 'colour',
  });
  await notes.saveNotes(openOwnProject(id), `## The idea\n\n${[text, note].filter(Boolean).join('\n\n')}\n`);
  return id;
}

/** Ideas that are kept with the account: each can have a note, and begin a project. */
export function KeptIdeas(props: { onCount: (count: number) => void }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Ideas {...props} />
    </QueryClientProvider>
  );
}

function Ideas({ onCount }: { onCount: (count: number) => void }) {
  const { data, error } = useKeptIdeas(useUser().uid);
  const count = data?.items.length ?? 0;
  useEffect(() => onCount(count), [count, onCount]);
  const ideas = data && [...data.items].sort((a, b) => b.createdAt - a.createdAt);
  if (ideas?.length === 0) return null;
  return (
    <section aria-label="Kept ideas" className={css.kept}>
      <h2>Kept ideas</h2>
      {error && <Problem title={describeError(error)} />}
      {!ideas && !error && <Placeholder height={80} radius={12} />}
      <ul className={css.lists}>
        {ideas?.map((idea) => (
          <Kept key={idea.id} idea={idea} />
        ))}
      </ul>
      {ideas && ideas.length >= MAX_IDEAS && (
        <p className={css.note}>These are {MAX_IDEAS}, and no more are kept: delete some to keep others.</p>
      )}
    </section>
  );
}

function Kept({ idea }: { idea: KeptIdea }) {
  const navigate = useNavigate();
  const [note, setNote] = useState<string>();
  const [starting, setStarting] = useState(false);
  const save = () => {
    if (note !== undefined && note !== idea.note) noteOnIdea(idea.id, note).catch(tellFailure);
    setNote(undefined);
  };
  const start = async () => {
    setStarting(true);
    try {
      void navigate(`/decks/${await startProject(idea)}`);
    } catch (error) {
      tellFailure(error);
      setStarting(false);
    }
  };
  const forget = () => {
    forgetIdea(idea.id).then(
      () => offerUndo('The idea is deleted.', () => void keepAgain(idea).catch(tellFailure)),
      tellFailure,
    );
  };
  return (
    <li className={css.keptIdea}>
      <p>{idea.text}</p>
      <Textarea
        aria-label={`Note on “${idea.text}”`}
        placeholder="A note"
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_IDEA_NOTE}
        value={note ?? idea.note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={save}
      />
      <div className={css.row}>
        <Button
          size="xs"
          variant="default"
          loading={starting}
          leftSection={<FolderPlus size={14} aria-hidden />}
          onClick={() => void start()}
        >
          Start a project
        </Button>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Delete idea ${idea.text}`}
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={forget}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}
