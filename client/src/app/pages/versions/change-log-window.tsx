import { Button, Textarea } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { BlockChange } from '../../../core/book/comparison/compare.ts';
import { changeLog } from '../../../core/versions/change-log.ts';
import type { Difference } from '../../../core/versions/difference.ts';
import type { StoredChange } from '../../../core/versions/stored-change.ts';
import { describeError } from '../../../data/server/messages.ts';
import { copyText } from '../../../ui/copy/copy-link.ts';
import { Loading, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './comparison.module.css';
import type { Compared } from './comparison-context.ts';

interface LogProps {
  readonly difference: Difference;
  readonly states: Compared;
  readonly onClose: () => void;
}

/** The changes as a text for players, to be edited and copied. */
export function ChangeLogWindow({ open, ...props }: LogProps & { open: boolean }) {
  return (
    <Popup open={open} onClose={props.onClose} title="Change log" width={760}>
      <Log {...props} />
    </Popup>
  );
}

/** The blocks of each rulebook whose text changed. */
async function readBlocks(
  changes: readonly StoredChange[],
  rulebooks: readonly string[],
): Promise<ReadonlyMap<string, readonly BlockChange[]>> {
  if (rulebooks.length === 0) return new Map();
  // The editor's document model comes along only for rulebooks.
  const { compareTexts } = await import('../../../data/versions/rulebook-texts.ts');
  return new Map(
    await Promise.all(rulebooks.map(async (id) => [id, await compareTexts(changes, id)] as const)),
  );
}

function Log({ difference, states, onClose }: LogProps) {
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<string>();
  // Made once: what is edited stays although somebody goes on working.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    let stale = false;
    const title = `Changes from ${states.labels[0]} to ${states.labels[1]}`;
    const changed = difference.rulebooks.flatMap(({ id, text, change }) =>
      text && change !== 'added' && change !== 'removed' ? [id] : [],
    );
    readBlocks(states.changes, changed).then(
      (blocks) => {
        if (!stale) setText(changeLog(title, difference, blocks));
      },
      (error: unknown) => {
        if (stale) return;
        setFailure(`The texts of the rulebooks could not be read, and are left out. ${describeError(error)}`);
        setText(changeLog(title, difference));
      },
    );
    return () => {
      stale = true;
    };
  }, []);
  return (
    <div className={css.log}>
      {failure && <Problem title={failure} />}
      {text === undefined ? (
        <>
          <Loading label="Writing the log" />
          <Placeholder height={320} />
        </>
      ) : (
        <Textarea
          label="For players"
          description="Edit it as you like; it is not kept."
          autosize
          minRows={12}
          maxRows={24}
          value={text}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        <Button
          disabled={text === undefined}
          leftSection={<Copy size={16} aria-hidden />}
          onClick={() => void copyText(text ?? '', 'change log')}
        >
          Copy
        </Button>
      </PopupActions>
    </div>
  );
}
