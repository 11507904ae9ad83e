import { Button, TextInput } from '@mantine/core';
import { Dices, Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../data/session.ts';
import { isOn, useSite } from '../../../data/site.ts';
import { useUserObject } from '../../../data/user-object/use-user-object.ts';
import { Page } from '../../../ui/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './brainstorm.module.css';
import {
  drawIdea,
  FIRST_GENERATORS,
  FIRST_SENTENCES,
  type Generator,
  listName,
  MAX_GENERATORS,
  MAX_LIST_NAME,
  MAX_SENTENCE_LENGTH,
  MAX_SENTENCES,
  readGenerators,
  renamedSlots,
} from './ideas.ts';
import { type Idea, IdeasPane } from './ideas-pane.tsx';
import { ListEditor } from './list-editor.tsx';

/** Ideas drawn last that stay in sight, and ideas drawn at once. */
const SHOWN = 6;
const FIVE = 5;
/** Time for which a deletion can be taken back by its note, in milliseconds. */
const UNDO_MS = 10_000;

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

type Lists = Pick<ReturnType<typeof useLists>, 'generators' | 'sentences' | 'change'>;

/** Says that something is deleted, and can bring it back for a while. */
function offerUndo(words: string, undo: () => void): void {
  toasts.show(words, { autoCloseTime: UNDO_MS, actions: [{ buttonText: 'Undo', function: undo }] });
}

/** Draws ideas from lists and sentences, and draws parts of the newest again. */
function useIdeas({ generators, sentences }: Lists) {
  const [ideas, setIdeas] = useState<readonly Idea[]>([]);
  const draw = (count: number) => {
    const first = (ideas[0]?.id ?? 0) + 1;
    const drawn = Array.from({ length: count }, (_, at): Idea => {
      const sentence = sentences[Math.floor(Math.random() * sentences.length)] ?? '';
      const pieces = drawIdea(sentence, generators, Math.random);
      return { id: first + at, sentence, pieces, locked: new Set() };
    });
    setIdeas([...drawn.reverse(), ...ideas].slice(0, SHOWN));
  };
  const changeNewest = (change: (newest: Idea) => Partial<Idea>) =>
    setIdeas((all) => all.map((one, at) => (at === 0 ? { ...one, ...change(one) } : one)));
  const lock = (place: number) =>
    changeNewest(({ locked }) => ({
      locked: new Set(locked.has(place) ? [...locked].filter((one) => one !== place) : [...locked, place]),
    }));
  const redraw = () =>
    changeNewest(({ sentence, pieces, locked }) => {
      const kept = pieces.flatMap(({ place, text }) =>
        place !== null && locked.has(place) ? [[place, text] as const] : [],
      );
      return { pieces: drawIdea(sentence, generators, Math.random, new Map(kept)) };
    });
  return { ideas, draw, lock, redraw };
}

/** `/brainstorm`: ideas by chance, from lists and sentences of one's own. */
export function Component() {
  const lists = useLists();
  const { generators, sentences, change, signedIn } = lists;
  const on = isOn(useSite(true), 'brainstorm');
  const { ideas, draw, lock, redraw } = useIdeas(lists);
  // A deletion is taken back into the lists as they are by then.
  const latest = useRef(lists);
  latest.current = lists;
  const [name, setName] = useState('');
  const [sentence, setSentence] = useState('');

  const isTaken = (wanted: string, but?: Generator): boolean => {
    const taken = generators.some((one) => one !== but && one.name.toLowerCase() === wanted.toLowerCase());
    if (taken) toasts.show(`There is a list called ${wanted} already.`, { type: 'warning' });
    return taken;
  };
  const addList = () => {
    const wanted = listName(name);
    if (wanted === '' || isTaken(wanted)) return;
    void change({ generators: [...generators, { name: wanted, words: [] }] });
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
      const now = latest.current;
      void now.change({ generators: now.generators.toSpliced(at, 0, list) });
    });
  };
  const deleteSentence = (at: number) => {
    const gone = sentences[at] ?? '';
    void change({ sentences: sentences.toSpliced(at, 1) });
    offerUndo('The sentence is deleted.', () => {
      const now = latest.current;
      void now.change({ sentences: now.sentences.toSpliced(at, 0, gone) });
    });
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
        <>
          <Button size="md" variant="default" onClick={() => draw(FIVE)}>
            Draw five
          </Button>
          <Button size="md" leftSection={<Dices size={18} aria-hidden />} onClick={() => draw(1)}>
            Draw an idea
          </Button>
        </>
      }
    >
      <IdeasPane ideas={ideas} onLock={lock} onRedraw={redraw} />
      <div className={css.columns}>
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
