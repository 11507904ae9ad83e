import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CloudCheck,
  Image,
  LoaderCircle,
  Magnet,
  Redo2,
  Shapes,
  Type,
  Undo2,
} from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { Layout } from '../../../../core/scene/zone.ts';
import { MAX_NAME_LENGTH } from '../../../../data/documents.ts';
import { describeError } from '../../../../data/messages.ts';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { ADD_IMAGE, ADD_SHAPE, ADD_TEXT, type CommandContext, REDO, UNDO } from '../commands.ts';
import type { Autosave, SaveState } from '../state/autosave.ts';
import css from './panels.module.css';
import { ToolButton } from './tool-button.tsx';

const SAVE_WORDS: Readonly<Record<SaveState, string>> = {
  saved: 'Saved',
  pending: 'Unsaved',
  saving: 'Saving…',
  failed: 'Not saved',
};

function SaveNote({ autosave }: { autosave: Autosave<Layout> }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.snapshot);
  const Icon = state === 'failed' ? CircleAlert : state === 'saved' ? CloudCheck : LoaderCircle;
  const label =
    state === 'failed'
      ? `${describeError(autosave.error)} Trying again; keep this tab open.`
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
  index,
  name,
  onRow,
}: {
  rows: number;
  index: number;
  name: string | undefined;
  onRow: (index: number) => void;
}) {
  if (rows === 0) return null;
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
      <span>
        {index + 1}/{rows}
      </span>
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
  rowIndex,
  rowName,
  onRow,
}: {
  commands: CommandContext;
  autosave: Autosave<Layout>;
  back: string;
  rows: number;
  rowIndex: number;
  rowName: string | undefined;
  onRow: (index: number) => void;
}) {
  const { model } = commands;
  const { scene, snapping } = useStore(model.store);
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
      </div>
      <span className={css.grow} />
      <RowSwitcher rows={rows} index={rowIndex} name={rowName} onRow={onRow} />
    </div>
  );
}
