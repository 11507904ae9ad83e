import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { type PasskeyInfo, passkeys } from '../../../data/account/passkeys.ts';
import { passkeyHindrance } from '../../../data/account/passkeys-offered.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './account.module.css';
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx';

/** Most passkeys of an account, as the server has it. */
const MAX_PASSKEYS = 10;

const day = (time: string) => new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });

function history({ addedAt, usedAt }: PasskeyInfo): string {
  const added = addedAt && `added ${day(addedAt)}`;
  const used = usedAt ? `last used ${day(usedAt)}` : 'not used yet';
  return [added, used].filter(Boolean).join(', ');
}

type Doing = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyInfo };

function Rows({ list, onDo }: { list: readonly PasskeyInfo[]; onDo: (doing: Doing) => void }) {
  return (
    <div className={css.whole}>
      <ul className={css.factors} aria-label="Passkeys">
        {list.map((passkey) => (
          <li key={passkey.id}>
            <KeyRound size={16} aria-hidden />
            <span className={css.grow}>
              {passkey.name} <small>{history(passkey)}</small>
            </span>
            {(['rename', 'remove'] as const).map((what) => (
              <Button
                key={what}
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={`${what === 'rename' ? 'Rename' : 'Remove'} ${passkey.name}`}
                onClick={() => onDo({ what, passkey })}
              >
                {what === 'rename' ? 'Rename' : 'Remove'}
              </Button>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The passkeys of an account. */
export default function PasskeyRows() {
  const [list, setList] = useState<readonly PasskeyInfo[]>();
  const [failure, setFailure] = useState<string>();
  const [doing, setDoing] = useState<Doing>();
  const hindrance = passkeyHindrance();
  const load = useCallback(async () => {
    try {
      setList(await passkeys());
      setFailure(undefined);
    } catch (error) {
      setFailure(describeError(error));
    }
  }, []);
  useEffect(() => void load(), [load]);
  const done = (words: string) => {
    setDoing(undefined);
    toasts.show(words, { type: 'success', autoCloseTime: 4_000 });
    void load();
  };
  const close = () => setDoing(undefined);
  const about = (what: Doing['what']) =>
    doing?.what === what && 'passkey' in doing ? doing.passkey : undefined;
  return (
    <div className={css.row}>
      <div className={css.grow}>
        <span className={css.label}>Passkeys</span>
        {list?.length === 0 && (
          <p>None yet. A passkey signs you in with your fingerprint, face or PIN, without a password.</p>
        )}
        {list?.length === MAX_PASSKEYS && <p>You have as many as there may be. Remove one to add another.</p>}
        {hindrance && <p className={css.note}>{hindrance}</p>}
      </div>
      <Button
        variant="default"
        disabled={!list || list.length >= MAX_PASSKEYS || hindrance !== ''}
        onClick={() => setDoing({ what: 'add' })}
      >
        Add a passkey
      </Button>
      {failure && <Problem title={failure} />}
      {!list && !failure && <Placeholder height={32} />}
      {list && list.length > 0 && <Rows list={list} onDo={setDoing} />}
      <AddPasskey open={doing?.what === 'add'} onClose={close} onDone={done} />
      <RenamePasskey passkey={about('rename')} onClose={close} onDone={done} />
      <RemovePasskey passkey={about('remove')} onClose={close} onDone={done} />
    </div>
  );
}
