import { Button, Textarea, TextInput } from '@mantine/core';
import { Pencil, Table2, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import css from './brainstorm.module.css';
import { type Generator, listName, MAX_LIST_NAME, parseWords } from './ideas.ts';

/** Reads tables, which few want: not in the page that everybody loads. */
const WordsFromColumn = lazy(async () => ({
  default: (await import('./column-window.tsx')).WordsFromColumn,
}));

/** A list of words, and the fields in which it is changed. */
export function ListEditor({
  list,
  onSave,
  onDelete,
  fromColumns,
}: {
  list: Generator;
  /** Answers false if the list cannot be called so. */
  onSave: (list: Generator) => boolean;
  onDelete: () => void;
  /** True if words can be taken from projects. */
  fromColumns: boolean;
}) {
  const [editing, setEditing] = useState(false);
  const [name, setName] = useState(list.name);
  const [text, setText] = useState('');
  const [picking, setPicking] = useState(false);
  if (!editing) {
    return (
      <li className={css.list}>
        <div>
          <code>{`{${list.name}}`}</code>
          <p>{list.words.join(' · ')}</p>
        </div>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Edit ${isolated(list.name)}`}
          onClick={() => {
            setName(list.name);
            setText(list.words.join('\n'));
            setEditing(true);
          }}
        >
          <Pencil size={15} aria-hidden />
        </Button>
      </li>
    );
  }
  return (
    <li className={css.editor}>
      <TextInput
        label="Name of the list"
        maxLength={MAX_LIST_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={`Words of ${isolated(list.name)}, one per line`}
        autosize
        minRows={4}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={css.row}>
        <Button
          size="xs"
          disabled={listName(name) === ''}
          onClick={() => {
            if (onSave({ name: listName(name), words: parseWords(text) })) setEditing(false);
          }}
        >
          Keep
        </Button>
        <Button size="xs" variant="subtle" onClick={() => setEditing(false)}>
          Cancel
        </Button>
        {fromColumns && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<Table2 size={14} aria-hidden />}
            onClick={() => setPicking(true)}
          >
            From a column…
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="var(--bad)"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={onDelete}
        >
          Delete list
        </Button>
      </div>
      {picking && (
        <Suspense fallback={null}>
          <WordsFromColumn
            onWords={(words) => {
              const known = parseWords(text);
              setText([...known, ...words.filter((word) => !known.includes(word))].join('\n'));
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </li>
  );
}
