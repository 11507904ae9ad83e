import { History, ListTree, Printer } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Definition } from '../../../core/book/document/schema.ts';
import type { Edition, Picture } from '../../../core/book/edition/edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { shortDay } from '../../../ui/dates.ts';
import { scrollToHash } from '../../../ui/page/scroll-to-hash.ts';
import { Popup } from '../../../ui/popups/popup.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { Blocks } from './book-blocks.tsx';
import { Book, bookContext } from './book-context.ts';
import { SearchField } from './book-search.tsx';
import { ChangesWindow, capitalised, editionName } from './changes-window.tsx';
import { LanguageChoice, useEditionLanguage } from './edition-language.tsx';
import { ContentsList } from './live-blocks.tsx';
import css from './read.module.css';
import { TermNote } from './term-note.tsx';

/** A term whose definition is shown; see `TermNote`. */
interface OpenTerm {
  readonly definition: Definition;
  readonly use: HTMLElement;
}

/** A published rulebook, for everybody who has its link. */
export function Reader({ published, edition: whole }: { published: Published; edition: Edition }) {
  const { edition, choices, language, choose } = useEditionLanguage(whole);
  const { book } = edition;
  useThingTitle(book.title);
  const [card, setCard] = useState<Picture>();
  const [term, setTerm] = useState<OpenTerm>();
  const [changes, setChanges] = useState(false);
  const context = useMemo(
    () =>
      bookContext(edition, {
        onCard: setCard,
        onTerm: (definition, use) =>
          setTerm((open) => ({
            definition,
            // Of a term in a note, that note is gone afterwards.
            use: open && use.closest('[role="dialog"]') ? open.use : use,
          })),
      }),
    [edition],
  );
  const noTerm = useCallback(() => setTerm(undefined), []);
  useEffect(() => scrollToHash(location.hash), []);
  // A text of thousands of blocks is made once, not whenever a window opens.
  const text = useMemo(() => <Blocks blocks={book.blocks} />, [book]);
  return (
    <Book value={context}>
      <main className={css.reader} lang={book.language}>
        <div className={css.bar} lang="en">
          <ContentsMenu />
          <SearchField edition={edition} />
          {choices.length > 1 && <LanguageChoice choices={choices} language={language} onChoose={choose} />}
          {published.before && (
            <button type="button" className={css.tool} onClick={() => setChanges(true)}>
              <History size={16} aria-hidden /> <span>What changed</span>
            </button>
          )}
          <button type="button" className={css.tool} onClick={() => window.print()}>
            <Printer size={16} aria-hidden /> <span>Print</span>
          </button>
        </div>
        <nav className={css.side} aria-label="Contents">
          <ContentsList />
        </nav>
        <article className={css.book}>
          <header>
            <h1>{book.title}</h1>
            {book.subtitle && <p className={css.subtitle}>{book.subtitle}</p>}
            <p className={css.imprint} lang="en">
              {capitalised(editionName(edition))}
              {edition.gameVersion && ` of ${edition.gameVersion}`}, {shortDay(edition.at)}
            </p>
          </header>
          {text}
        </article>
        {term && <TermNote key={term.definition.id} {...term} onClose={noTerm} />}
      </main>
      <Popup
        open={card !== undefined}
        onClose={() => setCard(undefined)}
        title={card?.name ?? 'Card'}
        width={520}
      >
        {card && (
          <img className={css.large} src={card.address} alt={card.alt} width={card.w} height={card.h} />
        )}
      </Popup>
      {published.before && (
        <ChangesWindow
          open={changes}
          edition={whole}
          before={published.before}
          onClose={() => setChanges(false)}
        />
      )}
    </Book>
  );
}

/** The contents, where there is no room for them beside the text. */
function ContentsMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className={css.menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary className={css.tool}>
        <ListTree size={16} aria-hidden /> <span>Contents</span>
      </summary>
      <nav aria-label="Contents">
        <ContentsList onChoose={close} />
      </nav>
    </details>
  );
}
