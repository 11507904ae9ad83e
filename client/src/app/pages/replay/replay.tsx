import { Film } from 'lucide-react';
import { useParams } from 'react-router';
import { readReplay } from '../../../data/play/replays.ts';
import { PublishedPage } from '../../published/published-page.tsx';
import { usePublished } from '../../published/use-published.ts';
import { useThingTitle } from '../../shell/document-title.ts';
import { ReplayScreen } from './replay-screen.tsx';

/** `/replay/{link}`: a game that has ended, act by act. */
export function Component() {
  const { link = '' } = useParams();
  return <ReplayPage key={link} link={link} />;
}

function ReplayPage({ link }: { link: string }) {
  const found = usePublished(link, readReplay);
  useThingTitle(found.at === 'here' ? found.thing.name : undefined);
  if (found.at === 'here') return <ReplayScreen replay={found.thing} link={link} />;
  return <PublishedPage found={found} title="Replay" thing="replay" icon={<Film size={26} />} />;
}
