import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { closeReplay, publishReplay, replayAddress } from '../../../data/play/replays.ts';
import type { ListedTable } from '../../../data/play/tables.ts';
import { describeError } from '../../../data/server/messages.ts';
import { isOn, useSite } from '../../../data/site/site.ts';
import { PublicLink } from '../../../ui/copy/copyable.tsx';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './playtests.module.css';

/** The public link of a game that has ended. */
export function ReplayWindow({ table, onClose }: { table: ListedTable | undefined; onClose: () => void }) {
  return (
    <Popup open={table !== undefined} onClose={onClose} title="Replay by link" width={540}>
      {table && <Publish key={table.id} table={table} onClose={onClose} />}
    </Popup>
  );
}

function Publish({ table: { id, replay }, onClose }: { table: ListedTable; onClose: () => void }) {
  const on = isOn(useSite(true), 'sharing');
  const [hands, setHands] = useState(replay?.hands ?? false);
  const [busy, setBusy] = useState<'publish' | 'close'>();
  const [failure, setFailure] = useState<string>();
  const run = async (what: 'publish' | 'close') => {
    setBusy(what);
    setFailure(undefined);
    try {
      await (what === 'publish' ? publishReplay(id, hands) : closeReplay(id));
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(undefined);
    }
  };
  if (!on) return <p>An admin of this server has switched sharing off: nothing is published while it is.</p>;
  return (
    <>
      {failure && <Problem title={failure} />}
      <p className={css.lead}>
        Whoever has the link sees the game act by act, without an account. Players are called by their
        letters.
      </p>
      <Radio.Group
        label="What it shows"
        value={hands ? 'hands' : 'table'}
        onChange={(value) => setHands(value === 'hands')}
        mb="md"
      >
        <Radio
          mt="xs"
          value="table"
          label="What observers saw"
          description="Hands, decks and whatever else lay hidden from them stay hidden."
        />
        <Radio
          mt="xs"
          value="hands"
          label="What each seat saw"
          description="All hands, and every shuffle and roll with the seed: anybody can check that chance was fair."
        />
      </Radio.Group>
      {replay && (
        <div className={css.link}>
          <PublicLink path={replayAddress(replay.link)} />
        </div>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        {replay && (
          <Button
            variant="default"
            loading={busy === 'close'}
            disabled={busy === 'publish'}
            onClick={() => void run('close')}
          >
            Stop publishing
          </Button>
        )}
        <Button
          loading={busy === 'publish'}
          disabled={busy === 'close' || (replay !== undefined && replay.hands === hands)}
          onClick={() => void run('publish')}
        >
          {replay ? 'Publish again' : 'Publish'}
        </Button>
      </PopupActions>
    </>
  );
}
