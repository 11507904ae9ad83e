import { useEffect, useMemo, useState } from 'react';
import { compareBlocks } from '../../../core/book/comparison/compare.ts';
import type { Edition } from '../../../core/book/edition/edition.ts';
import { readEdition } from '../../../data/rulebooks/read-edition.ts';
import type { Published } from '../../../data/rulebooks/shares.ts';
import { describeError } from '../../../data/server/messages.ts';
import { shortDay } from '../../../ui/dates.ts';
import { Loading, Problem } from '../../../ui/page/page.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import { BlockChanges } from '../../books/block-changes.tsx';
import { anchorOf } from './book-context.ts';

type Before = NonNullable<Published['before']>;

export const editionName = ({ number, name }: Pick<Edition, 'number' | 'name'>): string =>
  name || `edition ${number}`;

export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Differences between a published text and the edition before it. */
export function ChangesWindow({
  open,
  edition,
  before,
  onClose,
}: {
  open: boolean;
  edition: Edition;
  before: Before;
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title={`Changed since ${editionName(before)}`} width={720}>
      <Changes edition={edition} before={before} onClose={onClose} />
    </Popup>
  );
}

function Changes({ edition, before, onClose }: { edition: Edition; before: Before; onClose: () => void }) {
  const [old, setOld] = useState<Edition>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    readEdition(before, abort.signal).then(setOld, (error: unknown) => {
      if (!abort.signal.aborted) setFailure(describeError(error));
    });
    return () => abort.abort();
  }, [before]);
  const changes = useMemo(
    () =>
      old &&
      compareBlocks(old.book.blocks, edition.book.blocks, {
        before: new Map(old.values),
        after: new Map(edition.values),
      }),
    [old, edition],
  );
  if (failure) return <Problem title="The edition before is no longer there.">{failure}</Problem>;
  if (!changes) return <Loading label="Comparing" />;
  return (
    <>
      <p>
        {capitalised(editionName(before))} was published on {shortDay(before.at)}, this one on{' '}
        {shortDay(edition.at)}.
      </p>
      <BlockChanges
        changes={changes}
        none="Nothing in the text: only what it shows of the project may have changed."
        onBlock={(block) => {
          onClose();
          location.hash = anchorOf(block);
        }}
      />
    </>
  );
}
