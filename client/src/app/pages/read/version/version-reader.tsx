import { Button } from '@mantine/core';
import { ArrowLeft, BookOpen, Layers } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SharedVersion } from '../../../../core/versions/shared-version.ts';
import { setSharedImages } from '../../../../data/images/shared-images.ts';
import { readEdition } from '../../../../data/rulebooks/read-edition.ts';
import type { Published } from '../../../../data/rulebooks/shares.ts';
import { shortDay } from '../../../../ui/dates.ts';
import { EmptyState, Page } from '../../../../ui/page/page.tsx';
import { PublishedPage } from '../../../published/published-page.tsx';
import { usePublished } from '../../../published/use-published.ts';
import { useThingTitle } from '../../../shell/document-title.ts';
import { Reader } from '../reader.tsx';
import { SharedCards } from './shared-cards.tsx';
import css from './version-reader.module.css';

const OWNER = 'shared version';
/** The pictures of the version come before those of whoever looks at it. */
const FIRST_RANK = -2;

const readBook = async (file: string, signal: AbortSignal) => readEdition({ file }, signal);

/** A version of a game, for everybody who has its link: its cards, boards and rulebooks. */
export default function VersionReader({
  published,
  version,
}: {
  published: Published;
  version: SharedVersion;
}) {
  const [search] = useSearchParams();
  const book = version.rulebooks[Number(search.get('rulebook') ?? 0) - 1];
  useEffect(() => {
    setSharedImages(
      OWNER,
      version.images.map((image) => ({ ...image, rank: FIRST_RANK })),
    );
    return () => setSharedImages(OWNER, []);
  }, [version]);
  if (book) return <SharedBook key={book.file} published={published} version={version} file={book.file} />;
  return <Contents version={version} />;
}

const nameOf = ({ name, number }: SharedVersion): string => name || `Version ${number}`;

function Contents({ version }: { version: SharedVersion }) {
  const { game, at, parts, rulebooks } = version;
  const [, setSearch] = useSearchParams();
  useThingTitle(`${game}, ${nameOf(version)}`);
  const isEmpty = parts.length === 0 && rulebooks.length === 0;
  return (
    <Page title={game} lead={`${nameOf(version)}, as it was on ${shortDay(at)}.`}>
      {rulebooks.length > 0 && (
        <nav className={css.books} aria-label="Rulebooks">
          {rulebooks.map(({ title, file }, at) => (
            <Button
              key={file}
              variant="default"
              leftSection={<BookOpen size={16} aria-hidden />}
              onClick={() => setSearch({ rulebook: String(at + 1) })}
            >
              {title}
            </Button>
          ))}
        </nav>
      )}
      {isEmpty && (
        <EmptyState icon={<Layers size={26} />} title="Nothing to see in this version">
          No component of it has cards and a layout, and it has no rulebook.
        </EmptyState>
      )}
      <SharedCards version={version} />
    </Page>
  );
}

/** A rulebook of the version, with the way back to its cards. */
function SharedBook({
  published,
  version,
  file,
}: {
  published: Published;
  version: SharedVersion;
  file: string;
}) {
  const [, setSearch] = useSearchParams();
  const found = usePublished(file, readBook);
  const [back] = useState(() => () => setSearch({}));
  return (
    <>
      <div className={css.back}>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={back}
        >
          {version.game}, {nameOf(version)}
        </Button>
      </div>
      {found.at === 'here' ? (
        <Reader published={published} edition={found.thing} />
      ) : (
        <PublishedPage
          found={found}
          title="Rulebook"
          thing="rulebook"
          icon={<BookOpen size={26} />}
          reading
        />
      )}
    </>
  );
}
