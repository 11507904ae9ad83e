import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { MAX_SPACE_LINKS } from '../../../../core/board/space.ts';
import type { SpaceZone } from '../../../../core/scene/zones/space.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones.ts';
import { Section, SelectField } from './fields.tsx';
import css from './map-fields.module.css';

/** Spaces that a space is joined to. A link is kept by one of both and counts for either. */
export function SpaceLinkFields({ zone, model }: { zone: SpaceZone; model: EditorModel }) {
  const scene = useStore(model.store, (state) => state.scene);
  const spaces = allZones(scene.zones).filter(
    (one) => one.kind === 'space' && one.id !== zone.id,
  ) as SpaceZone[];
  const joined = spaces.filter(({ id, links }) => zone.links.includes(id) || links.includes(zone.id));
  const free = spaces.filter((one) => !joined.includes(one));
  if (spaces.length === 0) return null;
  const part = ({ id, links }: SpaceZone) =>
    // Whichever of both keeps the link.
    zone.links.includes(id)
      ? model.actOn<SpaceZone>(zone.id, (draft) => {
          draft.links = draft.links.filter((one) => one !== id);
        })
      : links.includes(zone.id) &&
        model.actOn<SpaceZone>(id, (draft) => {
          draft.links = draft.links.filter((one) => one !== zone.id);
        });
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
            aria-label={`Part from ${other.name}`}
            onClick={() => part(other)}
          >
            <Trash2 size={14} aria-hidden />
          </Button>
        </div>
      ))}
      {free.length > 0 && zone.links.length < MAX_SPACE_LINKS && (
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
              // Links to spaces that are gone make room.
              draft.links = [...draft.links.filter((one) => spaces.some((other) => other.id === one)), id];
            })
          }
        />
      )}
    </Section>
  );
}
