import { newZone } from '../../../core/scene/defaults.ts';
import type { ZoneKind } from '../../../core/scene/zone.ts';
import { tidy } from './geometry/snap.ts';
import { newZoneId } from './new-zone-id.ts';
import type { EditorModel } from './state/editor-store.ts';
import { findZone, freeName, siblingsOf } from './state/zones.ts';

/** What a command works on. */
export interface CommandContext {
  readonly model: EditorModel;
  readonly save: () => void;
}

/** One thing the editor can do; buttons, shortcuts and help all read this. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Shortcut as `Ctrl+Shift+Z`; Ctrl also means Command on a Mac. */
  readonly keys?: readonly string[];
  readonly when?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

/** How far an arrow key moves a zone, and with Shift, in millimetres. */
export const NUDGE_MM = 0.5;
export const BIG_NUDGE_MM = 5;

const hasZone = ({ model }: CommandContext) => model.state.selected !== null;
const isFree = ({ model }: CommandContext) => {
  const zone = findZone(model.state.scene, model.state.selected);
  return zone !== undefined && !zone.locked;
};

const NEW_SIZES: Readonly<Record<ZoneKind, readonly [number, number]>> = {
  text: [0.7, 0.12],
  image: [0.7, 0.4],
  shape: [0.4, 0.25],
  container: [0.7, 0.3],
  grid: [0.7, 0.5],
  iterator: [0.7, 0.1],
  code: [0.3, 0.22],
};

/** Adds a zone in the middle of the card and selects it. */
export function addZone(kind: ZoneKind): Command {
  return {
    id: `add-${kind}`,
    label: `Add ${kind}`,
    keys: [kind === 'text' ? 'T' : kind === 'image' ? 'I' : 'S'],
    run({ model }) {
      const { scene } = model.state;
      const [shareW, shareH] = NEW_SIZES[kind];
      const w = Math.round(scene.size.w * shareW);
      const h = Math.round(scene.size.h * shareH);
      const box = { x: Math.round((scene.size.w - w) / 2), y: Math.round((scene.size.h - h) / 2), w, h };
      const zone = newZone(kind, newZoneId(), freeName(scene, kind), box);
      if (zone.kind === 'text') zone.text = 'New text';
      model.act((draft) => void draft.zones.push(zone), { select: zone.id });
    },
  };
}

function nudge(label: string, key: string, dx: number, dy: number): Command[] {
  return [NUDGE_MM, BIG_NUDGE_MM].map((step) => ({
    id: `nudge-${label}-${step}`,
    label: `Move ${label} by ${step} mm`,
    keys: [step === NUDGE_MM ? key : `Shift+${key}`],
    when: isFree,
    run({ model }) {
      const id = model.state.selected;
      if (id === null) return;
      model.actOn(
        id,
        (zone) => {
          zone.x = tidy(zone.x + dx * step);
          zone.y = tidy(zone.y + dy * step);
        },
        'nudge',
      );
    },
  }));
}

/** Moves a zone within its list. */
function reorder(id: string, label: string, key: string, by: 1 | -1): Command {
  return {
    id,
    label,
    keys: [key],
    when: hasZone,
    run({ model }) {
      const zoneId = model.state.selected;
      if (zoneId === null) return;
      model.act((scene) => {
        const list = siblingsOf(scene.zones, zoneId);
        const from = list?.findIndex((zone) => zone.id === zoneId) ?? -1;
        const to = from + by;
        if (!list || from < 0 || to < 0 || to >= list.length) return;
        const [zone] = list.splice(from, 1);
        if (zone) list.splice(to, 0, zone);
      });
    },
  };
}

export const UNDO: Command = {
  id: 'undo',
  label: 'Undo',
  keys: ['Ctrl+Z'],
  when: ({ model }) => model.state.canUndo,
  run: ({ model }) => model.undo(),
};

export const REDO: Command = {
  id: 'redo',
  label: 'Redo',
  keys: ['Ctrl+Y', 'Ctrl+Shift+Z'],
  when: ({ model }) => model.state.canRedo,
  run: ({ model }) => model.redo(),
};

export const DELETE: Command = {
  id: 'delete',
  label: 'Delete',
  keys: ['Delete', 'Backspace'],
  when: isFree,
  run({ model }) {
    const id = model.state.selected;
    if (id === null) return;
    model.act(
      (scene) => {
        const list = siblingsOf(scene.zones, id);
        const at = list?.findIndex((zone) => zone.id === id) ?? -1;
        if (list && at >= 0) list.splice(at, 1);
      },
      { select: null },
    );
  },
};

export const DUPLICATE: Command = {
  id: 'duplicate',
  label: 'Duplicate',
  keys: ['Ctrl+D'],
  when: hasZone,
  run({ model }) {
    const { scene, selected } = model.state;
    const zone = findZone(scene, selected);
    if (!zone || zone.kind === 'container') return;
    const copy = {
      ...structuredClone(zone),
      id: newZoneId(),
      name: `${zone.name} copy`,
      x: zone.x + 3,
      y: zone.y + 3,
    };
    model.act(
      (draft) => {
        const list = siblingsOf(draft.zones, zone.id);
        list?.splice(list.findIndex((one) => one.id === zone.id) + 1, 0, copy);
      },
      { select: copy.id },
    );
  },
};

export const FORWARD = reorder('forward', 'Bring forward', 'Ctrl+]', 1);
export const BACKWARD = reorder('backward', 'Send backward', 'Ctrl+[', -1);
export const ADD_TEXT = addZone('text');
export const ADD_IMAGE = addZone('image');
export const ADD_SHAPE = addZone('shape');

export const SAVE: Command = { id: 'save', label: 'Save now', keys: ['Ctrl+S'], run: ({ save }) => save() };

const DESELECT: Command = {
  id: 'deselect',
  label: 'Select the card',
  keys: ['Escape'],
  when: hasZone,
  run: ({ model }) => model.select(null),
};

/** Every command with a shortcut. */
export const COMMANDS: readonly Command[] = [
  UNDO,
  REDO,
  SAVE,
  DUPLICATE,
  DELETE,
  FORWARD,
  BACKWARD,
  ADD_TEXT,
  ADD_IMAGE,
  ADD_SHAPE,
  DESELECT,
  ...nudge('left', 'ArrowLeft', -1, 0),
  ...nudge('right', 'ArrowRight', 1, 0),
  ...nudge('up', 'ArrowUp', 0, -1),
  ...nudge('down', 'ArrowDown', 0, 1),
];

/** The pressed keys as commands spell them. */
export function spell(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return [
    event.ctrlKey || event.metaKey ? 'Ctrl+' : '',
    event.altKey ? 'Alt+' : '',
    event.shiftKey ? 'Shift+' : '',
    key,
  ].join('');
}

/** Runs the command of the pressed keys; false when there is none. */
export function runShortcut(event: KeyboardEvent, context: CommandContext): boolean {
  const spelled = spell(event);
  const command = COMMANDS.find((one) => one.keys?.includes(spelled));
  if (!command || command.when?.(context) === false) return false;
  command.run(context);
  return true;
}
