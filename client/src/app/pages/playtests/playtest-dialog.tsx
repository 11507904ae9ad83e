import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isPlayed } from '../../../core/play/box/pack.ts';
import { MAX_BOX_BYTES, MAX_SEATS, MAX_TABLE_NAME } from '../../../core/play/protocol/limits.ts';
import { nameAtTable } from '../../../core/play/view/names.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { languageNames } from '../../../core/translation/language-names.ts';
import { useUser } from '../../../data/account/session.ts';
import type { Component, WithId } from '../../../data/documents/documents.ts';
import { edits } from '../../../data/project/members.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { useAttempt } from '../../use-attempt.ts';
import type { ProjectAccess } from '../project/project-gate.tsx';
import { openedLabel } from '../versions/version-words.ts';
import { OpenTables } from './open-tables.tsx';
import css from './playtests.module.css';
import { tableAddress } from './table-list.tsx';

/** Seats of a new table, if nobody says otherwise. */
const USUAL_SEATS = 4;

/** A project's tables, and for owners and editors a new one; or those of an opened version. */
export function PlaytestDialog({
  open,
  access,
  components,
  onClose,
}: {
  open: boolean;
  access: ProjectAccess;
  components: readonly WithId<Component>[];
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Playtest" width={560}>
      <OpenTables access={{ details: access.details, role: access.original.role }} />
      {edits(access.original.role) ? (
        <NewTable access={access} components={components} onCancel={onClose} />
      ) : (
        <p className={css.quiet}>Owners and editors open tables of this project; you can join them.</p>
      )}
    </Popup>
  );
}

/** Says which languages a table has not got, and what to do. */
const noRoomFor = (languages: readonly string[]): string =>
  `The table has no room for the cards in ${languageNames(languages)}: all its cards in all languages take at most ${MAX_BOX_BYTES / 1024 / 1024} MB. Open another one with fewer components to have them.`;

function NewTable({
  access: { project, details },
  components,
  onCancel,
}: {
  access: ProjectAccess;
  components: readonly WithId<Component>[];
  onCancel: () => void;
}) {
  const navigate = useNavigate();
  const user = useUser();
  const played = components.filter(({ kind }) => isPlayed(kind));
  const frozen = details.frozenOf !== undefined;
  const version = openedLabel(details);
  const [name, setName] = useState(
    cutText(frozen ? `${details.name} ${version}` : details.name, MAX_TABLE_NAME),
  );
  const [seats, setSeats] = useState(USUAL_SEATS);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { busy, failure, attempt } = useAttempt();
  const chosen = played.filter(({ id }) => !left.has(id));
  const openIt = async () => {
    await attempt(async () => {
      // Packing needs the whole layout engine, which the page of a project does not.
      const { openPlaytest } = await import('./open-playtest.ts');
      const host = nameAtTable(user);
      const wish = { name: name.trim(), seats, components: chosen, host };
      const { id, without } = await openPlaytest(project, wish);
      if (without.length > 0) toasts.show(noRoomFor(without), { type: 'warning' });
      void navigate(tableAddress({ ownerId: project.owner, id }));
    });
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void openIt();
      }}
    >
      {failure && <Problem title={failure} />}
      <div className={css.fields}>
        <TextInput
          label="Name of the table"
          required
          maxLength={MAX_TABLE_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label="Seats"
          size="md"
          min={1}
          max={MAX_SEATS}
          allowDecimal={false}
          value={seats}
          onChange={(value) => setSeats(Math.max(1, Math.min(MAX_SEATS, Number(value) || 1)))}
        />
      </div>
      {played.length > 1 && (
        <Checkbox.Group
          label="On the table"
          value={chosen.map(({ id }) => id)}
          onChange={(ids) => setLeft(new Set(played.map(({ id }) => id).filter((id) => !ids.includes(id))))}
        >
          <div className={css.choices}>
            {played.map((one) => (
              <Checkbox key={one.id} value={one.id} label={one.name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <p className={css.quiet}>
        Decks are shuffled beside a place to discard, boards lie in the middle, dice and tokens beside them,
        and every seat has a hand.{' '}
        {frozen
          ? `The cards stay as they are in ${version}, whatever changes in the project.`
          : 'What you change in the project changes on the table too; its host may decide otherwise.'}
      </p>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button
          type="submit"
          data-autofocus
          data-tutorial="open-table"
          loading={busy}
          disabled={name.trim() === '' || chosen.length === 0}
        >
          Open the table
        </Button>
      </PopupActions>
    </form>
  );
}
