import { BookOpen } from 'lucide-react';
import { useParams } from 'react-router';
import type { Edition } from '../../../core/book/edition/edition.ts';
import { readEdition, readShare } from '../../../data/rulebooks/read-edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { PublishedPage } from '../../published/published-page.tsx';
import { usePublished } from '../../published/use-published.ts';
import { Reader } from './reader.tsx';

async function read(
  link: string,
  signal: AbortSignal,
): Promise<{ published: Published; edition: Edition } | undefined> {
  const published = await readShare(link);
  return published && { published, edition: await readEdition(published, signal) };
}

/** `/read/{link}`: a published rulebook. */
export function Component() {
  const { link = '' } = useParams();
  return <ReadPage key={link} link={link} />;
}

function ReadPage({ link }: { link: string }) {
  const found = usePublished(link, read);
  if (found.at === 'here') return <Reader {...found.thing} />;
  return (
    <PublishedPage found={found} title="Rulebook" thing="rulebook" icon={<BookOpen size={26} />} reading />
  );
}
