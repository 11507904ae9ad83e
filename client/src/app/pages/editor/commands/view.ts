import { saveUserObject } from '../../../../data/user-object/use-user-object.ts';
import type { Command } from './command.ts';

const ZOOM_STEP = 1.25;

const hasView: NonNullable<Command['when']> = ({ view }) => view !== undefined;

export const TOGGLE_SNAP: Command = {
  id: 'snap',
  label: 'Snap on or off',
  group: 'View',
  keys: ["Ctrl+'"],
  run: ({ model }) => model.setSnapping(!model.state.snapping),
};

/** Draws the grid that things snap to, or hides it: kept with the account. */
export const TOGGLE_GRID: Command = {
  id: 'grid-lines',
  label: 'Grid shown or hidden',
  group: 'View',
  keys: ["Ctrl+Shift+'"],
  run: () => void saveUserObject(({ showGrid }) => ({ showGrid: !showGrid })),
};

/** Marks variables in text fields, or leaves them plain: kept with the account. */
export const TOGGLE_VARIABLES: Command = {
  id: 'variables-marked',
  label: 'Variables in texts marked or plain',
  group: 'View',
  run: () => void saveUserObject(({ variableHighlight }) => ({ variableHighlight: !variableHighlight })),
};

export const TOGGLE_RULERS: Command = {
  id: 'rulers',
  label: 'Rulers and guides on or off',
  group: 'View',
  keys: ['Shift+R'],
  run: ({ model }) => model.view({ rulers: !model.state.rulers }),
};

function guide(axis: 'x' | 'y', label: string): Command {
  return {
    id: `guide-${axis}`,
    label,
    group: 'View',
    run({ model }) {
      const { w, h } = model.state.scene.size;
      model.view({ rulers: true });
      model.act((draft) => void draft.guides[axis].push((axis === 'x' ? w : h) / 2));
    },
  };
}

const CLEAR_GUIDES: Command = {
  id: 'clear-guides',
  label: 'Remove all guides',
  group: 'View',
  when: ({ model }) => model.state.scene.guides.x.length + model.state.scene.guides.y.length > 0,
  run: ({ model }) =>
    model.act((draft) => {
      draft.guides = { x: [], y: [] };
    }),
};

export const SHORTCUTS: Command = {
  id: 'shortcuts',
  label: 'All shortcuts',
  group: 'View',
  keys: ['?', 'Shift+?'],
  run: ({ model }) => model.view({ panel: 'shortcuts' }),
};

export const PALETTE: Command = {
  id: 'palette',
  label: 'Find a command',
  group: 'View',
  keys: ['Ctrl+K'],
  inFields: true,
  run: ({ model }) => model.view({ panel: 'palette' }),
};

export const ZOOM_IN: Command = {
  id: 'zoom-in',
  label: 'Zoom in',
  group: 'View',
  keys: ['Ctrl+=', 'Ctrl++'],
  when: hasView,
  run: ({ view }) => view?.zoomBy(ZOOM_STEP),
};

export const ZOOM_OUT: Command = {
  id: 'zoom-out',
  label: 'Zoom out',
  group: 'View',
  keys: ['Ctrl+-'],
  when: hasView,
  run: ({ view }) => view?.zoomBy(1 / ZOOM_STEP),
};

export const FIT: Command = {
  id: 'fit',
  label: 'Fit the card',
  group: 'View',
  keys: ['Ctrl+0', 'F'],
  when: hasView,
  run: ({ view }) => view?.fit(),
};

export const REAL_SIZE: Command = {
  id: 'real-size',
  label: 'Real size',
  group: 'View',
  keys: ['Ctrl+1'],
  when: hasView,
  run: ({ view }) => view?.realSize(),
};

export const MEASURE_SCREEN: Command = {
  id: 'measure-screen',
  label: 'Match real size to this screen',
  group: 'View',
  when: hasView,
  run: ({ model }) => model.view({ panel: 'real-size' }),
};

function step(by: 1 | -1, label: string, key: string): Command {
  return {
    id: by > 0 ? 'next-card' : 'previous-card',
    label,
    group: 'View',
    keys: [key],
    when: ({ view }) => view?.hasCard(by) === true,
    run: ({ view }) => view?.step(by),
  };
}

export const VIEW_COMMANDS: readonly Command[] = [
  PALETTE,
  SHORTCUTS,
  ZOOM_IN,
  ZOOM_OUT,
  FIT,
  REAL_SIZE,
  MEASURE_SCREEN,
  TOGGLE_SNAP,
  TOGGLE_GRID,
  TOGGLE_RULERS,
  TOGGLE_VARIABLES,
  guide('x', 'Add an upright guide'),
  guide('y', 'Add a level guide'),
  CLEAR_GUIDES,
  step(-1, 'Previous card', ','),
  step(1, 'Next card', '.'),
];
