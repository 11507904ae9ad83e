import { Button } from '@mantine/core';
import { Brush, Eraser, Grid2x2Check, type LucideIcon, Minus, PaintBucket, Pipette } from 'lucide-react';
import { useStore } from 'zustand';
import { MAP_TOOLS, MAX_REACH, type MapTool } from '../../../../../core/board/stroke.ts';
import type { MapZone } from '../../../../../core/scene/zones/map.ts';
import { withKeys } from '../../../../../ui/commands/keys.ts';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import { Tooltip } from '../../../../../ui/tooltip.tsx';
import { MAP_TOOL_COMMANDS } from '../../commands/board.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { paintedMap, paintingOn, setPainting } from '../../state/edits/map-painting.ts';
import { Pair, Section } from '../fields/fields.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { SymmetryField } from '../fields/symmetry-field.tsx';
import css from '../panels.module.css';

const ICONS: Readonly<Record<MapTool, LucideIcon>> = {
  brush: Brush,
  line: Minus,
  rect: Grid2x2Check,
  fill: PaintBucket,
  erase: Eraser,
  pick: Pipette,
};

/** Tools that paint the cells of a map. */
export function MapTools({ zone, model }: { zone: MapZone; model: EditorModel }) {
  const asked = useStore(model.store, (state) => state.painting);
  const painting = asked && paintingOn(zone, asked);
  if (paintedMap(model)?.id !== zone.id) {
    return (
      <Section title="Paint">
        <p>
          {zone.locked
            ? 'The map is locked: unlock it in the list of layers to paint it.'
            : 'The table gives the cells their terrains: they are not painted here.'}
        </p>
      </Section>
    );
  }
  return (
    <Section title="Paint">
      <div className={css.buttons}>
        {MAP_TOOLS.map((tool) => {
          const command = MAP_TOOL_COMMANDS[tool];
          const Icon = ICONS[tool];
          return (
            <Tooltip key={tool} label={withKeys(command.label, command)}>
              <button
                type="button"
                className={bar.tool}
                aria-label={command.label}
                aria-pressed={painting?.tool === tool}
                onClick={() => setPainting(model, painting?.tool === tool ? null : { tool })}
              >
                <Icon size={16} aria-hidden />
              </button>
            </Tooltip>
          );
        })}
      </div>
      {painting && (
        <>
          <Pair>
            <NumberField
              label="Brush reach"
              whole
              min={0}
              max={MAX_REACH}
              value={painting.reach}
              onChange={(reach) => setPainting(model, { reach })}
            />
            <SymmetryField
              cells={zone.cells}
              value={painting.symmetry}
              onChange={(symmetry) => setPainting(model, { symmetry })}
            />
          </Pair>
          <Button size="compact-xs" variant="default" onClick={() => setPainting(model, null)}>
            Stop painting
          </Button>
        </>
      )}
    </Section>
  );
}
