import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { describeError } from '../../../data/server/messages.ts';
import { MAX_VERSION_NAME, MAX_VERSION_NOTE } from '../../../data/versions/schema.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';

interface DescribeProps {
  readonly open: boolean;
  readonly title: string;
  /** The word on the button. */
  readonly action: string;
  readonly lead?: string;
  readonly first: { readonly name: string; readonly note: string };
  /** Names of other versions, which nobody could tell from this one. */
  readonly taken: readonly string[];
  readonly run: (name: string, note: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a version's name and note. A failure is shown in the window, which stays. */
export function DescribeWindow({ open, title, onClose, ...props }: DescribeProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Popup open={open} title={title} locked={busy} onClose={onClose}>
      <Form {...props} busy={busy} setBusy={setBusy} onClose={onClose} />
    </Popup>
  );
}

function Form({
  action,
  lead,
  first,
  taken,
  run,
  busy,
  setBusy,
  onClose,
}: Omit<DescribeProps, 'open' | 'title'> & { busy: boolean; setBusy: (busy: boolean) => void }) {
  const [name, setName] = useState(first.name);
  const [note, setNote] = useState(first.note);
  const [failure, setFailure] = useState<string>();
  const isTaken = taken.includes(name.trim());
  const isReady = name.trim() !== '' && !isTaken;
  useEffect(() => () => setBusy(false), [setBusy]);
  const submit = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await run(name, note);
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      style={{ display: 'grid', gap: 'var(--space-4)' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void submit();
      }}
    >
      {lead && <p>{lead}</p>}
      <TextInput
        label="Name"
        maxLength={MAX_VERSION_NAME}
        value={name}
        error={isTaken && 'Another version of this project has this name.'}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Note"
        placeholder="What changed, who played it, where it was printed"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_VERSION_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {failure && <Problem title={failure} />}
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={!isReady}>
          {action}
        </Button>
      </PopupActions>
    </form>
  );
}
