import {
  ArrowLeft,
  Bold,
  Download,
  Globe,
  History,
  Italic,
  Keyboard,
  List,
  ListOrdered,
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
import type { Presence, WithId } from '../../../../data/documents/documents.ts';
import type { RulebookSync } from '../../../../data/rulebooks/sync.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { canRun } from '../../../../ui/commands/command.ts';
import { Menu } from '../../../../ui/menu/menu.tsx';
import { SaveStatus } from '../../../../ui/toolbar/save-status.tsx';
import { ToolButton } from '../../../../ui/toolbar/tool-button.tsx';
import bar from '../../../../ui/toolbar/toolbar.module.css';
import { PeerBadges } from '../../../peers/peer-badges.tsx';
import {
  BULLETS,
  EMPHASIS,
  HEADINGS,
  INSERT,
  PARAGRAPH,
  REDO,
  RULE,
  type RulebookContext,
  SHORTCUTS,
  STEPS,
  STRONG,
  TABLE_COMMANDS,
  UNDO,
} from '../commands/commands.ts';
import css from '../rulebook.module.css';

const onLine = (callback: () => void): (() => void) => {
  window.addEventListener('online', callback);
  window.addEventListener('offline', callback);
  return () => {
    window.removeEventListener('online', callback);
    window.removeEventListener('offline', callback);
  };
};

function SyncStatus({ sync }: { sync: RulebookSync }) {
  const stored = useSyncExternalStore(sync.subscribe, sync.snapshot);
  const connected = useSyncExternalStore(onLine, () => navigator.onLine);
  const state = !connected && stored !== 'refused' ? 'offline' : stored;
  const label =
    state === 'refused'
      ? `${describeError(sync.error)} Undo it, and the rest is saved.`
      : state === 'offline'
        ? 'Go on writing and keep this tab open: what you write is saved when the connection is back.'
        : state === 'failed'
          ? `${describeError(sync.error)} Trying again; keep this tab open.`
          : undefined;
  return <SaveStatus state={state} label={label} />;
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
  peers,
  state,
  context,
  mayEdit,
  writing,
  chooser,
  onVersions,
  onSettings,
  onPublish,
  onExport,
}: {
  /** Address of the project. */
  back: string;
  title: string;
  sync: RulebookSync;
  /** Others who have it open. */
  peers: readonly WithId<Presence>[];
  state: EditorState;
  context: RulebookContext | undefined;
  mayEdit: boolean;
  /** True if the text itself is shown, and not a translation. */
  writing: boolean;
  /** Chooses the language. */
  chooser: ReactNode;
  onVersions: () => void;
  onSettings: () => void;
  onPublish: () => void;
  onExport: () => void;
}) {
  return (
    <div className={`${bar.bar} ${css.bar}`}>
      <Link to={back} className={bar.tool ?? ''} aria-label="Back to the project">
        <ArrowLeft size={17} aria-hidden />
      </Link>
      <h1 className={bar.title}>{title}</h1>
      {mayEdit && <SyncStatus sync={sync} />}
      {mayEdit && writing && (
        <div className={bar.group} role="toolbar" aria-label="Text">
          <span className={bar.divider} />
          <ToolButton command={UNDO} context={context}>
            <Undo2 size={17} aria-hidden />
          </ToolButton>
          <ToolButton command={REDO} context={context}>
            <Redo2 size={17} aria-hidden />
          </ToolButton>
          <span className={bar.divider} />
          <Menu
            label={`Kind of text: ${kindOfText(state)}`}
            className={`${bar.tool} ${css.kind}`}
            items={BLOCKS.map((command) => ({
              id: command.id,
              label: command.label,
              disabled: !context || !canRun(command, context),
              onSelect: () => context && command.run(context),
            }))}
          >
            {kindOfText(state)}
          </Menu>
          <ToolButton command={STRONG} context={context} pressed={isMarked(state, 'strong')}>
            <Bold size={17} aria-hidden />
          </ToolButton>
          <ToolButton command={EMPHASIS} context={context} pressed={isMarked(state, 'emphasis')}>
            <Italic size={17} aria-hidden />
          </ToolButton>
          <ToolButton command={BULLETS} context={context}>
            <List size={17} aria-hidden />
          </ToolButton>
          <ToolButton command={STEPS} context={context}>
            <ListOrdered size={17} aria-hidden />
          </ToolButton>
          {isInTable(state) && (
            <Menu
              label="Table"
              className={bar.tool ?? ''}
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
          <ToolButton command={INSERT} context={context}>
            <Plus size={17} aria-hidden /> Insert
          </ToolButton>
        </div>
      )}
      <span className={bar.grow} />
      <PeerBadges list={peers} />
      {chooser}
      <ToolButton command={SHORTCUTS} context={context}>
        <Keyboard size={17} aria-hidden />
      </ToolButton>
      <button type="button" className={bar.tool} onClick={onVersions} aria-label="Versions">
        <History size={17} aria-hidden />
      </button>
      <button
        type="button"
        className={bar.tool}
        onClick={onSettings}
        disabled={!mayEdit}
        aria-label="Settings of the rulebook"
      >
        <Settings2 size={17} aria-hidden />
      </button>
      <button type="button" className={bar.tool} onClick={onPublish} aria-label="On the web">
        <Globe size={17} aria-hidden />
      </button>
      <button
        type="button"
        className={`${bar.tool} ${css.primary}`}
        data-tutorial="export"
        onClick={onExport}
      >
        <Download size={17} aria-hidden /> Export
      </button>
    </div>
  );
}
