import { useStore } from 'zustand';
import type { DataContext } from '../panels/binding-field.tsx';
import { Section } from '../panels/fields.tsx';
import css from '../panels/map-fields.module.css';
import type { EditorModel } from '../state/editor-store.ts';
import { goesOn, regenerate } from './generation.ts';

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
  const generation = useStore(model.store, (state) => state.generation);
  // The group's zones decide whether it goes on.
  useStore(model.store, (state) => state.scene);
  if (generation?.zone !== selected || !goesOn(model, generation)) return null;
  const { generator, settings } = generation;
  const { Fields } = generator;
  return (
    <Section title={generator.name}>
      <Fields settings={settings} data={data} onChange={(next) => regenerate(model, generation, next)} />
      <p className={css.note}>
        It follows these settings until you change one of its zones or leave the board.
      </p>
    </Section>
  );
}
