import { Lock, Users } from 'lucide-react';
import { Link } from 'react-router';
import { useUser } from '../../data/account/session.ts';
import type { ProjectDocument, WithId } from '../../data/documents/documents.ts';
import { audienceOf, ONLY_YOU } from './targets.ts';
import css from './transfers.module.css';

/** Tells who sees the things of a project; without one, those of the user's library. */
export function WhoSees({
  project,
}: {
  project: Pick<WithId<ProjectDocument>, 'id' | 'name' | 'members' | 'people'> | undefined;
}) {
  const { uid } = useUser();
  const audience = audienceOf(project, uid);
  const alone = audience === ONLY_YOU;
  const Icon = alone ? Lock : Users;
  return (
    <p className={css.sees} data-sees>
      <Icon size={14} aria-hidden />
      <span>
        {audience} see these
        {!project && ': they lie in your library.'}
        {project && (
          <>
            : {!alone && 'the members of '}
            <Link to={`/decks/${project.id}`}>{project.name}</Link>
            {alone ? ' has no other members who see it.' : '.'}
          </>
        )}
      </span>
    </p>
  );
}
