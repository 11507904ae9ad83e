import { useStore } from 'zustand';
import type { DataContext } from '../panels/fields/binding-field.tsx';
import { Section } from '../panels/fields/fields.tsx';
import css from '../panels/map/map-fields.module.css';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones/zones.ts';
import { regenerate } from './generation.ts';
import { useGeneration } from './use-generation.ts';

/** Settings of what was made last, for as long as it is selected and nobody has changed it. */
export function GeneratorSection({
  model,
  selected,
  data,
}: {
  model: EditorModel;
  selected: string;
  data: DataContext;
}) {
  const generation = useGeneration(model, selected);
  const zone = useStore(model.store, ({ scene }) => findZone(scene, selected));
  if (!generation || !zone) return null;
  const { generator, settings } = generation;
  const { Fields } = generator;
  return (
    <Section title={generator.name}>
      <Fields
        settings={settings}
        model={model}
        zone={zone}
        data={data}
        onChange={(next) => regenerate(model, generation, next)}
      />
      <p className={css.note}>
        It follows these settings until you change{' '}
        {zone.kind === 'container' ? 'one of its zones' : 'its cells'} by hand. This browser keeps them for
        the next time you open the board.
      </p>
    </Section>
  );
}
