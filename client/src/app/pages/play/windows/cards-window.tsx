import { Button, SegmentedControl } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { CardChange, Follow } from '../../../../core/play/protocol/messages.ts';
import { changedCardNames, componentsOf, projectOf } from '../../../../data/play/changed-cards.ts';
import { updateTable, useListedTable } from '../../../../data/play/tables.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup } from '../../../../ui/popups/popup.tsx';
import css from '../people/people.module.css';
import type { ChangesOfTable } from './use-changes.tsx';

const FOLLOWS: Readonly<Record<Follow, readonly [label: string, words: string]>> = {
  live: ['At once', 'Changes in the project reach the table within a second.'],
  ask: ['When I say so', 'You see what changed and decide when the table gets it.'],
  frozen: ['Never', 'The cards stay as they are at this table.'],
};

/** The window in which those who lead take changes of the project's cards. */
export function CardsWindow({
  table,
  view,
  news,
  act,
  onClose,
}: ChangesOfTable & { readonly onClose: () => void }) {
  const { follow } = view.table.settings;
  const { ended } = view.table;
  const body = useRef<HTMLElement>(null);
  const choices = (Object.keys(FOLLOWS) as Follow[]).map((value) => ({
    value,
    label: FOLLOWS[value][0],
    disabled: value === 'live' && news.why !== null,
  }));
  return (
    <Popup open title="Changes of the project" width={520} onClose={onClose}>
      {ended ? (
        <p className={css.quiet}>The game has ended: its cards stay as they are.</p>
      ) : (
        <section ref={body} tabIndex={-1} className={css.follow} aria-label="Changes of the project">
          {news.trouble !== null && (
            <Problem title="The table could not take the last change">{news.trouble}</Problem>
          )}
          <div>
            <h3 className={css.heading} id="follow-label">
              Take changes to the cards
            </h3>
            <SegmentedControl
              fullWidth
              mt="xs"
              aria-labelledby="follow-label"
              value={follow}
              data={choices}
              onChange={(value) => act({ verb: 'edit', edit: { follow: { follow: value } } })}
            />
          </div>
          <p className={css.quiet}>{FOLLOWS[follow][1]}</p>
          {news.why !== null && <p className={css.quiet}>“At once” is not possible here. {news.why}</p>}
          {follow === 'ask' && news.waiting && (
            <Changes
              table={table}
              change={news.waiting}
              onTake={(hash) => {
                // The pressed button goes; without the focus in the window, Escape would not close it.
                body.current?.focus();
                act({ verb: 'update', hash });
              }}
            />
          )}
          {follow === 'ask' && news.behind && !news.waiting && (
            <Behind table={table} components={news.components} />
          )}
          {follow === 'ask' && !news.waiting && !news.behind && (
            <p className={css.quiet}>The table has the cards as the project has them now.</p>
          )}
          <p className={css.quiet}>
            A change never reveals a card: players are sent nothing about cards that they do not see. A card
            whose back no longer looks like those of its deck keeps its old back until the table is set up
            anew.
          </p>
        </section>
      )}
    </Popup>
  );
}

/** Changed cards by component; owners and editors of the project read their names. */
function Changes({
  table,
  change,
  onTake,
}: {
  table: string;
  change: CardChange;
  onTake: (hash: string) => void;
}) {
  const { data: listed } = useListedTable(table);
  const [names, setNames] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  useEffect(() => {
    let current = true;
    if (listed) {
      changedCardNames(projectOf(listed), change).then(
        (found) => current && setNames(found),
        // The numbers say enough.
        () => undefined,
      );
    }
    return () => {
      current = false;
    };
  }, [listed, change]);
  return (
    <>
      <h3 className={css.heading}>Changed since</h3>
      <ul className={css.changes} aria-label="Changed since">
        {change.components.map((one) => (
          <li key={one.id ?? one.name}>
            <strong>{one.name}</strong>
            <span>{countsOf(one)}</span>
            {one.id !== undefined && <small>{names.get(one.id)?.join(', ')}</small>}
          </li>
        ))}
        {change.layouts && (
          <li>
            <strong>Layouts</strong>
            <span>cards look different</span>
          </li>
        )}
      </ul>
      <Button onClick={() => onTake(change.hash)}>Take the changes</Button>
    </>
  );
}

function countsOf(one: CardChange['components'][number]): string {
  return [
    one.changed > 0 && `${one.changed} changed`,
    one.new > 0 && `${one.new} new`,
    one.gone > 0 && `${one.gone} gone`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The project changed, and the server cannot pack it: the browser of an owner or editor does. */
function Behind({ table, components }: { table: string; components: readonly string[] | undefined }) {
  const { data: listed } = useListedTable(table);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (components === undefined) {
    return <p className={css.quiet}>The project has changed. Its owner or an editor can take the changes.</p>;
  }
  const take = async () => {
    if (!listed) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { packProject } = await import('../../playtests/open-playtest.ts');
      const project = projectOf(listed);
      const { box } = await packProject(project, await componentsOf(project, components));
      await updateTable(table, box);
    } catch (error) {
      setFailure(describeError(error));
    }
    setBusy(false);
  };
  return (
    <>
      <p className={css.quiet}>The project has changed since the table took its cards.</p>
      {failure && <Problem title={failure} />}
      <Button loading={busy} onClick={() => void take()}>
        Take the changes
      </Button>
    </>
  );
}
