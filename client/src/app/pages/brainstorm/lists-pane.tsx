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

function Sentences({ lists }: { lists: Lists }) {
  const { sentences, change } = lists;
  const [sentence, setSentence] = useState('');
  const deleteSentence = (at: number) => {
    const gone = sentences[at] ?? '';
    void change({ sentences: sentences.toSpliced(at, 1) });
    offerUndo('The sentence is deleted.', () => {
      void change((now) => ({ sentences: now.sentences.toSpliced(at, 0, gone) }));
    });
  };
  const addSentence = () => {
    if (sentence.trim() === '') return;
    void change((now) => ({ sentences: [...now.sentences, sentence.trim()] }));
    setSentence('');
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
      <form
        className={css.row}
        onSubmit={(event) => {
          event.preventDefault();
          addSentence();
        }}
      >
        <TextInput
          aria-label="New sentence"
          placeholder="A game of {mechanism} for {length}"
          className={css.grow ?? ''}
          value={sentence}
          maxLength={MAX_SENTENCE_LENGTH}
          onChange={(event) => setSentence(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" size="md" disabled={sentences.length >= MAX_SENTENCES}>
          Add sentence
        </Button>
      </form>
    </section>
  );
}

function Generators({ lists, fromColumns }: { lists: Lists; fromColumns: boolean }) {
  const { generators, sentences, change } = lists;
  const [name, setName] = useState('');
  const isTaken = (wanted: string, but?: Generator): boolean => {
    const taken = generators.some((one) => one !== but && one.name.toLowerCase() === wanted.toLowerCase());
    if (taken) toasts.show(`There is a list called ${wanted} already.`, { type: 'warning' });
    return taken;
  };
  const addList = () => {
    const wanted = listName(name);
    if (wanted === '' || isTaken(wanted)) return;
    void change((now) => ({ generators: [...now.generators, { name: wanted, words: [] }] }));
    setName('');
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
      <form
        className={css.row}
        onSubmit={(event) => {
          event.preventDefault();
          addList();
        }}
      >
        <TextInput
          aria-label="Name of a new list"
          placeholder="hero"
          className={css.grow ?? ''}
          value={name}
          maxLength={MAX_LIST_NAME}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" size="md" disabled={generators.length >= MAX_GENERATORS}>
          Add list
        </Button>
      </form>
    </section>
  );
}
