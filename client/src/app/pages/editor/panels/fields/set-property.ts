import type { Zone } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';

/** Gives a property of a zone its value; values that follow each other closely are one act. */
export type SetProperty<Z extends Zone> = <K extends keyof Z & string>(key: K) => (value: Z[K]) => void;

/** Sets properties of one zone: `set('gap')` wants the new gap. */
export const setterOf =
  <Z extends Zone>(model: EditorModel, zone: Z): SetProperty<Z> =>
  (key) =>
  (value) =>
    model.actOn<Z>(
      zone.id,
      (draft) => {
        draft[key] = value;
      },
      key,
    );
