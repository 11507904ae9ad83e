import { CircleAlert, ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import type { Fair, Replay, Track } from '../../../core/play/replay/replay.ts';
import { type Checked, verify } from '../../../core/play/replay/verify.ts';
import { seatLetter } from '../../../core/play/view/names.ts';
import { Copyable } from '../../../ui/copy/copyable.tsx';
import { Popup } from '../../../ui/popups/popup.tsx';
import { CHANCE } from '../play/chance.tsx';
import css from './replay.module.css';

/** Says whether chance decided as it was promised, and how that is known. */
export function FairnessWindow({
  replay: { fair, tracks },
  open,
  onClose,
  onGo,
}: {
  replay: Replay;
  open: boolean;
  onClose: () => void;
  /** Goes to an act. */
  onGo: (at: number) => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Was it fair?" width={620}>
      {fair ? (
        <Verified
          fair={fair}
          table={tracks[0]}
          onGo={(at) => {
            onClose();
            onGo(at);
          }}
        />
      ) : (
        <>
          <p className={css.lead}>
            This replay keeps hands and decks closed, so it cannot show what chance decided: the seed would
            tell every card. Whoever published the game can publish it again with open hands; then this page
            draws everything again.
          </p>
          <Numbers commitment={tracks[0]?.state.commitment ?? ''} />
        </>
      )}
    </Popup>
  );
}

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

function Verified({
  fair,
  table,
  onGo,
}: {
  fair: Fair;
  table: Track | undefined;
  onGo: (at: number) => void;
}) {
  const verdict = useMemo(() => verify(fair, table), [fair, table]);
  const { entries, shuffles, rolls, faults, seed, told } = verdict;
  const others = entries.filter(({ verb, piles }) => verb !== 'roll' && piles.length === 0).length;
  const drawn = [
    shuffles > 0 && many(shuffles, 'shuffle', 'shuffles'),
    rolls > 0 && many(rolls, 'roll', 'rolls'),
    others > 0 && many(others, 'other draw', 'other draws'),
  ].filter(Boolean);
  return (
    <>
      <div className={css.verdict} data-bad={faults > 0 || undefined} role="status">
        {faults > 0 ? <CircleAlert size={22} aria-hidden /> : <ShieldCheck size={22} aria-hidden />}
        <strong>{verdictWords(seed, told, faults)}</strong>
      </div>
      <ul className={css.checks}>
        <li>
          {seed
            ? 'The seed is the one that was promised: its SHA-256 is the number that everybody was sent before the first act.'
            : 'The seed is another one than was promised before the first act.'}
        </li>
        {told ? (
          <li>
            {(drawn.join(', ') || 'No draws').replace(/, ([^,]*)$/, ' and $1')} were drawn again from the
            seed, here in your browser.{' '}
            {entries.every(({ fault }) => fault === undefined)
              ? 'All came out as they did in the game, and no number of the seed was passed over.'
              : 'Not all came out as they did in the game; see below.'}
          </li>
        ) : (
          <li>
            The server has other rules by now than those of the game, and cannot say what chance decided. The
            seed can be checked, the draws cannot.
          </li>
        )}
        <li>
          If you sat at the table, compare the number with the one that it showed you under “{CHANCE}”: only
          that proves that it was not made later.
        </li>
      </ul>
      <Numbers commitment={fair.commitment} seed={fair.seed} />
      {entries.length > 0 && <Draws entries={entries} before={table?.state.n ?? 0} onGo={onGo} />}
    </>
  );
}

/** The number that everybody was sent before the first act, and the seed where it may be told. */
function Numbers({ commitment, seed }: { commitment: string; seed?: string }) {
  return (
    <dl className={css.numbers}>
      <div>
        <dt>{CHANCE}</dt>
        <dd>
          <Copyable text={commitment} noun="number" />
        </dd>
      </div>
      {seed !== undefined && (
        <div>
          <dt>Seed</dt>
          <dd>{seed}</dd>
        </div>
      )}
    </dl>
  );
}

function verdictWords(seed: boolean, told: boolean, faults: number): string {
  if (!seed) return 'The promise was broken: this is another seed.';
  if (faults > 0) return `${many(faults, 'draw is', 'draws are')} not as chance said.`;
  return told
    ? 'Yes: all chance is as it was promised.'
    : 'The seed is as promised; the draws could not be checked.';
}

function Draws({
  entries,
  before,
  onGo,
}: {
  entries: readonly Checked[];
  /** Entries before the first act. */
  before: number;
  onGo: (at: number) => void;
}) {
  return (
    <div className={css.draws}>
      <table>
        <caption>Draws of the game</caption>
        <thead>
          <tr>
            <th scope="col">Act</th>
            <th scope="col">By</th>
            <th scope="col">Chance decided</th>
            <th scope="col">Checked</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.n} data-bad={entry.fault !== undefined || undefined}>
              <td>
                <button
                  type="button"
                  aria-label={`Go to act ${entry.n - before}`}
                  onClick={() => onGo(entry.n - before)}
                >
                  {entry.n - before}
                </button>
              </td>
              <td>{seatLetter(entry.by)}</td>
              <td>{decidedWords(entry)}</td>
              <td>{entry.fault ?? 'As drawn'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Words for verbs that draw without a pile or dice. */
const WORDS: Readonly<Record<string, string>> = {
  spin: 'a direction',
  cut: 'where a pile was cut',
  take: 'which cards were taken',
  draw: 'which pieces came out',
  deal: 'which pieces came out',
  shuffle: 'where pieces lie',
  run: 'steps of a button',
  restore: 'the order of what was hidden',
};

function decidedWords({ verb, dice, piles }: Checked): string {
  if (piles.length > 0) {
    return piles
      .map(({ name, size }) => `the order of ${name || 'a pile'} (${many(size, 'piece', 'pieces')})`)
      .join(', ');
  }
  if (dice.length > 0) return `${dice.length === 1 ? 'a die' : 'dice'}: ${dice.join(', ')}`;
  return WORDS[verb] ?? 'a draw';
}
