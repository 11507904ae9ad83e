import { Button, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toasts } from '../../../ui/toasts/engine.ts';
import { offerUndo } from '../../../ui/toasts/offer-undo.ts';
import css from './brainstorm.module.css';
import {
  type Generator,
  listName,
  MAX_GENERATORS,
  MAX_LIST_NAME,
  MAX_SENTENCE_LENGTH,
  MAX_SENTENCES,
  renamedSlots,
} from './ideas.ts';
import { ListEditor } from './list-editor.tsx';
import type { Lists } from './use-lists.ts';

/** Sentences and lists, which are added to, changed and deleted here. */
export function ListsPane({ lists, fromColumns }: { lists: Lists; fromColumns: boolean }) {
  return (
    <div className={css.columns}>
      <Sentences lists={lists} />
      <Generators lists={lists} fromColumns={fromColumns} />
    </div>
  );
}

/** A field for one more of something. */
function NewEntry({
  label,
  placeholder,
  maxLength,
  button,
  full,
  onAdd,
}: {
  label: string;
  placeholder: string;
  maxLength: number;
  button: string;
  /** True if there is no room for more. */
  full: boolean;
  /** Answers false if the text stays in the field, because it cannot be added. */
  onAdd: (text: string) => boolean;
}) {
  const [text, setText] = useState('');
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (onAdd(text)) setText('');
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        className={css.grow ?? ''}
        value={text}
        maxLength={maxLength}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" disabled={full}>
        {button}
      </Button>
    </form>
  );
}

function Sentences({ lists }: { lists: Lists }) {
  const { sentences, change } = lists;
  const deleteSentence = (at: number) => {
    const gone = sentences[at] ?? '';
    void change({ sentences: sentences.toSpliced(at, 1) });
    offerUndo('The sentence is deleted.', () => {
      void change((now) => ({ sentences: now.sentences.toSpliced(at, 0, gone) }));
    });
  };
  const addSentence = (typed: string): boolean => {
    if (typed.trim() === '') return false;
    void change((now) => ({ sentences: [...now.sentences, typed.trim()] }));
    return true;
  };
  return (
    <section>
      <h2>Sentences</h2>
      <p className={css.help}>
        <code>{'{hero}'}</code> is a word of that list, <code>{'{red|blue}'}</code> one of these,{' '}
        <code>{'{1–6}'}</code> a number; <code>a(n)</code> becomes a or an.
      </p>
      <ul className={css.lists} aria-label="Sentences">
        {sentences.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be equal, and lines keep no state
          <li key={at} className={css.list}>
            <p>{one}</p>
            <Button
              size="xs"
              variant="subtle"
              aria-label={`Delete sentence ${one}`}
              disabled={sentences.length === 1}
              onClick={() => deleteSentence(at)}
            >
              <Trash2 size={15} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <NewEntry
        label="New sentence"
        placeholder="A game of {mechanism} for {length}"
        maxLength={MAX_SENTENCE_LENGTH}
        button="Add sentence"
        full={sentences.length >= MAX_SENTENCES}
        onAdd={addSentence}
      />
    </section>
  );
}

function Generators({ lists, fromColumns }: { lists: Lists; fromColumns: boolean }) {
  const { generators, sentences, change } = lists;
  const isTaken = (wanted: string, but?: Generator): boolean => {
    const taken = generators.some((one) => one !== but && one.name.toLowerCase() === wanted.toLowerCase());
    if (taken) toasts.show(`There is a list called ${wanted} already.`, { type: 'warning' });
    return taken;
  };
  const addList = (typed: string): boolean => {
    const wanted = listName(typed);
    if (wanted === '' || isTaken(wanted)) return false;
    void change((now) => ({ generators: [...now.generators, { name: wanted, words: [] }] }));
    return true;
  };
  const saveList = (old: Generator, next: Generator): boolean => {
    if (isTaken(next.name, old)) return false;
    // Sentences and words that have places for the list go on finding it.
    const renamed = (text: string) => renamedSlots(text, old.name, next.name);
    void change({
      generators: generators.map((one) => {
        const { name: kept, words } = one === old ? next : one;
        return { name: kept, words: words.map(renamed) };
      }),
      ...(old.name !== next.name && { sentences: sentences.map(renamed) }),
    });
    return true;
  };
  const deleteList = (list: Generator) => {
    const at = generators.indexOf(list);
    void change({ generators: generators.filter((one) => one !== list) });
    offerUndo(`The list ${list.name} is deleted.`, () => {
      void change((now) => ({ generators: now.generators.toSpliced(at, 0, list) }));
    });
  };
  return (
    <section>
      <h2>Lists</h2>
      <p className={css.help}>
        <code>oak ×3</code> comes three times as often, and words may have places too.
      </p>
      <ul className={css.lists} aria-label="Lists">
        {generators.map((list) => (
          <ListEditor
            key={list.name}
            list={list}
            onSave={(next) => saveList(list, next)}
            onDelete={() => deleteList(list)}
            fromColumns={fromColumns}
          />
        ))}
      </ul>
      <NewEntry
        label="Name of a new list"
        placeholder="hero"
        maxLength={MAX_LIST_NAME}
        button="Add list"
        full={generators.length >= MAX_GENERATORS}
        onAdd={addList}
      />
    </section>
  );
}
