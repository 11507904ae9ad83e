import { Button, TextInput } from '@mantine/core';
import { Eraser, PencilLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { MAX_TERRAINS } from '../../../../../core/board/terrain-data.ts';
import { EDGE_LINES, type EdgeKind, type EdgeLine } from '../../../../../core/scene/board/edge-kind.ts';
import { freeSymbol } from '../../../../../core/scene/board/terrain.ts';
import { MAX_NAME_LENGTH } from '../../../../../core/scene/limits.ts';
import type { MapZone } from '../../../../../core/scene/zones/map.ts';
import { isolated } from '../../../../../core/text/names.ts';
import { withKeys } from '../../../../../ui/commands/keys.ts';
import bar from '../../../../../ui/toolbar/toolbar.module.css';
import { Tooltip } from '../../../../../ui/tooltip.tsx';
import { EDGE_TOOL_COMMANDS } from '../../commands/board.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { deleteEdgeKind, drawingOn, edgedMap, setDrawing } from '../../state/edits/edge-drawing.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { ColorField, LengthField, Pair, Section, SelectField } from '../fields/fields.tsx';
import { SymmetryField } from '../fields/symmetry-field.tsx';
import panel from '../panels.module.css';
import css from './map-fields.module.css';

const MAX_WIDTH_MM = 50;
const LINE_WORDS: Readonly<Record<EdgeLine, string>> = {
  solid: 'Solid',
  dashed: 'Dashed',
  dotted: 'Dotted',
};

const TOOLS = [
  { erases: false, command: EDGE_TOOL_COMMANDS.draw, Icon: PencilLine },
  { erases: true, command: EDGE_TOOL_COMMANDS.erase, Icon: Eraser },
] as const;

/** Pencil and eraser for lines along the sides of cells. */
function EdgeTools({ zone, model }: { zone: MapZone; model: EditorModel }) {
  const asked = useStore(model.store, (state) => state.drawing);
  const drawing = asked && drawingOn(zone, asked);
  if (edgedMap(model)?.id !== zone.id)
    return (
      <p className={css.note}>
        {zone.locked ? 'The map is locked: unlock it in the list of layers.' : 'The table gives the edges.'}
      </p>
    );
  return (
    <>
      <div className={panel.buttons}>
        {TOOLS.map(({ erases, command, Icon }) => {
          const pressed = drawing?.erases === erases;
          return (
            <Tooltip key={command.id} label={withKeys(command.label, command)}>
              <button
                type="button"
                className={bar.tool}
                aria-label={command.label}
                aria-pressed={pressed}
                disabled={!erases && zone.edgeKinds.length === 0}
                onClick={() => setDrawing(model, pressed ? null : { erases })}
              >
                <Icon size={16} aria-hidden />
              </button>
            </Tooltip>
          );
        })}
      </div>
      {drawing && (
        <SymmetryField
          cells={zone.cells}
          value={drawing.symmetry}
          onChange={(symmetry) => setDrawing(model, { symmetry })}
        />
      )}
    </>
  );
}

/** A stretch of a kind of edge as it is painted. */
function EdgeSwatch({ kind }: { kind: EdgeKind }) {
  const width = Math.min(10, Math.max(1.5, kind.width * 3));
  return (
    <svg className={css.swatch} viewBox="0 0 24 24" aria-hidden>
      <rect width="24" height="24" fill="#fff" />
      <path
        d="M2 16 L9 9 L15 15 L22 8"
        fill="none"
        stroke={kind.color}
        strokeWidth={width}
        strokeLinecap={kind.line === 'dashed' ? 'butt' : 'round'}
        strokeLinejoin="round"
        strokeDasharray={EDGE_LINES[kind.line].map((length) => length * width).join(' ') || undefined}
      />
    </svg>
  );
}

/** Look of the chosen kind of edge. */
function EdgeForm({
  kind,
  model,
  change,
}: {
  kind: EdgeKind;
  model: EditorModel;
  change: <K extends keyof EdgeKind>(key: K) => (value: EdgeKind[K]) => void;
}) {
  return (
    <>
      <TextInput
        size="xs"
        label="Edge name"
        value={kind.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => change('name')(event.currentTarget.value)}
      />
      <Pair>
        <LengthField
          label="Edge width"
          model={model}
          min={0}
          max={MAX_WIDTH_MM}
          value={kind.width}
          onChange={change('width')}
        />
        <SelectField
          label="Edge line"
          value={kind.line}
          options={(Object.keys(EDGE_LINES) as EdgeLine[]).map((value) => ({
            value,
            label: LINE_WORDS[value],
          }))}
          onChange={change('line')}
        />
      </Pair>
      <ColorField label="Edge colour" value={kind.color} onChange={change('color')} />
    </>
  );
}

/** Kinds of lines along the sides of a map's cells: choosing one shows its look. */
export function EdgeFields({ zone, model }: ZoneFieldsProps<'map'>) {
  const [own, setOwn] = useState(zone.edgeKinds[0]?.symbol);
  const asked = useStore(model.store, (state) => state.drawing);
  const drawing = asked && drawingOn(zone, asked);
  // The kind that is drawn is the one looked at.
  const chosen = drawing && !drawing.erases ? drawing.kind : own;
  const kind = zone.edgeKinds.find(({ symbol }) => symbol === chosen) ?? zone.edgeKinds[0];
  const choose = (symbol: string) => {
    setOwn(symbol);
    if (drawing) setDrawing(model, { kind: symbol, erases: false });
  };
  const add = () => {
    const symbol = freeSymbol(zone.edgeKinds);
    if (symbol === undefined) return;
    model.actOn<MapZone>(zone.id, (draft) => {
      draft.edgeKinds.push({
        symbol,
        name: `Edge ${draft.edgeKinds.length + 1}`,
        color: '#555555',
        width: 1,
        line: 'solid',
      });
    });
    choose(symbol);
  };
  return (
    <Section title="Edges">
      <EdgeTools zone={zone} model={model} />
      <ul className={css.terrains}>
        {zone.edgeKinds.map((one) => (
          <li key={one.symbol}>
            <button
              type="button"
              className={css.terrain}
              aria-pressed={one.symbol === kind?.symbol}
              onClick={() => choose(one.symbol)}
            >
              <EdgeSwatch kind={one} />
              <span>{one.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {kind && (
        <EdgeForm
          key={kind.symbol}
          kind={kind}
          model={model}
          change={(key) => (value) =>
            model.actOn<MapZone>(
              zone.id,
              (draft) => {
                const found = draft.edgeKinds.find(({ symbol }) => symbol === kind.symbol);
                if (found) found[key] = value;
              },
              `edge ${kind.symbol} ${key}`,
            )
          }
        />
      )}
      <div className={css.row}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={zone.edgeKinds.length >= MAX_TERRAINS}
          onClick={add}
        >
          Add edge
        </Button>
        {kind && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            aria-label={`Delete edge ${isolated(kind.name)} and all lines of it`}
            onClick={() => deleteEdgeKind(model, zone.id, kind.symbol)}
          >
            Delete
          </Button>
        )}
      </div>
    </Section>
  );
}
