import { Button } from '@mantine/core';
import { History } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { saveUnsaved } from '../../data/account/unsaved-work.ts';
import { historyGuard } from '../../data/server/history.ts';
import css from './shell.module.css';

const never = () => () => undefined;
const no = () => false;

/** Stands over a page whose documents are not those of the server any more. */
export function RestoredNotice() {
  const guard = historyGuard();
  const other = useSyncExternalStore(guard?.subscribe ?? never, guard?.isOther ?? no);
  const [saving, setSaving] = useState(false);
  const [failed, setFailed] = useState(false);
  if (!guard || !other) return null;
  const save = async () => {
    guard.accept();
    setSaving(true);
    const saved = await saveUnsaved();
    setSaving(false);
    setFailed(!saved);
    if (saved) location.reload();
  };
  return (
    <div className={`${css.notice} ${css.leaving}`} role="alert">
      <History size={15} aria-hidden />
      <span>
        {failed
          ? 'What you changed here could not be saved: its place may be gone. Copy what you need before you load the page anew.'
          : 'The server was restored from a backup: this page may show what is gone there, and saves nothing until you say so.'}
      </span>
      <div className={css.ways}>
        <Button size="compact-sm" loading={saving} onClick={() => void save()}>
          Save and load anew
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          Load without saving
        </Button>
      </div>
    </div>
  );
}
