import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  Grid2x2,
  Keyboard,
  Magnet,
  Plus,
  Redo2,
  Search,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { Layout } from '../../../../core/scene/layout.ts';
import { MAX_NAME_LENGTH } from '../../../../data/documents/documents.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { useUserObject } from '../../../../data/user-object/use-user-object.ts';
import { Menu } from '../../../../ui/menu/menu.tsx';
import { SaveStatus } from '../../../../ui/toolbar/save-status.tsx';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import bar from '../../../../ui/toolbar/toolbar.module.css';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { ADD_ZONE } from '../commands/add.ts';
import { GENERATE } from '../commands/board.ts';
import { REDO, UNDO } from '../commands/edit.ts';
import { PALETTE, SHORTCUTS, TOGGLE_GRID } from '../commands/view.ts';
import type { CommandContext } from '../commands.ts';
import { GENERATORS } from '../generators/generators.ts';
import type { Autosave } from '../state/saving/autosave.ts';
import { partOf, ZONE_KINDS } from '../zone-parts.ts';
import css from './panels.module.css';

/** Kinds of zones with a button, and those in the menu beside the buttons. */
const IN_BAR = ZONE_KINDS.filter((kind) => partOf({ kind }).add.inBar);
const IN_MENU = ZONE_KINDS.filter((kind) => !partOf({ kind }).add.inBar);

function AddZones({ commands }: { commands: CommandContext }) {
  return (
    <div className={bar.group}>
      {IN_BAR.map((kind) => {
        const { label, icon: Icon, add } = partOf({ kind });
        const tip = add.key === undefined ? add.label : `${add.label} (${add.key} draws it to size)`;
        return (
          <ToolButton key={kind} command={ADD_ZONE[kind]} context={commands} tip={tip}>
            <Icon size={17} aria-hidden /> {label}
          </ToolButton>
        );
      })}
      <Menu
        label="Add more"
        className={bar.tool ?? ''}
        width={190}
        items={[
          ...IN_MENU.map((kind) => {
            const { label, icon: Icon, add } = partOf({ kind });
            return {
              label,
              icon: <Icon size={15} />,
              onSelect: () => ADD_ZONE[kind].run(commands),
              ...(add.key !== undefined && { keys: add.key }),
            };
          }),
          ...GENERATORS.map(({ id, name, icon: Icon }, at) => ({
            label: name,
            icon: <Icon size={15} />,
            divided: at === 0,
            onSelect: () => GENERATE[id]?.run(commands),
          })),
        ]}
      >
        <Plus size={17} aria-hidden />
      </Menu>
    </div>
  );
}

function AutosaveStatus({ autosave }: { autosave: Autosave<Layout> }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.snapshot);
  const label =
    state === 'failed'
      ? `${describeError(autosave.error)} Trying again; keep this tab open.`
      : state === 'held'
        ? 'Kept on this machine until you save them for everybody'
        : undefined;
  return <SaveStatus state={state} label={label} />;
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
        className={bar.tool}
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
        className={bar.tool}
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
  peers,
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
  /** Others who are here. */
  peers: ReactNode;
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
    <div className={`${bar.bar} ${css.bar}`}>
      <Link to={back} className={bar.tool ?? ''} aria-label="Back">
        <ArrowLeft size={17} aria-hidden />
      </Link>
      <input
        className={css.name}
        aria-label="Layout name"
        placeholder="No name"
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
      <AutosaveStatus autosave={autosave} />
      <span className={bar.divider} />
      <AddZones commands={commands} />
      <span className={bar.divider} />
      <div className={bar.group}>
        <ToolButton command={UNDO} context={commands}>
          <Undo2 size={17} aria-hidden />
        </ToolButton>
        <ToolButton command={REDO} context={commands}>
          <Redo2 size={17} aria-hidden />
        </ToolButton>
        <Tooltip label="Snap to the 1 mm grid; hold Shift to move freely">
          <button
            type="button"
            className={bar.tool}
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
            className={bar.tool}
            aria-label="Show grid"
            aria-pressed={showGrid}
            onClick={() => void TOGGLE_GRID.run(commands)}
          >
            <Grid2x2 size={17} aria-hidden />
          </button>
        </Tooltip>
      </div>
      <div className={bar.group}>
        <ToolButton command={PALETTE} context={commands}>
          <Search size={17} aria-hidden />
        </ToolButton>
        <ToolButton command={SHORTCUTS} context={commands}>
          <Keyboard size={17} aria-hidden />
        </ToolButton>
      </div>
      <span className={bar.grow} />
      {peers}
      {menu}
      <RowSwitcher rows={rows} cards={cards} index={rowIndex} name={rowName} onRow={onRow} />
    </div>
  );
}
