import { Button, Checkbox } from '@mantine/core';
import { Copy, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Admission, JoinedPerson } from '../../../../core/play/protocol/messages.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { type AdmissionChange, joinLink, joinProblem } from '../../../../data/play/admission.ts';
import { copyLink } from '../../../../ui/copy/copy-link.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { Popup } from '../../../../ui/popups/popup.tsx';
import css from './people.module.css';
import { SeatBadge } from './seat-badge.tsx';

/** The table's code, and the people who came by it. */
export function PeopleWindow({
  view,
  admission,
  change,
  onClose,
}: {
  view: TableView;
  admission: Admission;
  change: (change: AdmissionChange) => Promise<void>;
  onClose: () => void;
}) {
  const [failure, setFailure] = useState<string>();
  const run = (one: AdmissionChange) => {
    setFailure(undefined);
    change(one).catch((error) => setFailure(joinProblem(error)));
  };
  const { ended } = view.table;
  return (
    <Popup open title="People" width={520} onClose={onClose}>
      {failure && <Problem title={failure} />}
      {ended ? (
        <p className={css.quiet}>The game has ended, and its code with it. Nobody joins any more.</p>
      ) : (
        <Code admission={admission} run={run} />
      )}
      <h3 className={css.heading}>Joined by code</h3>
      {admission.people.length === 0 && <p className={css.quiet}>Nobody has joined by the code yet.</p>}
      <ul className={css.people} aria-label="Joined by code">
        {[...admission.people].sort(byEntry).map((person) => (
          <Person key={person.id} person={person} view={view} run={run} />
        ))}
      </ul>
      <p className={css.quiet}>
        Members of the project need no code. Remove them from the project to keep them away.
      </p>
    </Popup>
  );
}

const ENTRIES = ['waiting', 'in', 'out'] as const;
const byEntry = (a: JoinedPerson, b: JoinedPerson) =>
  ENTRIES.indexOf(a.entry) - ENTRIES.indexOf(b.entry) || a.name.localeCompare(b.name);

function Code({
  admission: { code, locked, asks },
  run,
}: {
  admission: Admission;
  run: (change: AdmissionChange) => void;
}) {
  const link = code === null ? undefined : joinLink(window.location.origin, code);
  return (
    <>
      <div className={css.invite}>
        {code === null ? (
          <p className={css.quiet}>This table has no code yet.</p>
        ) : (
          <p className={css.code} data-locked={locked || undefined}>
            <span className={css.sign}>Code</span>
            <strong>{code}</strong>
          </p>
        )}
        <div className={css.codeActions}>
          {link !== undefined && (
            <Button
              variant="default"
              leftSection={<Copy size={16} aria-hidden />}
              onClick={() => void copyLink(link)}
            >
              Copy link
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<RefreshCw size={16} aria-hidden />}
            onClick={() => run({ newCode: true })}
          >
            {code === null ? 'Make a code' : 'New code'}
          </Button>
        </div>
        {link !== undefined && <p className={css.link}>{link}</p>}
      </div>
      <Checkbox
        label="Lock the table"
        description="Nobody new can join. People who already joined can stay and come back."
        checked={locked}
        onChange={({ currentTarget }) => run({ lock: currentTarget.checked })}
      />
      <Checkbox
        label="Approve who joins"
        description="People who join by code wait until you let them in."
        checked={asks}
        onChange={({ currentTarget }) => run({ ask: currentTarget.checked })}
      />
    </>
  );
}

function Person({
  person: { id, name, entry, guest, seats, here },
  view,
  run,
}: {
  person: JoinedPerson;
  view: TableView;
  run: (change: AdmissionChange) => void;
}) {
  const line = useRef<HTMLLIElement>(null);
  const words = [
    { waiting: 'waiting to be let in', in: here ? 'here' : 'away', out: 'removed' }[entry],
    guest ? 'without an account' : '',
  ].filter(Boolean);
  /** The pressed button goes; without the focus in the window, Escape would not close it. */
  const decide = (one: AdmissionChange) => {
    line.current?.focus();
    run(one);
  };
  return (
    <li ref={line} tabIndex={-1} className={css.person} data-entry={entry}>
      {seats.map((seat) => (
        <SeatBadge key={seat} seat={seat} colour={view.table.seats[String(seat)]?.colour ?? 0} />
      ))}
      <span className={css.who}>
        <strong>{name}</strong>
        <small>{words.join(', ')}</small>
      </span>
      <span className={css.actions}>
        {entry !== 'in' && (
          <Button
            size="sm"
            variant={entry === 'waiting' ? 'filled' : 'default'}
            aria-label={`${entry === 'out' ? 'Allow back' : 'Let in'}: ${name}`}
            onClick={() => decide({ letIn: id })}
          >
            {entry === 'out' ? 'Allow back' : 'Let in'}
          </Button>
        )}
        {entry !== 'out' && (
          <Button
            size="sm"
            variant="default"
            aria-label={`${entry === 'waiting' ? 'Refuse' : 'Remove'}: ${name}`}
            onClick={() => decide({ kick: id })}
          >
            {entry === 'waiting' ? 'Refuse' : 'Remove'}
          </Button>
        )}
      </span>
    </li>
  );
}
