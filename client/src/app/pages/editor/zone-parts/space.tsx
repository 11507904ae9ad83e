import { LocateFixed } from 'lucide-react';
import { MAX_ORDER, type SpaceTraits } from '../../../../core/board/space.ts';
import type { SpaceZone } from '../../../../core/scene/zones/space.ts';
import { Section } from '../panels/fields/fields.tsx';
import { NumberField } from '../panels/fields/number-field.tsx';
import { setterOf } from '../panels/fields/set-property.ts';
import css from '../panels/map/map-fields.module.css';
import { SpaceLinkFields } from '../panels/spaces/space-link-fields.tsx';
import { SpaceTraitFields } from '../panels/spaces/space-trait-fields.tsx';
import type { ZoneFieldsProps, ZonePart } from './zone-part.ts';

/** Form of a space. */
function SpaceFields({ zone, model }: ZoneFieldsProps<'space'>) {
  const set = setterOf(model, zone);
  const change = (part: Partial<SpaceTraits>) =>
    model.actOn<SpaceZone>(
      zone.id,
      (draft) => {
        Object.assign(draft, part);
      },
      Object.keys(part)[0],
    );
  return (
    <>
      <Section title="Space">
        <p className={css.note}>
          A place where pieces go. It is not printed; at our own table and in Tabletop Simulator pieces snap
          to it.
        </p>
        <SpaceTraitFields traits={zone} onChange={change} />
        <NumberField
          label="Place in the order of play, 0 for none"
          whole
          min={0}
          max={MAX_ORDER}
          value={zone.order}
          onChange={set('order')}
        />
      </Section>
      <SpaceLinkFields zone={zone} model={model} />
    </>
  );
}

export const SPACE: ZonePart<'space'> = {
  label: 'Space',
  icon: LocateFixed,
  add: { label: 'Add space', inBar: false },
  newSize: [0.15, 0.15],
  fill: () => undefined,
  driven: [
    ['role', 'Holds'],
    ['holds', 'At most'],
    ['turning', 'Pieces lie'],
    ['turn', 'Angle of pieces'],
    ['order', 'Place in the order of play'],
  ],
  ownCorners: true,
  Fields: SpaceFields,
};
