import { isolated } from '../../../core/text/names.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { offerUndo } from '../../../ui/toasts/offer-undo.ts';
import css from './brainstorm.module.css';
import { type Generator, listName, MAX_GENERATORS, MAX_LIST_NAME, renamedSlots } from './ideas.ts';
import { ListEditor } from './list-editor.tsx';
import { NewEntry } from './new-entry.tsx';
import { Sentences } from './sentences.tsx';
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
    offerUndo(`The list ${isolated(list.name)} is deleted.`, () => {
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
