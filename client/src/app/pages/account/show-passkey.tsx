import { Button } from '@mantine/core';
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { passkeys, showPasskey } from '../../../data/account/passkeys.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useSubmit } from '../../shell/use-submit.ts';

/** Shows by a passkey who is there, where the account has one. */
export default function ShowPasskey({ onDone }: { onDone: () => void }) {
  const [has, setHas] = useState(false);
  useEffect(() => {
    let current = true;
    // Without the list there are the other ways.
    passkeys().then(
      (list) => current && setHas(list.length > 0),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, []);
  const { busy, failure, submit } = useSubmit(async () => {
    await showPasskey();
    onDone();
  });
  if (!has) return null;
  return (
    <>
      {failure && <Problem title={failure} />}
      <Button
        variant="default"
        fullWidth
        loading={busy}
        onClick={submit}
        leftSection={<Fingerprint size={16} aria-hidden />}
      >
        Use a passkey instead
      </Button>
    </>
  );
}
