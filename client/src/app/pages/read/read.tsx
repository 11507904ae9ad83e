import { BookOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import type { Edition } from '../../../core/book/edition.ts';
import { describeError } from '../../../data/messages.ts';
import { readEdition, readShare } from '../../../data/rulebooks/read-edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { Reader } from './reader.tsx';

type Found =
  | { readonly at: 'loading' | 'nothing' }
  | { readonly at: 'failed'; readonly why: string }
  | { readonly at: 'here'; readonly published: Published; readonly edition: Edition };

function usePublished(link: string): Found {
  const [found, setFound] = useState<Found>({ at: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<Found> => {
      const published = await readShare(link);
      if (!published) return { at: 'nothing' };
      return { at: 'here', published, edition: await readEdition(published, abort.signal) };
    };
    read()
      .catch((error: unknown): Found => ({ at: 'failed', why: describeError(error) }))
      .then((next) => {
        if (!abort.signal.aborted) setFound(next);
      });
    return () => abort.abort();
  }, [link]);
  return found;
}

/** `/read/{link}`: a published rulebook. */
export function Component() {
  const { link = '' } = useParams();
  return <ReadPage key={link} link={link} />;
}

function ReadPage({ link }: { link: string }) {
  const found = usePublished(link);
  switch (found.at) {
    case 'here':
      return <Reader published={found.published} edition={found.edition} />;
    case 'failed':
      return (
        <Page title="Rulebook" reading>
          <Problem title="The rulebook cannot be shown.">{found.why}</Problem>
        </Page>
      );
    case 'nothing':
      return (
        <Page title="Rulebook" reading>
          <EmptyState icon={<BookOpen size={26} />} title="Nothing is published here">
            The link may be incomplete, or whoever published the rulebook has closed it. Ask them for the
            link.
          </EmptyState>
        </Page>
      );
    default:
      return (
        <Page title="Rulebook" reading>
          <Loading label="Loading the rulebook" />
          <Placeholder height={420} radius={16} />
        </Page>
      );
  }
}
