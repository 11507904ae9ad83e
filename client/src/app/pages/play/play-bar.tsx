import {
  Ban,
  Eye,
  Flag,
  Keyboard,
  Maximize2,
  PanelRight,
  RefreshCw,
  RotateCcw,
  SkipForward,
  Snowflake,
  Undo2,
  UserPlus,
  WifiOff,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Admission } from '../../../core/play/protocol/messages.ts';
import { seatName } from '../../../core/play/view/names.ts';
import type { TableView } from '../../../core/play/view/view.ts';
import type { Connected } from '../../../data/play/connection.ts';
import { canRun } from '../../../ui/commands/command.ts';
import { Unseen } from '../../../ui/page/page.tsx';
import { ToolButton } from '../../../ui/toolbar/tool-button.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { END, FIT, PASS, PLACES, SET_UP, SHORTCUTS, UNDO, ZOOM_IN, ZOOM_OUT } from './commands/commands.ts';
import type { PlayContext } from './commands/play-context.ts';
import css from './play.module.css';

const TOOLS = [
  [UNDO, <Undo2 key="undo" size={17} aria-hidden />],
  [PASS, <SkipForward key="pass" size={17} aria-hidden />],
] as const;
/** On a phone they stand below the log. */
const TABLE_TOOLS = [
  [PLACES, <Eye key="places" size={17} aria-hidden />],
  [SET_UP, <RotateCcw key="set-up" size={17} aria-hidden />],
  [END, <Flag key="end" size={17} aria-hidden />],
] as const;
const LOOKS = [
  [ZOOM_OUT, <ZoomOut key="out" size={17} aria-hidden />],
  [ZOOM_IN, <ZoomIn key="in" size={17} aria-hidden />],
  [FIT, <Maximize2 key="fit" size={16} aria-hidden />],
  [SHORTCUTS, <Keyboard key="keys" size={17} aria-hidden />],
] as const;

/** The bar above the table. */
export function PlayBar({
  above,
  beside,
  language,
  name,
  connected,
  context,
  aside,
  onAside,
  admission,
  onPeople,
  changes,
}: {
  /** The way back. */
  above: ReactNode;
  /** At a sample table: its time and its invitation. */
  beside: ReactNode;
  /** Chooses the language of the cards; nothing where they have one. */
  language: ReactNode;
  name: string;
  connected: Connected;
  context: PlayContext;
  /** True if the list of pieces is shown where there is little room. */
  aside: boolean;
  onAside: () => void;
  /** For those who lead the table. */
  admission?: Admission;
  onPeople?: () => void;
  /** The project's changes, likewise: true while one waits. */
  changes?: { readonly waits: boolean; readonly onOpen: () => void };
}) {
  const waiting = admission?.people.filter(({ entry }) => entry === 'waiting').length ?? 0;
  return (
    <div className={`${bar.bar} ${css.bar}`}>
      {above}
      <h1 className={beside ? `${bar.title} ${css.given}` : bar.title}>{name}</h1>
      <OfVersion view={context.view} />
      <Status connected={connected} view={context.view} />
      <span className={bar.grow} />
      {beside}
      {language}
      {onPeople && (
        <button
          type="button"
          className={`${bar.tool} ${css.people}`}
          data-tutorial="people"
          onClick={onPeople}
        >
          <UserPlus size={17} aria-hidden />
          <span>People</span>
          {waiting > 0 && (
            <span className={css.count}>
              {waiting}
              <Unseen> waiting</Unseen>
            </span>
          )}
        </button>
      )}
      {changes && (
        <button
          type="button"
          className={`${bar.tool} ${css.people}`}
          aria-label={changes.waits ? 'Changes of the project, new ones' : 'Changes of the project'}
          onClick={changes.onOpen}
        >
          <RefreshCw size={17} aria-hidden />
          {changes.waits && <span className={css.count}>!</span>}
        </button>
      )}
      {TOOLS.map((tool) => tools(tool, context))}
      <span className={css.tableTools}>{TABLE_TOOLS.map((tool) => tools(tool, context))}</span>
      <span className={`${bar.divider} ${css.divider}`} />
      <span className={`${bar.group} ${css.looks}`}>
        {LOOKS.map(([command, icon]) => (
          <ToolButton key={command.id} command={command} context={context}>
            {icon}
          </ToolButton>
        ))}
      </span>
      <button
        type="button"
        className={`${bar.tool} ${css.asideToggle}`}
        aria-label="Pieces and log"
        aria-pressed={aside}
        onClick={onAside}
      >
        <PanelRight size={17} aria-hidden />
      </button>
    </div>
  );
}

const tools = ([command, icon]: (typeof TOOLS | typeof TABLE_TOOLS)[number], context: PlayContext) => (
  <ToolButton key={command.id} command={command} context={context}>
    {icon}
  </ToolButton>
);

/** The version whose cards a table has. */
function OfVersion({ view }: { view: TableView }) {
  const { version } = view.table.settings;
  if (version === undefined) return null;
  return (
    <span className={css.version} title={`The cards stay as they are in ${version}.`}>
      <Snowflake size={14} aria-hidden />
      <Unseen>Cards of the version</Unseen> <b>{version}</b>
    </span>
  );
}

/** The tools for which the bar has no room on a phone. */
export function TableTools({ context }: { context: PlayContext }) {
  return (
    <ul className={css.toolsBelow} aria-label="Table">
      {TABLE_TOOLS.map(([command, icon]) => (
        <li key={command.id}>
          <button type="button" disabled={!canRun(command, context)} onClick={() => command.run(context)}>
            {icon} {command.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** State of the connection and of the game. */
function Status({ connected, view }: { connected: Connected; view: TableView }) {
  const { status, over } = connected;
  if (status !== 'open') {
    return (
      <span className={css.status} data-state="waiting" role="status">
        <WifiOff size={15} aria-hidden /> Connection lost. Trying again…
      </span>
    );
  }
  if (view.table.ended) {
    return (
      <span className={css.status} data-state="ended" role="status">
        <Ban size={15} aria-hidden /> The game has ended
      </span>
    );
  }
  if (over === 'calls') {
    return (
      <span className={css.status} role="status">
        Slow connection: your network blocks sockets
      </span>
    );
  }
  const { round, turn } = view.table.clock;
  if (turn === null) return null;
  const who = turn === view.seat ? 'Your turn' : `Turn of ${seatName(view, turn)}`;
  return (
    <span className={css.status} data-state={turn === view.seat ? 'turn' : undefined} role="status">
      {who}
      {round > 0 && `, round ${round}`}
    </span>
  );
}
