import { Button } from '@mantine/core';
import { Download, Wrench } from 'lucide-react';
import { useMemo, useState } from 'react';
import { shortened } from '../../core/text/cut-text.ts';
import { type Mended, mend } from '../../data/mend/mend.ts';
import { type Unreadable, writeMended } from '../../data/mend/unreadable.ts';
import { toJson } from '../../data/project/transfer/json.ts';
import { describeError } from '../../data/server/messages.ts';
import { saveFile } from '../../ui/download.ts';
import { Problem } from '../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { useLast } from '../../ui/popups/use-last.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import css from './unreadable-notices.module.css';

/** Most changes listed; the others are counted. */
const MAX_LISTED = 12;
/** Longest value shown, in characters. */
const MAX_VALUE = 120;

/** Notices of the documents that a page leaves out because they cannot be read, with the means to mend them. */
export function UnreadableNotices({
  list,
  mayEdit = true,
  like,
}: {
  list: readonly Unreadable[] | undefined;
  mayEdit?: boolean;
  /** A valid document of the kind, for parts that have no simple default. */
  like?: Readonly<Record<string, unknown>>;
}) {
  const [open, setOpen] = useState<Unreadable>();
  return (
    <>
      {list && list.length > 0 && (
        <div style={{ display: 'grid', gap: 12, marginBottom: 20 }}>
          {list.map((one) => (
            <Problem
              key={one.sentence}
              title={one.sentence}
              action={
                one.stored &&
                mayEdit && (
                  <Button size="compact-sm" variant="default" onClick={() => setOpen(one)}>
                    Look at it
                  </Button>
                )
              }
            />
          ))}
        </div>
      )}
      <MendDialog shown={open} like={like} onClose={() => setOpen(undefined)} />
    </>
  );
}

function MendDialog({
  shown,
  like,
  onClose,
}: {
  shown: Unreadable | undefined;
  like: Readonly<Record<string, unknown>> | undefined;
  onClose: () => void;
}) {
  const stored = useLast(shown)?.stored;
  const mended = useMemo(() => stored && mend(stored.schema, stored.data, like), [stored, like]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = () => {
    setFailure(undefined);
    onClose();
  };
  const write = async () => {
    if (!stored || !mended) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await writeMended(stored, mended);
      toasts.show('Mended.', { type: 'success' });
      close();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={shown !== undefined} onClose={close} title="This cannot be read" width={620}>
      {failure && <Problem title={failure} />}
      {stored && <code className={css.path}>{stored.ref.path}</code>}
      {mended ? (
        <Changes mended={mended} />
      ) : (
        <p>Too much of it is damaged to mend it here. Keep what is stored and restore it from an archive.</p>
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={close}>
          Leave it
        </Button>
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => {
            if (!stored) return;
            const text = JSON.stringify(toJson(stored.data), null, 2);
            saveFile(`${stored.ref.id}.json`, new Blob([text], { type: 'application/json' }));
          }}
        >
          Save what is stored
        </Button>
        {mended && (
          <Button leftSection={<Wrench size={16} aria-hidden />} loading={busy} onClick={() => void write()}>
            Mend it
          </Button>
        )}
      </PopupActions>
    </Popup>
  );
}

function Changes({ mended: { changes } }: { mended: Mended }) {
  const more = changes.length - MAX_LISTED;
  return (
    <>
      <p>Mending changes this, and nothing else of it:</p>
      <ul className={css.changes} aria-label="Changes">
        {changes.slice(0, MAX_LISTED).map(({ path, before, after }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <li key={at}>
            <b>{path.join(' › ')}</b>
            <span>
              <del>{valueText(before)}</del> →{' '}
              <ins>{after === undefined ? 'taken out' : valueText(after)}</ins>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
    </>
  );
}

function valueText(value: unknown): string {
  if (value === undefined) return 'missing';
  return shortened(JSON.stringify(toJson({ value }).value ?? null), MAX_VALUE);
}
