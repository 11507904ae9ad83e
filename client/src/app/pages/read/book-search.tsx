import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Edition } from '../../../core/book/edition/edition.ts';
import { BookSearch, MAX_HITS } from '../../../core/book/references/search.ts';
import { Unseen } from '../../../ui/page/page.tsx';
import { anchorOf } from './book-context.ts';
import css from './read.module.css';

/** Fewer letters find too much. */
const MIN_LETTERS = 2;

/** A field that searches the whole text, and what it found. */
export function SearchField({ edition }: { edition: Edition }) {
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.trim());
  const search = useMemo(() => new BookSearch(edition.book, new Map(edition.values)), [edition]);
  const hits = useMemo(
    () => (wanted.length < MIN_LETTERS ? undefined : search.find(wanted)),
    [search, wanted],
  );
  const field = useRef<HTMLInputElement>(null);
  const leave = () => setWords('');
  return (
    <search
      className={css.search}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        leave();
        field.current?.focus();
      }}
    >
      <Search size={16} aria-hidden />
      <input
        ref={field}
        type="search"
        aria-label="Search the rules"
        placeholder="Search the rules"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Unseen>
        <span role="status">{hits && (hits.length === 0 ? 'Nothing found' : `${hits.length} found`)}</span>
      </Unseen>
      {hits && (
        <div className={css.hits}>
          {hits.length === 0 && <p>Nothing has these words.</p>}
          <ul aria-label="Found">
            {hits.map(({ block, heading, before, found, after }) => (
              <li key={block}>
                <a href={`#${anchorOf(block)}`} onClick={leave}>
                  {heading && <strong>{heading}</strong>}
                  <span>
                    {before}
                    <mark>{found}</mark>
                    {after}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {hits.length === MAX_HITS && <p>More was found: another word finds less.</p>}
        </div>
      )}
    </search>
  );
}
