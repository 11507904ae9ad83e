import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { exportMyData } from '../../../data/account/account.ts';
import type { SessionUser } from '../../../data/account/session.ts';
import { saveFile } from '../../../ui/download.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './account.module.css';
import { DeleteRow } from './delete-account.tsx';

/** Getting one's data out, and getting out oneself. */
export function DataRows({ user }: { user: SessionUser }) {
  const [busy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const run = async () => {
    setBusy(true);
    setCount(0);
    try {
      const text = await exportMyData(setCount);
      saveFile(`tuckbox-${user.email}.json`, new Blob([text], { type: 'application/json' }));
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={css.sheet} aria-label="Your data">
      <h2>Your data</h2>
      <div className={css.row}>
        <p className={css.grow}>
          The account and every document of yours, as one JSON file. Pictures come along in a project’s
          archive.
          <span role="status"> {busy && `${count} documents so far`}</span>
        </p>
        <Button
          variant="default"
          loading={busy}
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => void run()}
        >
          Export my data
        </Button>
      </div>
      <DeleteRow user={user} />
    </section>
  );
}
