import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { MAX_SPACE_LINKS } from '../../../../../core/board/space.ts';
import type { SpaceZone } from '../../../../../core/scene/zones/space.ts';
import { isolated } from '../../../../../core/text/names.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { allZones } from '../../state/zones/zones.ts';
import { Section, SelectField } from '../fields/fields.tsx';
import css from '../map/map-fields.module.css';

/** Spaces that a space is joined to. A link is kept by one of both and counts for either. */
export function SpaceLinkFields({ zone, model }: { zone: SpaceZone; model: EditorModel }) {
  const scene = useStore(model.store, (state) => state.scene);
  const spaces = allZones(scene.zones).filter(
    (one) => one.kind === 'space' && one.id !== zone.id,
  ) as SpaceZone[];
  const joined = spaces.filter(({ id, links }) => zone.links.includes(id) || links.includes(zone.id));
  const free = spaces.filter((one) => !joined.includes(one));
  // Links to spaces that are gone make room.
  const kept = zone.links.filter((id) => spaces.some((one) => one.id === id));
  if (spaces.length === 0) return null;
  const part = ({ id }: SpaceZone) => {
    const both = [zone.id, id];
    model.actOnEach(both, (draft) => {
      // Whichever of both keeps the link: two people may have made it from either side.
      if (draft.kind === 'space') draft.links = draft.links.filter((one) => !both.includes(one));
    });
  };
  return (
    <Section title="Leads to">
      <p className={css.note}>
        From a space with links, Ctrl and an arrow take a piece along them at our own table.
      </p>
      {joined.map((other) => (
        <div key={other.id} className={css.ruleEnd}>
          <span>{other.name}</span>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Part from ${isolated(other.name)}`}
            onClick={() => part(other)}
          >
            <Trash2 size={14} aria-hidden />
          </Button>
        </div>
      ))}
      {free.length > 0 && kept.length < MAX_SPACE_LINKS && (
        <SelectField
          label="Join to"
          value=""
          options={[
            { value: '', label: 'Choose a space' },
            ...free.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) =>
            id &&
            model.actOn<SpaceZone>(zone.id, (draft) => {
              draft.links = [...kept, id];
            })
          }
        />
      )}
    </Section>
  );
}
