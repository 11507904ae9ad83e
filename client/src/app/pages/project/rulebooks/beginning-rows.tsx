import { Checkbox, NativeSelect } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import {
  blocksOfRows,
  type RowChoice,
  suggestedColumns,
} from '../../../../core/book/beginnings/from-rows.ts';
import type { Component, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { useCards, useComponents } from '../../../../data/project/queries.ts';
import type { Beginning } from '../../../../data/rulebooks/beginning.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { useSettledCards } from '../../../../data/table/formula/use-computed-cards.ts';
import { Loading, Problem } from '../../../../ui/page/page.tsx';
import css from './beginning.module.css';

const HEADINGS = new Set(['text', 'number', 'formula', 'list']);
const TEXTS = new Set(['text', 'formula', 'image']);

/** Chooses a component whose rows become sections, and the columns with their headings and texts. */
export function BeginningRows({
  project,
  onRead,
}: {
  project: Project;
  /** Called with the rows as text, and with nothing while there is none. */
  onRead: (read: Beginning | undefined) => void;
}) {
  const { data, error } = useComponents(project);
  const components = useMemo(() => {
    const all = data?.items.filter(({ columns }) => columns.some(({ type }) => TEXTS.has(type)));
    const first = (one: Component) => (one.kind === 'documents' ? 0 : 1);
    return all && [...all].sort((a, b) => first(a) - first(b));
  }, [data]);
  const [chosen, setChosen] = useState<string>();
  if (error) return <Problem title={describeError(error)} />;
  if (!components) return <Loading label="Loading the components" />;
  const component = components.find(({ id }) => id === chosen) ?? components[0];
  if (!component) {
    return (
      <Problem title="No component has a column of text.">
        Add one to the project, or begin with something else.
      </Problem>
    );
  }
  return (
    <>
      <NativeSelect
        label="Component"
        value={component.id}
        data={components.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Rows key={component.id} project={project} component={component} onRead={onRead} />
    </>
  );
}

function Rows({
  project,
  component,
  onRead,
}: {
  project: Project;
  component: WithId<Component>;
  onRead: (read: Beginning | undefined) => void;
}) {
  const { columns, name } = component;
  const { data, error } = useCards(project, component.id);
  const computed = useSettledCards(data?.items, component);
  const [choice, setChoice] = useState<RowChoice>(() => suggestedColumns(columns));
  const cards = computed?.settled ? computed.cards : undefined;
  const blocks = useMemo(() => cards && blocksOfRows(cards, columns, choice), [cards, columns, choice]);
  useEffect(() => {
    const read = blocks && blocks.length > 0 ? { title: name, blocks } : undefined;
    onRead(read && { ...read, from: name, pictures: [], losses: [] });
  }, [blocks, name, onRead]);
  if (error) return <Problem title={describeError(error)} />;
  const texts = columns.filter(({ type, key }) => TEXTS.has(type) && key !== choice.heading);
  const toggle = (key: string) =>
    setChoice({
      ...choice,
      texts: choice.texts.includes(key) ? choice.texts.filter((one) => one !== key) : [...choice.texts, key],
    });
  return (
    <>
      <NativeSelect
        label="Headings from"
        value={choice.heading}
        data={[
          ...columns
            .filter(({ type }) => HEADINGS.has(type))
            .map((column) => ({ value: column.key, label: column.name })),
          { value: '', label: 'No headings' },
        ]}
        onChange={(event) => {
          const heading = event.currentTarget.value;
          setChoice({ ...choice, heading, texts: choice.texts.filter((key) => key !== heading) });
        }}
      />
      {choice.heading !== '' && (
        <NativeSelect
          label="Each row is"
          value={`${choice.level}`}
          data={[
            { value: '1', label: 'a chapter' },
            { value: '2', label: 'a section' },
          ]}
          onChange={(event) => setChoice({ ...choice, level: event.currentTarget.value === '2' ? 2 : 1 })}
        />
      )}
      <fieldset className={css.columns}>
        <legend>Texts and pictures from</legend>
        {texts.map(({ key, name: label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={choice.texts.includes(key)}
            onChange={() => toggle(key)}
          />
        ))}
      </fieldset>
      <p role="status">
        {!blocks
          ? 'Loading the rows…'
          : blocks.length === 0
            ? 'There is nothing in these columns.'
            : `${cards?.length} ${cards?.length === 1 ? 'row' : 'rows'}, in their order.`}
      </p>
    </>
  );
}
