import { Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { describeError } from '../../../../../data/server/messages.ts';
import type { CellEdit } from '../../../../../data/table/changes/edits.ts';
import { Problem } from '../../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../../ui/popups/popup.tsx';
import { find } from '../../../../../workers/find/finder.ts';
import css from './dialogs.module.css';

/** A cell that may be looked through. */
export interface Searched {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  /** Formulas, and what others alone may change, are found, never replaced. */
  readonly readOnly: boolean;
}

const cellsOf = (count: number): string => `${count} ${count === 1 ? 'cell' : 'cells'}`;

/** Report of a replacement, with the reasons for which some cells stay as they are. */
function replaced(changed: number, closed: number, long: number): string {
  const left = [
    closed > 0 && `${cellsOf(closed)} not changed: worked out by a formula, or not yours to change.`,
    long > 0 && `${cellsOf(long)} not changed: too long afterwards.`,
  ];
  return [`${cellsOf(changed)} changed.`, ...left].filter(Boolean).join(' ');
}

/** Looks for a text or a pattern in the cells shown, and replaces it where something may be changed. */
export function FindReplace({
  open,
  cells,
  mayReplace,
  onClose,
  onShow,
  onReplace,
}: {
  open: boolean;
  cells: () => Promise<readonly Searched[]>;
  mayReplace: boolean;
  onClose: () => void;
  onShow: (cell: Searched) => void;
  onReplace: (edits: readonly CellEdit[]) => void;
}) {
  const [text, setText] = useState('');
  const [by, setBy] = useState('');
  const [expression, setExpression] = useState(false);
  const [matchCase, setMatchCase] = useState(false);
  const [wholeCell, setWholeCell] = useState(false);
  const [answer, setAnswer] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [next, setNext] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search starts from the top
  useEffect(() => {
    setNext(0);
    setAnswer(undefined);
    setFailure(undefined);
  }, [text, expression, matchCase, wholeCell, open]);

  const look = async (replacement: string | undefined) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const list = await cells();
      const search = { text, expression, matchCase, wholeCell };
      const found = await find(
        list.map((cell) => cell.text),
        search,
        replacement,
      );
      if (found.length === 0) {
        setAnswer('Nothing found.');
      } else if (replacement === undefined) {
        const at = next % found.length;
        const cell = list[found[at]?.index ?? -1];
        setNext(at + 1);
        setAnswer(`${at + 1} of ${cellsOf(found.length)}`);
        if (cell) onShow(cell);
      } else {
        const edits = found.flatMap(({ index, text: becomes }) => {
          const cell = list[index];
          return cell && !cell.readOnly && becomes !== undefined
            ? [{ id: cell.id, key: cell.key, text: becomes }]
            : [];
        });
        onReplace(edits);
        const closed = found.filter(({ index }) => list[index]?.readOnly).length;
        setAnswer(replaced(edits.length, closed, found.length - edits.length - closed));
      }
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Popup open={open} onClose={onClose} title={mayReplace ? 'Find and replace' : 'Find'} width={480}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void look(undefined);
        }}
      >
        {failure && <Problem title={failure} />}
        <TextInput
          label="Find"
          value={text}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {mayReplace && (
          <TextInput
            label="Replace with"
            description={expression ? '$1 stands for the first group in brackets' : undefined}
            value={by}
            onChange={(event) => setBy(event.currentTarget.value)}
          />
        )}
        <div className={css.checks}>
          <Checkbox
            label="Regular expression"
            checked={expression}
            onChange={(event) => setExpression(event.currentTarget.checked)}
          />
          <Checkbox
            label="Match case"
            checked={matchCase}
            onChange={(event) => setMatchCase(event.currentTarget.checked)}
          />
          <Checkbox
            label="Whole cell"
            checked={wholeCell}
            onChange={(event) => setWholeCell(event.currentTarget.checked)}
          />
        </div>
        <p className={css.answer} role="status">
          {answer}
        </p>
        <PopupActions>
          {mayReplace && (
            <Button variant="default" disabled={text === ''} loading={busy} onClick={() => void look(by)}>
              Replace all
            </Button>
          )}
          <Button type="submit" disabled={text === ''} loading={busy}>
            Find next
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
