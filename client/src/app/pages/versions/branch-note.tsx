import { GitBranch } from 'lucide-react';
import { Link } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import type { ProjectDocument, WithId } from '../../../data/documents/documents.ts';
import { openedId } from '../../../data/versions/opened.ts';
import css from './versions.module.css';

/** Says of which version of another project this one is a branch; nothing for all others. */
export function BranchNote({
  details: { id, from },
}: {
  details: Pick<WithId<ProjectDocument>, 'id' | 'from'>;
}) {
  if (!from) return null;
  const back = new URLSearchParams({ branch: id, from: from.version });
  return (
    <p className={css.branch}>
      <GitBranch size={15} aria-hidden />
      <span>
        Begun as <Link to={`/decks/${openedId(from)}`}>{from.versionName || 'a version'}</Link>
        {from.name && ` of ${isolated(from.name)}`}.{' '}
        <Link to={`/decks/${from.project}/versions?${back}`}>Bring changes back</Link>
      </span>
    </p>
  );
}
