import { CirclePlay, Hourglass, ListOrdered, Pencil } from 'lucide-react';
import type { Act } from '../../../core/play/protocol/messages.ts';
import { leads, mayEdit, type PlayContext } from './commands/play-context.ts';
import css from './play.module.css';

/** The table's buttons: each does its steps. Whoever may change the table writes them. */
export function ButtonsBar({ context }: { context: PlayContext }) {
  const { view, ask } = context;
  const { seat, table } = view;
  const { buttons, waiting, ended, settings } = table;
  const lead = leads(context);
  const edits = mayEdit(context);
  const act = (one: Act) => void context.act(one);
  const names = Object.keys(buttons ?? {});
  if (seat === null || ended || (names.length === 0 && !edits)) return null;
  const forbidden = lead || settings.rights.buttons ? undefined : 'Only hosts press buttons at this table.';
  return (
    <section className={css.buttons} aria-label="Buttons">
      {waiting !== null && waiting !== undefined && (
        <span className={css.waits} role="status">
          <Hourglass size={14} aria-hidden /> {waiting || 'The set-up'} waits for the host
          {lead && (
            <button type="button" onClick={() => act({ verb: 'run' })}>
              Go on
            </button>
          )}
        </span>
      )}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          disabled={forbidden !== undefined || (waiting ?? null) !== null}
          title={forbidden ?? ''}
          onClick={() => act({ verb: 'run', button: name, numbers: [] })}
        >
          <CirclePlay size={15} aria-hidden /> {name}
        </button>
      ))}
      {edits && (
        <>
          <button type="button" className={css.editButtons} onClick={() => ask({ ask: 'buttons' })}>
            <Pencil size={14} aria-hidden /> <span>{names.length === 0 ? 'Add a button' : 'Buttons'}</span>
          </button>
          <button type="button" className={css.editButtons} onClick={() => ask({ ask: 'edit-set-up' })}>
            <ListOrdered size={14} aria-hidden /> <span>Set-up</span>
          </button>
        </>
      )}
    </section>
  );
}
