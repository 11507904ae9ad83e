import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CloudCheck,
  Grid2x2,
  Grid3x3,
  Group,
  Hand,
  Image,
  Keyboard,
  LoaderCircle,
  type LucideIcon,
  Magnet,
  Plus,
  QrCode,
  Redo2,
  Repeat,
  Search,
  Shapes,
  Type,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { Layout } from '../../../../core/scene/zone.ts';
import { MAX_NAME_LENGTH } from '../../../../data/documents.ts';
import { describeError } from '../../../../data/messages.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import { Menu } from '../../../../ui/menu.tsx';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import {
  ADD_CODE,
  ADD_CONTAINER,
  ADD_GRID,
  ADD_IMAGE,
  ADD_ITERATOR,
  ADD_SHAPE,
  ADD_TEXT,
} from '../commands/add.ts';
import { REDO, UNDO } from '../commands/edit.ts';
import { PALETTE, SHORTCUTS, TOGGLE_GRID } from '../commands/view.ts';
import type { CommandContext } from '../commands.ts';
import type { Autosave, SaveState } from '../state/autosave.ts';
import css from './panels.module.css';
import { ToolButton } from './tool-button.tsx';

/** Further zones in the menu beside the three buttons. */
const MORE_ZONES = [
  { command: ADD_CONTAINER, label: 'Container', icon: <Group size={15} /> },
  { command: ADD_ITERATOR, label: 'Iterator', icon: <Repeat size={15} /> },
  { command: ADD_GRID, label: 'Grid', icon: <Grid3x3 size={15} /> },
  { command: ADD_CODE, label: 'QR or bar code', icon: <QrCode size={15} /> },
];

const SAVE_WORDS: Readonly<Record<SaveState, string>> = {
  saved: 'Saved',
  pending: 'Unsaved',
  saving: 'Saving…',
  failed: 'Not saved',
  held: 'Held back',
};

const SAVE_ICONS: Readonly<Record<SaveState, LucideIcon>> = {
  saved: CloudCheck,
  pending: LoaderCircle,
  saving: LoaderCircle,
  failed: CircleAlert,
  held: Hand,
};

function SaveNote({ autosave }: { autosave: Autosave<Layout> }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.snapshot);
  const Icon = SAVE_ICONS[state];
  const label =
    state === 'failed'
      ? `${describeError(autosave.error)} Trying again; keep this tab open.`
      : state === 'held'
        ? 'Kept on this machine until you save them for everybody'
        : 'Changes are saved by themselves';
  return (
    <Tooltip label={label}>
      <span className={css.save} data-state={state} role="status">
        <Icon size={15} aria-hidden />
        {SAVE_WORDS[state]}
      </span>
    </Tooltip>
  );
}

function RowSwitcher({
  rows,
  cards,
  index,
  name,
  onRow,
}: {
  rows: number;
  /** The rows that are cards; samples follow them. */
  cards: number;
  index: number;
  name: string | undefined;
  onRow: (index: number) => void;
}) {
  if (rows < 2) return null;
  return (
    <fieldset className={css.row} style={{ border: 0, margin: 0, padding: 0 }} aria-label="Card shown">
      <button
        type="button"
        className={css.tool}
        aria-label="Previous card"
        disabled={index === 0}
        onClick={() => onRow(index - 1)}
      >
        <ChevronLeft size={17} aria-hidden />
      </button>
      <span title={name}>{name}</span>
      {index < cards && (
        <span title={name}>
          {index + 1}/{cards}
        </span>
      )}
      <button
        type="button"
        className={css.tool}
        aria-label="Next card"
        disabled={index >= rows - 1}
        onClick={() => onRow(index + 1)}
      >
        <ChevronRight size={17} aria-hidden />
      </button>
    </fieldset>
  );
}

/** The bar above the editor. */
export function EditorBar({
  commands,
  autosave,
  back,
  rows,
  cards,
  rowIndex,
  rowName,
  onRow,
  menu,
}: {
  commands: CommandContext;
  autosave: Autosave<Layout>;
  back: string;
  rows: number;
  cards: number;
  rowIndex: number;
  rowName: string | undefined;
  onRow: (index: number) => void;
  /** Menu of the layout as a whole. */
  menu: ReactNode;
}) {
  const { model } = commands;
  const scene = useStore(model.store, (state) => state.scene);
  const { showGrid } = useUserObject().userObject;
  const snapping = useStore(model.store, (state) => state.snapping);
  // Undo and redo are greyed out by them.
  useStore(model.store, (state) => `${state.canUndo} ${state.canRedo}`);
  return (
    <div className={css.bar}>
      <Link to={back} className={css.tool ?? ''} aria-label="Back">
        <ArrowLeft size={17} aria-hidden />
      </Link>
      <input
        className={css.name}
        aria-label="Layout name"
        value={scene.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => {
          const name = event.currentTarget.value;
          model.act(
            (draft) => {
              draft.name = name;
            },
            { mergeKey: 'layout-name' },
          );
        }}
      />
      <SaveNote autosave={autosave} />
      <span className={css.rule} />
      <div className={css.group}>
        <ToolButton command={ADD_TEXT} context={commands}>
          <Type size={17} aria-hidden /> Text
        </ToolButton>
        <ToolButton command={ADD_IMAGE} context={commands}>
          <Image size={17} aria-hidden /> Image
        </ToolButton>
        <ToolButton command={ADD_SHAPE} context={commands}>
          <Shapes size={17} aria-hidden /> Shape
        </ToolButton>
        <Menu
          label="Add more"
          className={css.tool ?? ''}
          width={190}
          items={MORE_ZONES.map(({ command, label, icon }) => ({
            label,
            icon,
            onSelect: () => command.run(commands),
          }))}
        >
          <Plus size={17} aria-hidden />
        </Menu>
      </div>
      <span className={css.rule} />
      <div className={css.group}>
        <ToolButton command={UNDO} context={commands}>
          <Undo2 size={17} aria-hidden />
        </ToolButton>
        <ToolButton command={REDO} context={commands}>
          <Redo2 size={17} aria-hidden />
        </ToolButton>
        <Tooltip label="Snap to the 1 mm grid; hold Shift to move freely">
          <button
            type="button"
            className={css.tool}
            aria-label="Snap to grid"
            aria-pressed={snapping}
            onClick={() => model.setSnapping(!snapping)}
          >
            <Magnet size={17} aria-hidden />
          </button>
        </Tooltip>
        <Tooltip label="Show the grid of 1 and 5 mm">
          <button
            type="button"
            className={css.tool}
            aria-label="Show grid"
            aria-pressed={showGrid}
            onClick={() => void TOGGLE_GRID.run(commands)}
          >
            <Grid2x2 size={17} aria-hidden />
          </button>
        </Tooltip>
      </div>
      <div className={css.group}>
        <ToolButton command={PALETTE} context={commands}>
          <Search size={17} aria-hidden />
        </ToolButton>
        <ToolButton command={SHORTCUTS} context={commands}>
          <Keyboard size={17} aria-hidden />
        </ToolButton>
      </div>
      <span className={css.grow} />
      {menu}
      <RowSwitcher rows={rows} cards={cards} index={rowIndex} name={rowName} onRow={onRow} />
    </div>
  );
}
