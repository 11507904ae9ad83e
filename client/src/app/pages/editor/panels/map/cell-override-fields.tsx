import { Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { cellName, cellNamed } from '../../../../../core/board/labels.ts';
import {
  type CellOverride,
  cellOverrideSchema,
  gridOf,
  MAX_CELL_NAME,
  MAX_CELL_OVERRIDES,
  type MapZone,
} from '../../../../../core/scene/zones/map.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { ColorField, Pair, Section } from '../fields/fields.tsx';
import { useTyped } from '../fields/use-typed.ts';
import css from './map-fields.module.css';

/** One cell with something of its own. */
function OverrideForm({
  zone,
  own,
  number,
  change,
  remove,
}: {
  zone: MapZone;
  own: CellOverride;
  number: number;
  change: (part: Partial<CellOverride>) => void;
  remove: () => void;
}) {
  const grid = gridOf(zone);
  const read = (text: string): string | undefined => {
    const cell = cellNamed(grid, text);
    const at = cell === undefined ? undefined : cellName(grid, cell, 'A1');
    const taken = zone.overrides.some((other) => other !== own && other.at === at);
    return taken ? undefined : at;
  };
  const cell = useTyped(own.at, (text) => {
    const at = read(text);
    if (at !== undefined) change({ at });
    return at !== undefined;
  });
  return (
    <fieldset className={css.rule} aria-label={`Single cell ${number}`}>
      <Pair>
        <TextInput
          size="xs"
          label="Cell"
          maxLength={8}
          value={cell.text}
          error={cell.wrong ? 'Write a cell of the map that is not in this list yet, such as C4.' : undefined}
          onChange={(event) => cell.type(event.currentTarget.value)}
          onBlur={cell.leave}
        />
        <ColorField label="Colour" value={own.color} onChange={(color) => change({ color })} />
      </Pair>
      <TextInput
        size="xs"
        label="Name"
        placeholder={own.at}
        maxLength={MAX_CELL_NAME}
        value={own.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div className={css.ruleEnd}>
        <span>{cellNamed(grid, own.at) === undefined ? 'Beyond the rims: it is not shown.' : ''}</span>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          aria-label={`Remove single cell ${number}`}
          onClick={remove}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** Cells that differ from their terrain: a name and a colour of their own. */
export function CellOverrideFields({ zone, model }: ZoneFieldsProps<'map'>) {
  const act = (recipe: (draft: MapZone) => void, mergeKey?: string) =>
    model.actOn<MapZone>(zone.id, recipe, mergeKey);
  const grid = gridOf(zone);
  const taken = new Set(zone.overrides.map(({ at }) => at));
  const add = () => {
    const free = Array.from({ length: MAX_CELL_OVERRIDES + 1 }, (_, cell) => cellName(grid, cell, 'A1')).find(
      (at) => !taken.has(at) && cellNamed(grid, at) !== undefined,
    );
    if (free === undefined) return;
    act((draft) => void draft.overrides.push(cellOverrideSchema.parse({ at: free, name: '', color: '' })));
  };
  return (
    <Section title="Single cells">
      <p className={css.note}>
        A name or a colour for one cell alone. Names are printed, and spaces have them.
      </p>
      {zone.overrides.map((own, index) => (
        <OverrideForm
          // biome-ignore lint/suspicious/noArrayIndexKey: the cell changes under the hand that types it
          key={index}
          zone={zone}
          own={own}
          number={index + 1}
          change={(part) =>
            act(
              (draft) => {
                const found = draft.overrides[index];
                if (found) Object.assign(found, part);
              },
              `cell ${index} ${Object.keys(part)[0]}`,
            )
          }
          remove={() => act((draft) => void draft.overrides.splice(index, 1))}
        />
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={zone.overrides.length >= Math.min(MAX_CELL_OVERRIDES, grid.cols * grid.rows)}
        onClick={add}
      >
        Add a single cell
      </Button>
    </Section>
  );
}
