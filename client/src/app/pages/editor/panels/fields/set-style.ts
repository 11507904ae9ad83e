import type { TextStyle } from '../../../../../core/scene/style/text-style.ts';
import type { TextZone } from '../../../../../core/scene/zones/text.ts';
import type { EditorModel } from '../../state/editor-store.ts';

/** Gives a property of a text's style its value; values that follow each other closely are one act. */
export type SetStyle = <K extends keyof TextStyle>(key: K, value: TextStyle[K]) => void;

/** Sets properties of a text zone's style. */
export const styleSetterOf =
  (model: EditorModel, { id }: TextZone): SetStyle =>
  (key, value) =>
    model.actOn<TextZone>(
      id,
      (draft) => {
        draft.style[key] = value;
      },
      `style.${key}`,
    );
