import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { type LogEntry, readLog } from '../../../data/admin/admin-calls.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import css from './admin.module.css';

/** Entries the server answers at a time. */
const PAGE = 50;

/** Actions of admins, newest first. */
export function Log() {
  const [entries, setEntries] = useState<readonly LogEntry[]>();
  const [more, setMore] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const load = useCallback(async (known: readonly LogEntry[]) => {
    const before = known.at(-1)?.id;
    setBusy(true);
    setFailure(undefined);
    try {
      const { entries: found } = await readLog(before === undefined ? {} : { before });
      setEntries([...known, ...found]);
      setMore(found.length === PAGE);
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  }, []);
  useEffect(() => void load([]), [load]);
  const problem = failure !== undefined && (
    <Problem
      title={failure}
      action={
        <Button variant="default" onClick={() => void load(entries ?? [])}>
          Try again
        </Button>
      }
    />
  );
  if (!entries) {
    if (problem) return problem;
    return (
      <>
        <Loading label="Loading the log" />
        <Placeholder height={220} radius={12} />
      </>
    );
  }
  if (entries.length === 0) return <p>No admin has done anything yet.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label="Log entries">
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">Did</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, at, by, action, target }) => (
              <tr key={id}>
                <td>
                  {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
                </td>
                <td data-label="Who">{by}</td>
                <td data-label="Did">{action}</td>
                <td data-label="To">{target}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {problem}
      {more && !problem && (
        <Button variant="default" loading={busy} onClick={() => void load(entries)}>
          Show more
        </Button>
      )}
    </>
  );
}
