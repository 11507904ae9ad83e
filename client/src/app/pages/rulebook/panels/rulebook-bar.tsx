import {
  ArrowLeft,
  Bold,
  CircleAlert,
  CloudCheck,
  CloudOff,
  Download,
  Italic,
  Keyboard,
  List,
  ListOrdered,
  LoaderCircle,
  type LucideIcon,
  Plus,
  Redo2,
  Settings2,
  Table2,
  Undo2,
} from 'lucide-react';
import type { EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { describeError } from '../../../../data/messages.ts';
import type { RulebookSync, SyncState } from '../../../../data/rulebooks/sync.ts';
import { canRun } from '../../../../ui/commands/command.ts';
import { withKeys } from '../../../../ui/commands/keys.ts';
import { Menu } from '../../../../ui/menu.tsx';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import {
  BULLETS,
  EMPHASIS,
  HEADINGS,
  INSERT,
  PARAGRAPH,
  REDO,
  RULE,
  type RulebookCommand,
  type RulebookContext,
  SHORTCUTS,
  STEPS,
  STRONG,
  TABLE_COMMANDS,
  UNDO,
} from '../commands/commands.ts';
import css from '../rulebook.module.css';

const SAVE_WORDS: Readonly<Record<SyncState | 'offline', string>> = {
  saved: 'Saved',
  pending: 'Unsaved',
  saving: 'Saving…',
  failed: 'Not saved',
  refused: 'Too much',
  offline: 'Offline',
};
const SAVE_ICONS: Readonly<Record<SyncState | 'offline', LucideIcon>> = {
  saved: CloudCheck,
  pending: LoaderCircle,
  saving: LoaderCircle,
  failed: CircleAlert,
  refused: CircleAlert,
  offline: CloudOff,
};

const onLine = (callback: () => void): (() => void) => {
  window.addEventListener('online', callback);
  window.addEventListener('offline', callback);
  return () => {
    window.removeEventListener('online', callback);
    window.removeEventListener('offline', callback);
  };
};

function SaveNote({ sync }: { sync: RulebookSync }) {
  const stored = useSyncExternalStore(sync.subscribe, sync.snapshot);
  const connected = useSyncExternalStore(onLine, () => navigator.onLine);
  const state = !connected && stored !== 'refused' ? 'offline' : stored;
  const Icon = SAVE_ICONS[state];
  const label =
    state === 'refused'
      ? `${describeError(sync.error)} Undo it, and the rest is saved.`
      : state === 'offline'
        ? 'Go on writing and keep this tab open: what you write is saved when the connection is back.'
        : state === 'failed'
          ? `${describeError(sync.error)} Trying again; keep this tab open.`
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

function Tool({
  command,
  context,
  pressed,
  children,
}: {
  command: RulebookCommand;
  context: RulebookContext | undefined;
  pressed?: boolean;
  children: ReactNode;
}) {
  return (
    <Tooltip label={withKeys(command.label, command)}>
      <button
        type="button"
        className={css.tool}
        aria-label={command.label}
        aria-pressed={pressed}
        disabled={!context || !canRun(command, context)}
        onClick={() => context && command.run(context)}
      >
        {children}
      </button>
    </Tooltip>
  );
}

const BLOCKS = [PARAGRAPH, ...HEADINGS, RULE];

/** Name of the kind of text that the cursor is in. */
function kindOfText({ selection }: EditorState): string {
  const { parent } = selection.$from;
  if (parent.type.name === 'heading') return `Heading ${parent.attrs.level}`;
  return parent.type.name === 'rule' ? RULE.label : PARAGRAPH.label;
}

function isMarked(
  { selection, storedMarks, doc, schema }: EditorState,
  name: 'strong' | 'emphasis',
): boolean {
  const type = schema.marks[name];
  if (!type) return false;
  const { from, to, empty, $from } = selection;
  return empty ? Boolean(type.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, type);
}

/** The bar above the text. */
export function RulebookBar({
  back,
  title,
  sync,
  state,
  context,
  mayEdit,
  onSettings,
  onExport,
}: {
  /** Address of the project. */
  back: string;
  title: string;
  sync: RulebookSync;
  state: EditorState;
  context: RulebookContext | undefined;
  mayEdit: boolean;
  onSettings: () => void;
  onExport: () => void;
}) {
  return (
    <div className={css.bar}>
      <Link to={back} className={css.tool ?? ''} aria-label="Back to the project">
        <ArrowLeft size={17} aria-hidden />
      </Link>
      <h1 className={css.bookTitle}>{title}</h1>
      {mayEdit && <SaveNote sync={sync} />}
      {mayEdit && (
        <div className={css.group} role="toolbar" aria-label="Text">
          <span className={css.divider} />
          <Tool command={UNDO} context={context}>
            <Undo2 size={17} aria-hidden />
          </Tool>
          <Tool command={REDO} context={context}>
            <Redo2 size={17} aria-hidden />
          </Tool>
          <span className={css.divider} />
          <Menu
            label={`Kind of text: ${kindOfText(state)}`}
            className={css.kind ?? ''}
            items={BLOCKS.map((command) => ({
              id: command.id,
              label: command.label,
              disabled: !context || !canRun(command, context),
              onSelect: () => context && command.run(context),
            }))}
          >
            {kindOfText(state)}
          </Menu>
          <Tool command={STRONG} context={context} pressed={isMarked(state, 'strong')}>
            <Bold size={17} aria-hidden />
          </Tool>
          <Tool command={EMPHASIS} context={context} pressed={isMarked(state, 'emphasis')}>
            <Italic size={17} aria-hidden />
          </Tool>
          <Tool command={BULLETS} context={context}>
            <List size={17} aria-hidden />
          </Tool>
          <Tool command={STEPS} context={context}>
            <ListOrdered size={17} aria-hidden />
          </Tool>
          {isInTable(state) && (
            <Menu
              label="Table"
              className={css.tool ?? ''}
              items={TABLE_COMMANDS.map((command) => ({
                id: command.id,
                label: command.label,
                danger: command.danger ?? false,
                disabled: !context || !canRun(command, context),
                onSelect: () => context && command.run(context),
              }))}
            >
              <Table2 size={17} aria-hidden />
            </Menu>
          )}
          <Tool command={INSERT} context={context}>
            <Plus size={17} aria-hidden /> Insert
          </Tool>
        </div>
      )}
      <span className={css.grow} />
      <Tool command={SHORTCUTS} context={context}>
        <Keyboard size={17} aria-hidden />
      </Tool>
      <button
        type="button"
        className={css.tool}
        onClick={onSettings}
        disabled={!mayEdit}
        aria-label="Settings of the rulebook"
      >
        <Settings2 size={17} aria-hidden />
      </button>
      <button type="button" className={`${css.tool} ${css.primary}`} onClick={onExport}>
        <Download size={17} aria-hidden /> Export
      </button>
    </div>
  );
}
