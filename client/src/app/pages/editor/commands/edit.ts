import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import { withNewIds } from '../../../../core/scene/new-ids.ts';
import { newZone, type Zone } from '../../../../core/scene/zones.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import { around } from '../geometry/snap-targets.ts';
import { newZoneId } from '../new-zone-id.ts';
import { readClipboard, styleOf, withStyle, writeClipboard } from '../state/edits/clipboard.ts';
import { shifted } from '../state/zones/shifted.ts';
import { allZones, findZone, freeName, outermost, siblingsOf, takeOut } from '../state/zones/zones.ts';
import {
  type Command,
  type CommandContext,
  freeIds,
  hasFree,
  hasSelection,
  hasSeveral,
  inAllLanguages,
} from './command.ts';

/** Offset of a copy from its original, in millimetres. */
const COPY_OFFSET_MM = 3;

export const UNDO: Command = {
  id: 'undo',
  label: 'Undo',
  group: 'Document',
  keys: ['Ctrl+Z'],
  when: ({ model }) => model.state.canUndo,
  run: ({ model }) => model.undo(),
};

export const REDO: Command = {
  id: 'redo',
  label: 'Redo',
  group: 'Document',
  keys: ['Ctrl+Y', 'Ctrl+Shift+Z'],
  when: ({ model }) => model.state.canRedo,
  run: ({ model }) => model.redo(),
};

export const SAVE: Command = {
  id: 'save',
  label: 'Save now',
  group: 'Document',
  keys: ['Ctrl+S'],
  inFields: true,
  run: ({ save }) => save(),
};

/** The selected zones as they are stored: a copy has what each language has of its own, and no language's in its place. */
function storedZones({ model }: CommandContext): Zone[] {
  const { scene, document, selection } = model.state;
  const chosen = new Set(outermost(scene, selection));
  // In paint order, whatever the order they were selected in.
  return allZones(document.zones).filter((zone) => chosen.has(zone.id));
}

export const DELETE: Command = {
  id: 'delete',
  label: 'Delete',
  group: 'Edit',
  keys: ['Delete', 'Backspace'],
  when: hasFree,
  run(context) {
    const ids = freeIds(context);
    context.model.act(
      (scene) => {
        for (const id of ids) takeOut(scene.zones, id);
      },
      { select: null },
    );
  },
};

export const DUPLICATE: Command = {
  id: 'duplicate',
  label: 'Duplicate',
  group: 'Edit',
  keys: ['Ctrl+D'],
  when: hasSelection,
  run(context) {
    const zones = storedZones(context);
    const copies = withNewIds(zones, newZoneId).map((zone, at) => ({
      of: zones[at]?.id ?? '',
      copy: {
        ...shifted(zone, COPY_OFFSET_MM, COPY_OFFSET_MM),
        name: `${cutText(zone.name, MAX_NAME_LENGTH - ' copy'.length)} copy`,
      },
    }));
    context.model.act(
      (draft) => {
        for (const { of, copy } of copies) {
          const list = siblingsOf(draft.zones, of);
          list?.splice(list.findIndex((one) => one.id === of) + 1, 0, copy);
        }
      },
      { select: copies.map(({ copy }) => copy.id) },
    );
  },
};

const COPY: Command = {
  id: 'copy',
  label: 'Copy',
  group: 'Edit',
  keys: ['Ctrl+C'],
  when: hasSelection,
  run: (context) => writeClipboard({ zones: storedZones(context) }),
};

const CUT: Command = {
  id: 'cut',
  label: 'Cut',
  group: 'Edit',
  keys: ['Ctrl+X'],
  when: hasFree,
  run(context) {
    COPY.run(context);
    DELETE.run(context);
  },
};

const PASTE: Command = {
  id: 'paste',
  label: 'Paste',
  group: 'Edit',
  keys: ['Ctrl+V'],
  when: () => readClipboard().zones.length > 0,
  run({ model }) {
    const there = new Set(
      allZones(model.state.document.zones).map((zone) => `${zone.x} ${zone.y} ${zone.name}`),
    );
    const zones = withNewIds(readClipboard().zones, newZoneId).map((zone) => {
      // Pasted where it was copied from, a zone would hide its like.
      const over = there.has(`${zone.x} ${zone.y} ${zone.name}`);
      return over ? shifted(zone, COPY_OFFSET_MM, COPY_OFFSET_MM) : zone;
    });
    model.act((draft) => void draft.zones.push(...zones), { select: zones.map(({ id }) => id) });
  },
};

const COPY_STYLE: Command = {
  id: 'copy-style',
  label: 'Copy style',
  group: 'Edit',
  keys: ['Ctrl+Alt+C'],
  when: ({ model }) => model.state.selected !== null,
  run({ model }) {
    const zone = findZone(model.state.scene, model.state.selected);
    if (zone) writeClipboard({ style: styleOf(zone) });
  },
};

