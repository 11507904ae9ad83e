import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { plainText } from '../../../core/imposition/job/card-name.ts';
import { cellAt } from '../../../core/records.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { isolated } from '../../../core/text/names.ts';
import { useUser } from '../../../data/account/session.ts';
import type { Component as CardsComponent, WithId } from '../../../data/documents/documents.ts';
import { edits, roleOf, sees } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { useCards, useComponents, useJoinedProjects, useOpened } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { queryClient } from '../../../data/server/query-client.ts';
import { appendRows, MAX_APPENDED } from '../../../data/table/changes/append-rows.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { useAttempt } from '../../use-attempt.ts';
import { projectChoices } from '../projects/project-list.ts';
import { drawIdea, type Generator, ideaText, MAX_WORD_LENGTH, MAX_WORDS } from './ideas.ts';

/** Rows that are drawn unless another number is chosen. */
const FIRST_ROWS = 10;

/** A column of a project's table. */
interface Picked {
  readonly project: Project;
  readonly component: WithId<CardsComponent>;
  readonly column: string;
}

/** Chooses a project, one of its components and a column of it. */
function ColumnPick(props: {
  /** True if only tables that one may change are offered. */
  toWrite: boolean;
  children: (picked: Picked) => ReactNode;
}) {
  return (
    <QueryClientProvider client={queryClient}>
      <Choices {...props} />
    </QueryClientProvider>
  );
}

function Choices({ toWrite, children }: ComponentProps<typeof ColumnPick>) {
  const { uid } = useUser();
  const { data, error } = useJoinedProjects();
  const projects = data?.items.filter((one) => {
    const role = roleOf(one, uid);
    return one.trashedAt === 0 && (toWrite ? edits(role) : sees(role));
  });
  const [projectId, setProject] = useState('');
  const project = useOpened(projects?.find(({ id }) => id === projectId) ?? projects?.[0]);
  const { data: components, error: componentsError } = useComponents(project);
  const [componentId, setComponent] = useState('');
  const component = components?.items.find(({ id }) => id === componentId) ?? components?.items[0];
  const [columnKey, setColumn] = useState('');
  const columns = component?.columns.filter(({ type }) => type === 'text' || type === 'list') ?? [];
  const column = columns.find(({ key }) => key === columnKey) ?? columns[0];
  const failure = error ?? componentsError;
  if (failure) return <Problem title={describeError(failure)} />;
  if (!projects || (project && !components)) return <Loading label="Loading projects" />;
  if (!project) return <p>There is no project {toWrite ? 'whose tables you may change' : 'yet'}.</p>;
  return (
    <>
      <NativeSelect
        label="Project"
        value={project.id}
        data={projectChoices(projects)}
        onChange={(event) => setProject(event.currentTarget.value)}
      />
      {component ? (
        <NativeSelect
          label="Component"
          value={component.id}
          data={components?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          onChange={(event) => setComponent(event.currentTarget.value)}
        />
      ) : (
        <p>This project has no component yet.</p>
      )}
      {component && !column && <p>This component has no column of texts.</p>}
      {component && column && (
        <>
          <NativeSelect
            label="Column"
            value={column.key}
            data={columns.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={(event) => setColumn(event.currentTarget.value)}
          />
          {children({ project, component, column: column.key })}
        </>
      )}
    </>
  );
}

/** The different words of a column, for a list. */
export function WordsFromColumn({
  onWords,
  onClose,
}: {
  onWords: (words: readonly string[]) => void;
  onClose: () => void;
}) {
  return (
    <Popup open title="Words from a column" onClose={onClose}>
      <ColumnPick toWrite={false}>{(picked) => <ColumnWords picked={picked} onWords={onWords} />}</ColumnPick>
    </Popup>
  );
}

function ColumnWords({
  picked: { project, component, column },
  onWords,
}: {
  picked: Picked;
  onWords: (words: readonly string[]) => void;
}) {
  const { data, error } = useCards(project, component.id);
  const words = useMemo(() => {
    const texts = data?.items.map(({ cells }) => cutText(plainText(cellAt(cells, column)), MAX_WORD_LENGTH));
    return texts && [...new Set(texts.filter((text) => text !== ''))];
  }, [data, column]);
  if (error) return <Problem title={describeError(error)} />;
  if (!words) return <Loading label="Loading cards" />;
  return (
    <>
      <p role="status">
        {words.length === 0 && 'No card has anything in this column.'}
        {words.length > 0 && `${words.length} different ${words.length === 1 ? 'word' : 'words'}`}
        {words.length > MAX_WORDS && `, of which a list takes ${MAX_WORDS}`}
      </p>
      <PopupActions>
        <Button disabled={words.length === 0} onClick={() => onWords(words.slice(0, MAX_WORDS))}>
          Take them
        </Button>
      </PopupActions>
    </>
  );
}

/** Draws words, or whole sentences, into new rows of a component. */
export function DrawIntoRows({
  generators,
  sentences,
  onClose,
}: {
  generators: readonly Generator[];
  sentences: readonly string[];
  onClose: () => void;
}) {
  const [source, setSource] = useState(`{${generators[0]?.name ?? ''}}`);
  const [count, setCount] = useState(FIRST_ROWS);
  const { busy, failure, attempt } = useAttempt();
  const draw = async ({ project, component, column }: Picked) => {
    await attempt(async () => {
      await appendRows(
        project,
        component,
        drawMany(source, count, generators).map((text) => ({ [column]: text })),
      );
      toasts.show(`${count} ${count === 1 ? 'row' : 'rows'} more in ${isolated(component.name)}.`, {
        type: 'success',
      });
      onClose();
    });
  };
  return (
    <Popup open title="Draw into rows" onClose={onClose}>
      <NativeSelect
        label="Draw"
        value={source}
        data={[
          {
            group: 'Words of a list',
            items: generators.map(({ name }) => ({ value: `{${name}}`, label: name })),
          },
          { group: 'Sentences', items: [...new Set(sentences)].map((one) => ({ value: one, label: one })) },
        ]}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      <NumberInput
        label="New rows"
        min={1}
        max={MAX_APPENDED}
        allowDecimal={false}
        clampBehavior="strict"
        value={count}
        onChange={(value) => setCount(Math.max(1, Number(value) || 1))}
      />
      <ColumnPick toWrite>
        {(picked) => (
          <PopupActions>
            {failure && <Problem title={failure} />}
            <Button loading={busy} onClick={() => void draw(picked)}>
              Draw {count} {count === 1 ? 'row' : 'rows'}
            </Button>
          </PopupActions>
        )}
      </ColumnPick>
    </Popup>
  );
}

/** A list of ten words has no eleventh: after so many tries a text may come again. */
const TRIES = 30;

/** Draws so many texts; none comes twice while others are easily found. */
function drawMany(source: string, count: number, generators: readonly Generator[]): readonly string[] {
  const drawn: string[] = [];
  const seen = new Set<string>();
  while (drawn.length < count) {
    let text = '';
    for (let tries = 0; tries < TRIES; tries++) {
      text = ideaText(drawIdea(source, generators, Math.random));
      if (!seen.has(text)) break;
    }
    seen.add(text);
    drawn.push(text);
  }
  return drawn;
}
