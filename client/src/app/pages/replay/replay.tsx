import { Film } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import type { Replay } from '../../../core/play/replay.ts';
import { describeError } from '../../../data/messages.ts';
import { readReplay } from '../../../data/play/replays.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { ReplayScreen } from './replay-screen.tsx';

type Found =
  | { readonly at: 'loading' | 'nothing' }
  | { readonly at: 'failed'; readonly why: string }
  | { readonly at: 'here'; readonly replay: Replay };

function useReplay(link: string): Found {
  const [found, setFound] = useState<Found>({ at: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    readReplay(link, abort.signal)
      .then((replay): Found => (replay ? { at: 'here', replay } : { at: 'nothing' }))
      .catch((error: unknown): Found => ({ at: 'failed', why: describeError(error) }))
      .then((next) => {
        if (!abort.signal.aborted) setFound(next);
      });
    return () => abort.abort();
  }, [link]);
  return found;
}

/** `/replay/{link}`: a game that has ended, act by act. */
export function Component() {
  const { link = '' } = useParams();
  return <ReplayPage key={link} link={link} />;
}

function ReplayPage({ link }: { link: string }) {
  const found = useReplay(link);
  useThingTitle(found.at === 'here' ? found.replay.name : undefined);
  switch (found.at) {
    case 'here':
      return <ReplayScreen replay={found.replay} link={link} />;
    case 'failed':
      return (
        <Page title="Replay">
          <Problem title="The replay cannot be shown.">{found.why}</Problem>
        </Page>
      );
    case 'nothing':
      return (
        <Page title="Replay">
          <EmptyState icon={<Film size={26} />} title="Nothing is published here">
            The link may be incomplete, or whoever published the game has closed it. Ask them for the link.
          </EmptyState>
        </Page>
      );
    default:
      return (
        <Page title="Replay">
          <Loading label="Loading the replay" />
          <Placeholder height={420} radius={16} />
        </Page>
      );
  }
}
