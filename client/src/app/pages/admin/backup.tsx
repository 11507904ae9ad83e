import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sizeWords } from '../../../data/account/plans.ts';
import { type BackupStatus, readBackup } from '../../../data/admin/admin-calls.ts';
import { ago } from '../projects/project-tile.tsx';
import css from './admin.module.css';

/** A backup this far in the future was made by a clock that was wrong, in milliseconds. */
const CLOCKS_DIFFER_MS = 10 * 60 * 1_000;

function lastWords({ last, now }: BackupStatus): string {
  if (!last) return 'There is no backup yet.';
  if (last.time > now + CLOCKS_DIFFER_MS) {
    return `The last backup is dated ${new Date(last.time).toLocaleString()}, which is in the future: the server’s clock was or is wrong`;
  }
  return `Last backup ${ago(last.time)}: ${sizeWords(last.bytes)} in ${last.place}`;
}

/** Age, size and place of the last backup; a warning when there was none for a week. */
export function BackupLine() {
  const [status, setStatus] = useState<BackupStatus>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    readBackup(null).then(setStatus, () => setFailed(true));
  }, []);
  if (failed) return <p className={css.backup}>The state of backups could not be read.</p>;
  // A server in memory keeps nothing that could be backed up.
  if (!status?.stored) return null;
  if (!status.overdue) return <p className={css.backup}>{lastWords(status)}</p>;
  return (
    <p className={css.overdue} role="alert">
      <TriangleAlert size={18} aria-hidden />
      <span>
        <strong>{lastWords(status)}</strong>
        Whoever runs this server makes one with <code>tuckbox backup DIR</code>; the section{' '}
        <code>tuckbox.backup</code> of <code>firebase.json</code> makes them regularly.
      </span>
    </p>
  );
}
