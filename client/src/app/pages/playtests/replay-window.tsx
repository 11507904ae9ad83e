import { Button, Radio } from '@mantine/core';
import { Copy, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '../../../data/messages.ts';
import { closeReplay, publishReplay, replayAddress } from '../../../data/play/replays.ts';
import type { ListedTable } from '../../../data/play/tables.ts';
import { isOn, useSite } from '../../../data/site.ts';
import { copyLink } from '../../../ui/copy-link.ts';
import { Problem } from '../../../ui/page.tsx';
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
      {replay && <ReplayLink link={replay.link} />}
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

function ReplayLink({ link }: { link: string }) {
  const address = `${location.origin}${replayAddress(link)}`;
  return (
    <div className={css.link}>
      <code>{address}</code>
      <Button
        variant="default"
        leftSection={<Copy size={15} aria-hidden />}
        onClick={() => void copyLink(address)}
      >
        Copy link
      </Button>
      <Button
        component="a"
        href={replayAddress(link)}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<ExternalLink size={15} aria-hidden />}
      >
        Open
      </Button>
    </div>
  );
}
