import type { ZoneOf } from '../../../../../core/scene/zones.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { ColorField, LengthField } from '../fields/fields.tsx';

type CellZone = ZoneOf<'grid' | 'map'>;

/** The line around each cell. */
export function CellLineFields({ zone, model }: { zone: CellZone; model: EditorModel }) {
  const act = (recipe: (draft: CellZone) => void, mergeKey: string) =>
    model.actOn<CellZone>(zone.id, recipe, mergeKey);
  return (
    <>
      <LengthField
        label="Cell line"
        model={model}
        min={0}
        max={50}
        value={zone.cellStroke.width}
        onChange={(width) =>
          act((draft) => {
            draft.cellStroke.width = width;
          }, 'cellStroke.width')
        }
      />
      <ColorField
        label="Cell line colour"
        value={zone.cellStroke.color}
        onChange={(color) =>
          act((draft) => {
            draft.cellStroke.color = color;
          }, 'cellStroke.color')
        }
      />
    </>
  );
}
