import { Badge, Button } from '@mantine/core';
import { Monitor } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { endOneSession, type ListedSession, listSessions } from '../../../data/account/session-list.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './account.module.css';

/** Sessions shown before somebody asks for all of them. */
const FIRST = 5;

const day = (time: number) => new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
const minute = (time: number) =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function Row({ session, onEnd }: { session: ListedSession; onEnd: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const { device, begunAt, usedAt, current } = session;
  const end = async () => {
    setBusy(true);
    await onEnd();
    setBusy(false);
  };
  return (
    <li>
      <Monitor size={16} aria-hidden />
      <span className={css.grow}>
        {device}{' '}
        <small>
          signed in {day(begunAt)}
          {!current && `, last used ${minute(usedAt)}`}
        </small>
      </span>
      {current ? (
        <Badge variant="light">This browser</Badge>
      ) : (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          loading={busy}
          aria-label={`Sign out ${device}, last used ${minute(usedAt)}`}
          onClick={() => void end()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

/** The browsers and devices that are logged in, and the end of each. */
export function SessionList() {
  const [sessions, setSessions] = useState<readonly ListedSession[] | 'unknown'>();
  const [failure, setFailure] = useState<string>();
  const [all, setAll] = useState(false);
  const load = useCallback(async () => {
    try {
      setSessions((await listSessions()) ?? 'unknown');
      setFailure(undefined);
    } catch (error) {
      setFailure(describeError(error));
    }
  }, []);
  useEffect(() => void load(), [load]);
  const end = async ({ id, device }: ListedSession) => {
    try {
      await endOneSession(id);
      toasts.show(`${device} is logged out.`, { type: 'success', autoCloseTime: 4_000 });
    } catch (error) {
      tellFailure(error);
    }
    await load();
  };
  if (failure) return <Problem title={failure} />;
  if (!sessions) return <Placeholder height={64} />;
  if (sessions === 'unknown') return <p>This server keeps no list of them. All can be logged out at once.</p>;
  const shown = all ? sessions : sessions.slice(0, FIRST);
  return (
    <>
      <ul className={css.factors} aria-label="Logged in">
        {shown.map((session) => (
          <Row key={session.id} session={session} onEnd={() => end(session)} />
        ))}
      </ul>
      {sessions.length > shown.length && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => setAll(true)}>
          Show all {sessions.length}
        </Button>
      )}
    </>
  );
}
