import { LocateFixed } from 'lucide-react';
import { Section } from '../panels/fields.tsx';
import css from '../panels/map-fields.module.css';
import { setterOf } from '../panels/set-property.ts';
import { SpaceRoleField } from '../panels/space-role-field.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Form of a space. */
function SpaceFields({ zone, model }: ZoneFieldsProps<'space'>) {
  const set = setterOf(model, zone);
  return (
    <Section title="Space">
      <p className={css.note}>
        A place where pieces go. It is not printed; in Tabletop Simulator pieces snap to it.
      </p>
      <SpaceRoleField value={zone.role} onChange={set('role')} />
    </Section>
  );
}

export const SPACE: ZonePart<'space'> = {
  label: 'Space',
  icon: LocateFixed,
  add: { label: 'Add space', inBar: false },
  newSize: [0.15, 0.15],
  fill: () => undefined,
  driven: [['role', 'Holds']],
  ownCorners: true,
  Fields: SpaceFields,
};
