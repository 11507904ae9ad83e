import { NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import css from './decks.module.css';
import { type Shelf, SORTS, type Sort } from './shelf.ts';

const NAMES: Readonly<Record<Shelf, string>> = { active: 'Active', archived: 'Archived', trash: 'Trash' };

/** What of the projects is looked at, and in which order. */
export interface Looking {
  readonly shelf: Shelf;
  readonly text: string;
  readonly tags: readonly string[];
  readonly sort: Sort;
}

/** Finds projects by shelf, words and tags, and sorts them. */
export function ShelfBar({
  looking,
  counts,
  tags,
  onChange,
}: {
  looking: Looking;
  counts: Readonly<Record<Shelf, number>>;
  tags: readonly string[];
  onChange: (looking: Looking) => void;
}) {
  const set = (change: Partial<Looking>) => onChange({ ...looking, ...change });
  return (
    <search className={css.bar} aria-label="Find projects">
      <fieldset className={css.shelves} aria-label="Shelf">
        {(Object.keys(NAMES) as Shelf[]).map((shelf) => (
          <button
            key={shelf}
            type="button"
            aria-pressed={looking.shelf === shelf}
            onClick={() => set({ shelf })}
          >
            {NAMES[shelf]} <span>{counts[shelf]}</span>
          </button>
        ))}
      </fieldset>
      <TextInput
        className={css.search ?? ''}
        size="sm"
        aria-label="Search projects"
        placeholder="Search names, descriptions and tags"
        leftSection={<Search size={16} aria-hidden />}
        value={looking.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <NativeSelect
        size="sm"
        aria-label="Sort by"
        value={looking.sort}
        data={SORTS.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => set({ sort: event.currentTarget.value as Sort })}
      />
      {tags.length > 0 && (
        <fieldset className={css.chips} aria-label="Tags">
          {tags.map((tag) => {
            const on = looking.tags.includes(tag);
            return (
              <button
                key={tag}
                type="button"
                aria-pressed={on}
                onClick={() =>
                  set({ tags: on ? looking.tags.filter((one) => one !== tag) : [...looking.tags, tag] })
                }
              >
                {tag}
              </button>
            );
          })}
        </fieldset>
      )}
    </search>
  );
}
