import { BookOpen } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import type { Edition } from '../../../core/book/edition/edition.ts';
import type { SharedVersion } from '../../../core/versions/shared-version.ts';
import { readEdition, readShare } from '../../../data/rulebooks/read-edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { PublishedPage } from '../../published/published-page.tsx';
import { usePublished } from '../../published/use-published.ts';
import { Reader } from './reader.tsx';

const VersionReader = lazy(() => import('./version/version-reader.tsx'));

type Readable =
  | { readonly published: Published; readonly edition: Edition }
  | { readonly published: Published; readonly version: SharedVersion };

async function read(link: string, signal: AbortSignal): Promise<Readable | undefined> {
  const published = await readShare(link);
  if (!published) return undefined;
  if (published.kind === 'rulebook') return { published, edition: await readEdition(published, signal) };
  const { readSharedVersion } = await import('../../../data/versions/share/read-shared.ts');
  return { published, version: await readSharedVersion(published, signal) };
}

/** `/read/{link}`: a published rulebook, or a version of a game. */
export function Component() {
  const { link = '' } = useParams();
  return <ReadPage key={link} link={link} />;
}

function ReadPage({ link }: { link: string }) {
  const found = usePublished(link, read);
  if (found.at !== 'here')
    return (
      <PublishedPage
        found={found}
        title="Published"
        thing="publication"
        icon={<BookOpen size={26} />}
        reading
      />
    );
  const { thing } = found;
  if ('edition' in thing) return <Reader {...thing} />;
  return (
    <Suspense
      fallback={
        <PublishedPage
          found={{ at: 'loading' }}
          title={thing.version.game}
          thing="version"
          icon={<BookOpen size={26} />}
        />
      }
    >
      <VersionReader {...thing} />
    </Suspense>
  );
}
