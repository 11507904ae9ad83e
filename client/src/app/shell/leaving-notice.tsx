import { Button } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import {
  type Leaving,
  leaveUnsaved,
  leavingNow,
  observeLeaving,
  saveAndLeave,
} from '../../data/account/unsaved-work.ts';
import css from './shell.module.css';

const ENDS: Readonly<Record<Leaving['end'], string>> = {
  elsewhere: 'You were logged out in another window.',
  ended: 'Your session has ended.',
};

/** Stands over a page whose session has ended while something on it is not saved. */
export function LeavingNotice() {
  const leaving = useSyncExternalStore(observeLeaving, leavingNow);
  if (!leaving) return null;
  return (
    <div className={`${css.notice} ${css.leaving}`} role="alert">
      <LogOut size={15} aria-hidden />
      <span>
        {ENDS[leaving.end]}{' '}
        {leaving.saving
          ? 'Saving what you changed here…'
          : 'What you changed here is not saved yet: log in again, and it will be.'}
      </span>
      {!leaving.saving && (
        <div className={css.ways}>
          <Button component="a" href="/login" target="_blank" size="compact-sm">
            Log in
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => void saveAndLeave()}>
            Try to save
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={leaveUnsaved}>
            Leave without saving
          </Button>
        </div>
      )}
    </div>
  );
}
