import { Button, TextInput } from '@mantine/core';
import { BookCopy, FolderInput, Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '../../data/server/messages.ts';
import type { Kept } from '../../data/transfers/transfer.ts';
import { Loading, Problem } from '../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import type { NamedThings } from './carry-out.ts';
import { type Target, useTargets } from './targets.ts';
import css from './transfers.module.css';
import { countedThings, keptInWords } from './words.ts';

/** As many places are found at a glance. */
const FEW = 7;

/** Most things that are listed as staying. */
const MAX_LISTED = 5;

/** A question: where copies go, or where things move. */
export interface TransferQuestion {
  readonly things: NamedThings;
  readonly move: boolean;
}

/** Asks where things go, and carries it out. */
export function TransferDialog({
  of: { things, move },
  onClose,
  onChosen,
}: {
  of: TransferQuestion;
  onClose: () => void;
  /** Carries it out; what it throws is told here. */
  onChosen: (things: NamedThings, to: Target, move: boolean) => Promise<unknown>;
}) {
  const { targets, error } = useTargets(things.from);
  const { kept, failure: unsure } = useKept(things, move);
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState<'copy' | 'move'>();
  const [failure, setFailure] = useState<string>();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = targets?.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const target = shown?.find(({ id }) => id === chosen) ?? shown?.[0];
  const known = targets !== undefined;
  // The places come after the question is shown.
  useEffect(() => {
    if (known) document.querySelector<HTMLElement>('[data-choice] input:checked')?.focus();
  }, [known]);
  const { kind, names, from } = things;
  const going = names.size - (kept?.size ?? 0);
  const go = async (moving: boolean) => {
    if (!target) return;
    setBusy(moving ? 'move' : 'copy');
    setFailure(undefined);
    try {
      await onChosen(things, target, moving);
      onClose();
    } catch (reason) {
      setFailure(describeError(reason));
      setBusy(undefined);
    }
  };
  const what = countedThings(kind, names.size, [...names.values()][0]);
  const follows = kind === 'layouts' && !move && from.project === undefined;
  return (
    <Popup open locked={busy !== undefined} onClose={onClose} title={`${move ? 'Move' : 'Copy'} ${what} to`}>
      {(error || failure) && <Problem title={failure ?? describeError(error)} />}
      {!targets && !error && <Loading label="Loading projects" />}
      {targets?.length === 0 && (
        <p>
          There is no {from.project !== undefined && 'other '}project that you may change.{' '}
          <Link to="/decks">Make one first.</Link>
        </p>
      )}
      {targets && targets.length > FEW && (
        <TextInput
          aria-label="Search places"
          placeholder="Search projects"
          leftSection={<Search size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {shown?.length === 0 && targets && targets.length > 0 && <p role="status">No project has this name.</p>}
      {shown && shown.length > 0 && <Choice targets={shown} chosen={target?.id} onChoose={setChosen} />}
      {follows && <p className={css.note}>What you change in your library later, you can take over there.</p>}
      {move && !unsure && <Staying things={things} kept={kept} />}
      {unsure && <Problem title={`What uses it could not be looked up: ${unsure}`} />}
      <PopupActions>
        <Button variant="subtle" color="gray" disabled={busy !== undefined} onClick={onClose}>
          Cancel
        </Button>
        {move && kept && kept.size > 0 && (
          <Button
            variant="default"
            loading={busy === 'copy'}
            disabled={!target || busy === 'move'}
            onClick={() => void go(false)}
          >
            {names.size === 1 ? 'Copy instead' : `Copy all ${names.size}`}
          </Button>
        )}
        <Button
          loading={busy === (move ? 'move' : 'copy')}
          disabled={!target || (move && (!kept || going === 0)) || (busy === 'copy' && move)}
          onClick={() => void go(move)}
        >
          {move ? 'Move' : 'Copy'}
          {move && kept && kept.size > 0 && going > 0 && ` the other ${going}`}
        </Button>
      </PopupActions>
    </Popup>
  );
}

/** Places to choose one of, each with who sees what lies there. */
function Choice({
  targets,
  chosen,
  onChoose,
}: {
  targets: readonly Target[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  const name = useId();
  return (
    <fieldset className={css.choice} data-choice>
      <legend>Where to</legend>
      {targets.map(({ id, label, audience }) => (
        <label key={id} data-chosen={id === chosen || undefined}>
          <input type="radio" name={name} checked={id === chosen} onChange={() => onChoose(id)} />
          {id === '' ? <BookCopy size={18} aria-hidden /> : <FolderInput size={18} aria-hidden />}
          <span>
            <strong title={label}>{label}</strong>
            <small>{audience} see it there</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Says which things stay, and what uses them. */
function Staying({ things: { names }, kept }: { things: NamedThings; kept: Kept | undefined }) {
  if (!kept) return <p role="status">Looking for what uses {names.size === 1 ? 'it' : 'them'}…</p>;
  if (kept.size === 0) return null;
  const lines = keptInWords(kept, names);
  return (
    <section className={css.staying} aria-label="What stays">
      <p>
        {names.size === 1
          ? 'It stays where it is, so that nothing is torn out:'
          : `${kept.size} of ${names.size} ${kept.size === 1 ? 'stays where it is' : 'stay where they are'}, so that nothing is torn out:`}
      </p>
      <ul>
        {lines.slice(0, MAX_LISTED).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > MAX_LISTED && <li>and {lines.length - MAX_LISTED} more</li>}
      </ul>
    </section>
  );
}

/** The uses that keep things where they are, once they are known. */
function useKept(
  things: NamedThings,
  asked: boolean,
): { readonly kept: Kept | undefined; readonly failure: string | undefined } {
  const [kept, setKept] = useState<Kept>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (!asked) return;
    let stale = false;
    import('../../data/transfers/transfer.ts')
      .then(({ usesOf }) => usesOf(things))
      .then(
        (found) => {
          if (!stale) setKept(found);
        },
        (error: unknown) => {
          if (!stale) setFailure(describeError(error));
        },
      );
    return () => {
      stale = true;
    };
  }, [things, asked]);
  return { kept, failure };
}