const PASTE_STYLE: Command = {
  id: 'paste-style',
  label: 'Paste style only',
  group: 'Edit',
  keys: ['Ctrl+Alt+V'],
  when: (context) => hasFree(context) && readClipboard().style !== null,
  run(context) {
    const { style } = readClipboard();
    if (!style) return;
    context.model.actOnEach(freeIds(context), (zone) => void Object.assign(zone, withStyle(zone, style)));
  },
};

const SELECT_ALL: Command = {
  id: 'select-all',
  label: 'Select all',
  group: 'Edit',
  keys: ['Ctrl+A'],
  when: ({ model }) => model.state.scene.zones.length > 0,
  run: ({ model }) =>
    model.selectAll(
      model.state.scene.zones.filter((zone) => !zone.locked && !zone.hidden).map(({ id }) => id),
    ),
};

const DESELECT: Command = {
  id: 'deselect',
  label: 'Select the card',
  group: 'Edit',
  keys: ['Escape'],
  when: hasSelection,
  run: ({ model }) => model.select(null),
};

const GROUP: Command = {
  id: 'group',
  label: 'Group',
  group: 'Edit',
  keys: ['Ctrl+G'],
  when: (context) => {
    if (!inAllLanguages(context.model)) return false;
    if (!hasSeveral(context) || freeIds(context).length !== context.model.state.selection.length)
      return false;
    // Only zones that lie in one list can become one.
    const lists = new Set(
      storedZones(context).map((zone) => siblingsOf(context.model.state.document.zones, zone.id)),
    );
    return lists.size === 1;
  },
  run(context) {
    const { model } = context;
    const zones = storedZones(context);
    const box = around(zones);
    const last = zones.at(-1);
    if (!box || !last) return;
    const group = {
      ...newZone('container', newZoneId(), freeName(model.state.scene, 'container'), box),
      arrange: 'free' as const,
    };
    group.children = zones.map((zone) => shifted(zone, -box.x, -box.y));
    model.act(
      (draft) => {
        const list = siblingsOf(draft.zones, last.id);
        if (!list) return;
        list.splice(list.findIndex((zone) => zone.id === last.id) + 1, 0, group);
        for (const { id } of zones)
          list.splice(
            list.findIndex((zone) => zone.id === id),
            1,
          );
      },
      { select: group.id },
    );
  },
};

const UNGROUP: Command = {
  id: 'ungroup',
  label: 'Ungroup',
  group: 'Edit',
  keys: ['Ctrl+Shift+G'],
  when: ({ model }) => {
    const zone = findZone(model.state.scene, model.state.selected);
    return inAllLanguages(model) && zone?.kind === 'container' && !zone.locked && zone.rotation % 360 === 0;
  },
  run({ model }) {
    const zone = findZone(model.state.scene, model.state.selected);
    if (zone?.kind !== 'container') return;
    const children = zone.children.map((child) => shifted(child, zone.x, zone.y));
    model.act(
      (draft) => {
        const list = siblingsOf(draft.zones, zone.id);
        list?.splice(
          list.findIndex((one) => one.id === zone.id),
          1,
          ...children,
        );
      },
      { select: children.map(({ id }) => id) },
    );
  },
};

function flip(id: string, label: string, key: string, field: 'locked' | 'hidden'): Command {
  return {
    id,
    label,
    group: 'Edit',
    keys: [key],
    when: hasSelection,
    run({ model }) {
      const { scene, selection } = model.state;
      const on = selection.some((zone) => findZone(scene, zone)?.[field] === false);
      model.actOnEach(selection, (zone) => {
        zone[field] = on;
      });
    },
  };
}

export const WRITE: Command = {
  id: 'write',
  label: 'Write in the text',
  group: 'Edit',
  keys: ['Enter', 'F2'],
  when: ({ model }) => {
    const zone = findZone(model.state.scene, model.state.selected);
    return zone?.kind === 'text' && !zone.locked && !zone.bindings.text;
  },
  run: ({ model }) => model.view({ writing: model.state.selected, tool: null }),
};

export const EDIT_COMMANDS: readonly Command[] = [
  UNDO,
  REDO,
  SAVE,
  COPY,
  CUT,
  PASTE,
  COPY_STYLE,
  PASTE_STYLE,
  DUPLICATE,
  DELETE,
  SELECT_ALL,
  DESELECT,
  GROUP,
  UNGROUP,
  flip('lock', 'Lock or unlock', 'Ctrl+Shift+L', 'locked'),
  flip('hide', 'Hide or show', 'Ctrl+Shift+H', 'hidden'),
  WRITE,
];
