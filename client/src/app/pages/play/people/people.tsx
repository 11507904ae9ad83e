import { useState } from 'react';
import type { Admission } from '../../../../core/play/protocol/messages.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { type AdmissionChange, changeAdmission, joinProblem } from '../../../../data/play/admission.ts';
import { LoadedWindow } from '../../../../ui/loaded-window.tsx';
import play from '../play.module.css';
import css from './people.module.css';

const peopleWindow = async () => (await import('./people-window.tsx')).PeopleWindow;

/** Somebody who waits to be let in, told over the table; and the window of all people while it is open. */
export function People({
  table,
  view,
  admission,
  open,
  onClose,
}: {
  table: string;
  view: TableView;
  admission: Admission;
  open: boolean;
  onClose: () => void;
}) {
  const [failure, setFailure] = useState<string>();
  const change = (one: AdmissionChange) => changeAdmission(table, one);
  const run = (one: AdmissionChange) => {
    setFailure(undefined);
    change(one).catch((error) => setFailure(joinProblem(error)));
  };
  const waiting = admission.people.filter(({ entry }) => entry === 'waiting');
  const [next] = waiting;
  return (
    <>
      {next && (
        <div className={`${play.question} ${css.waiting}`} role="status">
          <span>
            {failure ?? (
              <>
                <strong>{next.name}</strong> would like to come in
                {waiting.length > 1 && `, and ${waiting.length - 1} more`}.
              </>
            )}
          </span>
          <button type="button" onClick={() => run({ letIn: next.id })}>
            Let in
          </button>
          <button type="button" onClick={() => run({ kick: next.id })}>
            Refuse
          </button>
        </div>
      )}
      {open && <LoadedWindow load={peopleWindow} props={{ view, admission, change, onClose }} />}
    </>
  );
}
