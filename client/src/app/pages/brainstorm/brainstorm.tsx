import { Button, Textarea, TextInput } from '@mantine/core';
import { Dices, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { isOn, useSite } from '../../../data/site.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { Page } from '../../../ui/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './brainstorm.module.css';
import {
  FIRST_GENERATORS,
  FIRST_SENTENCES,
  fillSentence,
  type Generator,
  MAX_GENERATORS,
  MAX_SENTENCE_LENGTH,
  MAX_SENTENCES,
  parseWords,
  readGenerators,
} from './ideas.ts';

/** Ideas drawn last that stay in sight. */
const SHOWN = 6;

/** One's own lists and sentences, or the first ones; visitors keep theirs for as long as the page is open. */
function useLists() {
  const signedIn = useSession() !== null;
  const { userObject, save } = useUserObject();
  const [visitors, setVisitors] = useState<{
    generators: readonly Generator[];
    sentences: readonly string[];
  }>({
    generators: FIRST_GENERATORS,
    sentences: FIRST_SENTENCES,
  });
  const own = useMemo(() => {
    const generators = readGenerators(userObject.generators);
    const sentences = userObject.promptSentences.filter((one): one is string => typeof one === 'string');
    return {
      generators: generators.length > 0 ? generators : FIRST_GENERATORS,
      sentences: sentences.length > 0 ? sentences : FIRST_SENTENCES,
    };
  }, [userObject]);
  const lists = signedIn ? own : visitors;
  const change = async (next: Partial<typeof lists>) => {
    if (!signedIn) {
      setVisitors({ ...visitors, ...next });
      return;
    }
    await save({
      ...(next.generators && { generators: [...next.generators] }),
      ...(next.sentences && { promptSentences: [...next.sentences] }),
    });
  };
  return { ...lists, change, signedIn };
}

function ListEditor({
  list,
  onSave,
  onDelete,
}: {
  list: Generator;
  onSave: (list: Generator) => void;
  onDelete: () => void;
}) {
  const [editing, setEditing] = useState(false);
  const [text, setText] = useState('');
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
          aria-label={`Edit ${list.name}`}
          onClick={() => {
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
      <Textarea
        label={`Words of ${list.name}, one a line`}
        autosize
        minRows={4}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={css.row}>
        <Button
          size="xs"
          onClick={() => {
            onSave({ ...list, words: parseWords(text) });
            setEditing(false);
          }}
        >
          Keep
        </Button>
        <Button size="xs" variant="subtle" onClick={() => setEditing(false)}>
          Cancel
        </Button>
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
    </li>
  );
}

/** `/brainstorm`: ideas by chance, from lists and sentences of one's own. */
export function Component() {
  const { generators, sentences, change, signedIn } = useLists();
  const on = isOn(useSite(true), 'brainstorm');
  const [ideas, setIdeas] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const [name, setName] = useState('');
  const [sentence, setSentence] = useState('');

  const draw = () => {
    const pattern = sentences[Math.floor(Math.random() * sentences.length)] ?? '';
    const text = fillSentence(pattern, generators, Math.random);
    setIdeas([{ id: (ideas[0]?.id ?? 0) + 1, text }, ...ideas].slice(0, SHOWN));
  };
  const addList = () => {
    const wanted = name.trim().replace(/[{}]/g, '');
    if (wanted === '') return;
    if (generators.some((one) => one.name.toLowerCase() === wanted.toLowerCase())) {
      toasts.show(`There is a list called ${wanted} already.`, { type: 'warning' });
      return;
    }
    void change({ generators: [...generators, { name: wanted, words: [] }] });
    setName('');
  };
  const addSentence = () => {
    if (sentence.trim() === '') return;
    void change({ sentences: [...sentences, sentence.trim()] });
    setSentence('');
  };
  if (!on) {
    return (
      <Page title="Brainstorm">
        <p>An admin of this server has switched this page off. Your lists are kept.</p>
      </Page>
    );
  }
  return (
    <Page
      title="Brainstorm"
      lead="Half an idea is enough to begin with. Draw some, keep the one that makes you itch."
      actions={
        <Button size="md" leftSection={<Dices size={18} aria-hidden />} onClick={draw}>
          Draw an idea
        </Button>
      }
    >
      <section aria-label="Ideas" aria-live="polite" className={css.ideas}>
        {ideas.length === 0 && (
          <p className={css.none}>
            Press “Draw an idea”. Nothing is thought up by a machine: it is your words, shuffled.
          </p>
        )}
        {ideas.map(({ id, text }, i) => (
          <p key={id} className={i === 0 ? css.newest : css.idea}>
            {text}
          </p>
        ))}
      </section>
      <div className={css.columns}>
        <section>
          <h2>Sentences</h2>
          <ul className={css.lists} aria-label="Sentences">
            {sentences.map((one) => (
              <li key={one} className={css.list}>
                <p>{one}</p>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Delete sentence ${one}`}
                  disabled={sentences.length === 1}
                  onClick={() => void change({ sentences: sentences.filter((other) => other !== one) })}
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
        <section>
          <h2>Lists</h2>
          <ul className={css.lists} aria-label="Lists">
            {generators.map((list) => (
              <ListEditor
                key={list.name}
                list={list}
                onSave={(next) =>
                  void change({ generators: generators.map((one) => (one.name === next.name ? next : one)) })
                }
                onDelete={() =>
                  void change({ generators: generators.filter((one) => one.name !== list.name) })
                }
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
              maxLength={40}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" size="md" disabled={generators.length >= MAX_GENERATORS}>
              Add list
            </Button>
          </form>
        </section>
      </div>
      <p className={css.note}>
        {signedIn ? (
          'Your lists and sentences are kept with your account.'
        ) : (
          <>
            <Link to="/login?to=%2Fbrainstorm">Log in</Link> to keep your lists and sentences; without an
            account they last as long as this page is open.
          </>
        )}
      </p>
    </Page>
  );
}
