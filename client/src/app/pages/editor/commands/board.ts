import { MAX_REACH, type MapTool } from '../../../../core/board/stroke.ts';
import { startGeneration } from '../generators/generation.ts';
import { GENERATORS } from '../generators/generators.ts';
import { edgedMap, setDrawing, worksOnMap } from '../state/edits/edge-drawing.ts';
import { paintedMap, setPainting } from '../state/edits/map-painting.ts';
import type { Command, CommandContext } from './command.ts';

const hasMap = ({ model }: CommandContext): boolean => paintedMap(model) !== undefined;
const isPainting = (context: CommandContext): boolean =>
  hasMap(context) && context.model.state.painting !== null;

function tool(id: MapTool, label: string, key: string): Command {
  return {
    id: `map-${id}`,
    label,
    group: 'Map',
    keys: [key],
    when: hasMap,
    run: ({ model }) => setPainting(model, { tool: id }),
  };
}

/** Tools of a map, in the order of their buttons. */
export const MAP_TOOL_COMMANDS: Readonly<Record<MapTool, Command>> = {
  brush: tool('brush', 'Paint cells', 'B'),
  line: tool('line', 'Paint a line of cells', 'L'),
  rect: tool('rect', 'Paint a rectangle of cells', 'U'),
  fill: tool('fill', 'Fill an area of cells', 'G'),
  erase: tool('erase', 'Erase cells', 'E'),
  pick: tool('pick', 'Take a cell’s terrain', 'K'),
};

function edgeTool(erases: boolean, label: string, key: string): Command {
  return {
    id: erases ? 'map-erase-edges' : 'map-draw-edges',
    label,
    group: 'Map',
    keys: [key],
    when: ({ model }) => edgedMap(model) !== undefined,
    run: ({ model }) => setDrawing(model, { erases }),
  };
}

/** Tools for lines along the sides of a map's cells. */
export const EDGE_TOOL_COMMANDS = {
  draw: edgeTool(false, 'Draw along edges of cells', 'D'),
  erase: edgeTool(true, 'Erase lines along edges', 'Shift+D'),
} as const;

/** The pointer moves zones again. */
export const STOP_PAINTING: Command = {
  id: 'map-stop',
  label: 'Stop painting cells',
  group: 'Map',
  keys: ['V'],
  when: ({ model }) => worksOnMap(model),
  run: ({ model }) => model.view({ painting: null, drawing: null }),
};

function reach(by: 1 | -1, label: string, key: string): Command {
  return {
    id: by > 0 ? 'map-wider' : 'map-narrower',
    label,
    group: 'Map',
    keys: [key],
    when: isPainting,
    run({ model }) {
      const now = model.state.painting?.reach ?? 0;
      setPainting(model, { reach: Math.min(MAX_REACH, Math.max(0, now + by)) });
    },
  };
}

/** A command that begins with a generator, by the generator's id. */
export const GENERATE: Readonly<Record<string, Command>> = Object.fromEntries(
  GENERATORS.map((generator) => [
    generator.id,
    {
      id: `generate-${generator.id}`,
      label: generator.label,
      group: 'Add',
      run: ({ model }: CommandContext) => startGeneration(model, generator),
    } satisfies Command,
  ]),
);

export const BOARD_COMMANDS: readonly Command[] = [
  ...Object.values(GENERATE),
  ...Object.values(MAP_TOOL_COMMANDS),
  ...Object.values(EDGE_TOOL_COMMANDS),
  reach(-1, 'Narrower brush for cells', '['),
  reach(1, 'Wider brush for cells', ']'),
  STOP_PAINTING,
];
