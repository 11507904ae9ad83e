import { Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { countOf } from '../../../../../core/board/grid.ts';
import { plainTraits } from '../../../../../core/board/space.ts';
import {
  cellsOfRule,
  gridOf,
  MAX_RANGE_LENGTH,
  MAX_SPACE_RULES,
  type MapZone,
  type SpaceRule,
} from '../../../../../core/scene/zones/map.ts';
import { newZoneId } from '../../new-zone-id.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { findZone } from '../../state/zones/zones.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { Pair, Section, SelectField } from '../fields/fields.tsx';
import { SpaceTraitFields } from '../spaces/space-trait-fields.tsx';
import css from './map-fields.module.css';

/** Cells that a rule makes spaces; undefined if its range cannot be read. */
function useCellCount(model: EditorModel, zone: MapZone, rule: SpaceRule): number | undefined {
  const counted = useMemo(() => {
    let seen: MapZone | undefined;
    let count: number | undefined;
    return (now: MapZone): number | undefined => {
      if (now !== seen) count = rule.of === 'all' ? countOf(gridOf(now)) : cellsOfRule(now, rule)?.length;
      seen = now;
      return count;
    };
  }, [rule]);
  return useStore(model.store, ({ scene }) => {
    const now = findZone(scene, zone.id);
    return counted(now?.kind === 'map' ? now : zone);
  });
}

/** One rule: which cells are spaces, and what they hold. */
function RuleForm({
  model,
  zone,
  rule,
  number,
  change,
  remove,
}: {
  model: EditorModel;
  zone: MapZone;
  rule: SpaceRule;
  number: number;
  change: (part: Partial<SpaceRule>) => void;
  remove: () => void;
}) {
  const count = useCellCount(model, zone, rule);
  return (
    <fieldset className={css.rule} aria-label={`Spaces ${number}`}>
      <Pair>
        <SelectField
          label="Cells"
          value={rule.of}
          options={[
            { value: 'all', label: 'All' },
            { value: 'terrain', label: 'Of a terrain' },
            { value: 'range', label: 'By name' },
          ]}
          onChange={(of) => change({ of, terrain: rule.terrain || (zone.terrains[0]?.symbol ?? '') })}
        />
        {rule.of === 'terrain' && (
          <SelectField
            label="Terrain"
            value={rule.terrain}
            options={zone.terrains.map(({ symbol, name }) => ({ value: symbol, label: name }))}
            onChange={(terrain) => change({ terrain })}
          />
        )}
      </Pair>
      {rule.of === 'range' && (
        <TextInput
          size="xs"
          label="Names"
          placeholder="A1:C3, E5"
          maxLength={MAX_RANGE_LENGTH}
          value={rule.range}
          error={count !== undefined ? undefined : 'Write names of cells and ranges, such as A1:C3, E5.'}
          onChange={(event) => change({ range: event.currentTarget.value })}
        />
      )}
      <SpaceTraitFields traits={rule} onChange={(part) => change(part as Partial<SpaceRule>)} />
      <div className={css.ruleEnd}>
        <span>{count === 1 ? '1 space' : `${count ?? 0} spaces`}</span>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          aria-label={`Remove spaces ${number}`}
          onClick={remove}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** Cells of a map that are spaces. */
export function MapSpaceFields({ zone, model }: ZoneFieldsProps<'map'>) {
  const act = (recipe: (draft: MapZone) => void, mergeKey?: string) =>
    model.actOn<MapZone>(zone.id, recipe, mergeKey);
  const add = () =>
    act((draft) => {
      draft.spaces.push({ id: newZoneId(), of: 'all', terrain: '', range: '', ...plainTraits('spot') });
    });
  return (
    <Section title="Spaces">
      <p className={css.note}>
        Places where pieces go. At our own table and in Tabletop Simulator they snap there.
      </p>
      {zone.spaces.map((rule, index) => (
        <RuleForm
          key={rule.id}
          model={model}
          zone={zone}
          rule={rule}
          number={index + 1}
          change={(part) =>
            act(
              (draft) => {
                const found = draft.spaces.find(({ id }) => id === rule.id);
                if (found) Object.assign(found, part);
              },
              `space ${rule.id} ${Object.keys(part)[0]}`,
            )
          }
          remove={() =>
            act((draft) => {
              draft.spaces = draft.spaces.filter(({ id }) => id !== rule.id);
            })
          }
        />
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={zone.spaces.length >= MAX_SPACE_RULES}
        onClick={add}
      >
        Make cells spaces
      </Button>
    </Section>
  );
}
