import { NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { SORTS, type Sort, type Status } from './project-list.ts';
import css from './projects.module.css';

const NAMES: Readonly<Record<Status, string>> = { active: 'Active', archived: 'Archived', trash: 'Trash' };

/** Filter and order of the project list. */
export interface Filter {
  readonly status: Status;
  readonly text: string;
  readonly tags: readonly string[];
  readonly sort: Sort;
}

/** Filters projects by status, words and tags, and sorts them. */
export function FilterBar({
  filter,
  counts,
  tags,
  onChange,
}: {
  filter: Filter;
  counts: Readonly<Record<Status, number>>;
  tags: readonly string[];
  onChange: (filter: Filter) => void;
}) {
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change });
  return (
    <search className={css.bar} aria-label="Find projects">
      <fieldset className={css.statuses} aria-label="Shelf">
        {(Object.keys(NAMES) as Status[]).map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filter.status === status}
            onClick={() => set({ status })}
          >
            {NAMES[status]} <span>{counts[status]}</span>
          </button>
        ))}
      </fieldset>
      <TextInput
        className={css.search ?? ''}
        size="sm"
        aria-label="Search projects"
        placeholder="Search names, descriptions and tags"
        leftSection={<Search size={16} aria-hidden />}
        value={filter.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <NativeSelect
        size="sm"
        aria-label="Sort by"
        value={filter.sort}
        data={SORTS.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => set({ sort: event.currentTarget.value as Sort })}
      />
      {tags.length > 0 && (
        <fieldset className={css.chips} aria-label="Tags">
          {tags.map((tag) => {
            const on = filter.tags.includes(tag);
            return (
              <button
                key={tag}
                type="button"
                aria-pressed={on}
                onClick={() =>
                  set({ tags: on ? filter.tags.filter((one) => one !== tag) : [...filter.tags, tag] })
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
