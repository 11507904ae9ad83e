import { Checkbox } from '@mantine/core';
import { Eye, Hand, ScanEye } from 'lucide-react';
import type { Handle, Policy, ShownContainer } from '../../../../core/play/protocol/messages.ts';
import { cssColour } from '../../../../core/play/view/names.ts';
import {
  bitsOf,
  type PlaceRules,
  placesOf,
  SOME,
  seatsIn,
  sightOf,
} from '../../../../core/play/view/places.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import { Unseen } from '../../../../ui/page/page.tsx';
import { Popup } from '../../../../ui/popups/popup.tsx';
import { mayEdit, type PlayContext } from '../commands/play-context.ts';
import { SightField } from '../steps/sight-field.tsx';
import css from './places.module.css';

/** Says for each place of the table who sees, moves and looks through what lies there; whoever may, changes it. */
export function PlacesWindow({ context, onClose }: { context: PlayContext; onClose: () => void }) {
  const places = placesOf(context.view);
  const changes = mayEdit(context) && !context.view.table.ended;
  return (
    <Popup open onClose={onClose} title="Who sees what" width={680}>
      <p className={css.lead}>
        Observers see what everybody sees.{' '}
        {changes
          ? 'A change is logged. It never reveals what lies hidden in a place: empty the place first.'
          : 'Only hosts change it, and every change is logged.'}
      </p>
      <ul className={css.places} aria-label="Places">
        {places.map((place) => (
          <li key={place.handle ?? ''}>
            <Place place={place} context={context} changes={changes} />
          </li>
        ))}
      </ul>
      <Rights context={context} changes={changes} />
    </Popup>
  );
}

function Place({
  place: { handle, name, container, sees, moves, looksThrough },
  context,
  changes,
}: {
  place: PlaceRules;
  context: PlayContext;
  changes: boolean;
}) {
  const { seat } = context.view;
  const owner = container?.owner;
  const isPrivate = container?.kind === 'hand' || (container?.kind === 'tray' && owner !== undefined);
  const may = isPrivate ? owner === seat && !context.view.table.ended : changes;
  return (
    <>
      <h3 className={css.name}>
        {owner !== undefined && (
          <span
            className={css.dot}
            style={{ background: cssColour(context.view.table.seats[String(owner)]?.colour ?? 0) }}
          />
        )}
        {name}
      </h3>
      <dl className={css.rules}>
        <Rule icon={<Eye size={15} aria-hidden />} label="Sees" words={sees} />
        <Rule icon={<Hand size={15} aria-hidden />} label="Moves" words={moves} />
        {looksThrough && (
          <Rule icon={<ScanEye size={15} aria-hidden />} label="Looks through it" words={looksThrough} />
        )}
      </dl>
      {handle !== undefined && container?.policy && may && (
        <Sight
          handle={handle}
          name={name}
          container={container}
          policy={container.policy}
          context={context}
        />
      )}
      {isPrivate && changes && owner !== seat && (
        <p className={css.quiet}>Only the player of that seat can change this, or the set-up.</p>
      )}
    </>
  );
}

function Rule({ icon, label, words }: { icon: React.ReactNode; label: string; words: string }) {
  return (
    <div>
      <dt>
        {icon}
        <Unseen>{label}</Unseen>
      </dt>
      <dd>{words}</dd>
    </div>
  );
}

function Sight({
  handle,
  name,
  container,
  policy,
  context,
}: {
  handle: Handle;
  name: string;
  container: ShownContainer;
  policy: Policy;
  context: PlayContext;
}) {
  const { kind, arrangement, size } = container;
  const set = (next: Policy) =>
    void context.act({
      verb: 'edit',
      into: handle,
      edit: { container: { policy: next, arrangement, size } },
    });
  return (
    <div className={css.change}>
      <SightField label={`Who sees ${name}`} kind={kind} policy={policy} withSeats onChange={set} />
      {sightOf(kind, policy)?.value === SOME.value && (
        <Seats view={context.view} name={name} policy={policy} onChange={set} />
      )}
    </div>
  );
}

function Seats({
  view,
  name,
  policy,
  onChange,
}: {
  view: TableView;
  name: string;
  policy: Policy;
  onChange: (policy: Policy) => void;
}) {
  const bits = typeof policy.audience === 'object' ? policy.audience.seats : 0;
  const chosen = seatsIn(bits, view.table);
  return (
    <fieldset className={css.seats}>
      <legend>
        <Unseen>Seats that see {name}</Unseen>
      </legend>
      {Object.entries(view.table.seats).map(([no, seat]) => (
        <Checkbox
          key={no}
          label={seat.name}
          checked={chosen.includes(Number(no))}
          onChange={({ currentTarget: { checked } }) => {
            const seats = chosen.filter((one) => one !== Number(no));
            onChange({
              ...policy,
              audience: { seats: bitsOf(checked ? [...seats, Number(no)] : seats) },
            });
          }}
        />
      ))}
    </fieldset>
  );
}

/** Rights of players that decide who moves what. */
const RIGHTS = [
  ['move_all', 'Players move everything that lies on the table'],
  ['take', 'Players take cards by chance from other hands'],
] as const;

function Rights({ context, changes }: { context: PlayContext; changes: boolean }) {
  const {
    rights,
    undo,
    remembers = false,
    open_to_observers = false,
    phases = [],
  } = context.view.table.settings;
  if (!changes) return null;
  return (
    <fieldset className={css.rights}>
      <legend>Players</legend>
      {RIGHTS.map(([right, label]) => (
        <Checkbox
          key={right}
          label={label}
          checked={rights[right]}
          onChange={({ currentTarget: { checked } }) =>
            void context.act({
              verb: 'edit',
              edit: {
                settings: {
                  rights: { ...rights, [right]: checked },
                  undo,
                  remembers,
                  open_to_observers,
                  phases,
                },
              },
            })
          }
        />
      ))}
    </fieldset>
  );
}
