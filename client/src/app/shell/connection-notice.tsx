import { type ConnectionState, connectionState, onConnectionState } from '@sdk/connection';
import { CloudOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { getDb } from '../../data/server/database.ts';
import css from './shell.module.css';

/** A stream lost for less than this long is not worth a word, in milliseconds. */
const PATIENCE_MS = 2_500;

const subscribe = (callback: () => void) => onConnectionState(getDb(), callback);
const snapshot = (): ConnectionState => connectionState(getDb());

/** Says when what is shown may be out of date. */
export function ConnectionNotice() {
  const state = useSyncExternalStore(subscribe, snapshot);
  const [late, setLate] = useState(false);
  const down = state === 'offline' || (late && state === 'connecting');
  useEffect(() => {
    if (!down) {
      setLate(false);
      return;
    }
    const id = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(id);
  }, [down]);
  if (!down || !late) return null;
  return (
    <div className={css.notice} role="status">
      <CloudOff size={15} aria-hidden />
      No connection to the server. Trying again; what you see may be out of date.
    </div>
  );
}
