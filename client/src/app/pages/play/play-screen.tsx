import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Act, Handle } from '../../../core/play/protocol/messages.ts';
import { arranged } from '../../../core/play/view/arrange.ts';
import { contentsOf } from '../../../core/play/view/contents.ts';
import { nameAtTable, nameInSeat, pieceName, seatName } from '../../../core/play/view/names.ts';
import { handOf, type TableView } from '../../../core/play/view/view.ts';
import { usePersonAtTable } from '../../../data/account/session.ts';
import type { Connected, TableConnection } from '../../../data/play/connection.ts';
import { commandOf, isTyping } from '../../../ui/commands/keys.ts';
import { LoadedWindow } from '../../../ui/loaded-window.tsx';
import { ContextMenu } from '../../../ui/menu/context-menu.tsx';
import { Unseen } from '../../../ui/page/page.tsx';
import { ButtonsBar } from './buttons-bar.tsx';
import { TableChance } from './chance.tsx';
import { COMMANDS, doubleOf, play } from './commands/commands.ts';
import { menuEntries } from './commands/menu-entries.ts';
import type { PlayCommand } from './commands/play-command.ts';
import { type Asked, type Eye, leads, type PlayContext } from './commands/play-context.ts';
import { LogPanel } from './log-panel.tsx';
import { People } from './people/people.tsx';
import { FreeSeats, SeatsBar } from './people/seats-bar.tsx';
import css from './play.module.css';
import { PlayBar, TableTools } from './play-bar.tsx';
import { OpenSample } from './sample/open-sample.tsx';
import { Tray } from './surface/hand-tray.tsx';
import { Mirror } from './surface/mirror.tsx';
import { Surface } from './surface/surface.tsx';
import type { TableControl } from './surface/table-control.ts';
import { tellRefusal, useActs, useCarriedPictures, useFlexSpaces, useSelection } from './use-table.ts';
import { useChanges } from './windows/use-changes.tsx';

const askedWindow = async () => (await import('./windows/asked-window.tsx')).AskedWindow;

const NO_EYE: Eye = {
  zoom: () => undefined,
  fit: () => undefined,
  pan: () => undefined,
  freeSpot: () => ({ x: 0, y: 0 }),
};

/** A table with everybody at it. */
export function PlayScreen({
  connection,
  connected,
  view,
  language,
  above,
  beside,
  name,
  table,
}: {
  connection: TableConnection;
  connected: Connected;
  view: TableView;
  /** Chooses the language of the cards. */
  language?: React.ReactNode;
  /** The way back. */
  above: React.ReactNode;
  /** At a sample table: its time and its invitation. */
  beside?: React.ReactNode;
  name: string;
  table: string;
}) {
  const user = usePersonAtTable();
  const [selected, select] = useSelection(view);
  const [asked, ask] = useState<Asked>();
  const [menu, setMenu] = useState<{ x: number; y: number }>();
  const openMenuAt = useCallback((x: number, y: number) => setMenu({ x, y }), []);
  const [aside, setAside] = useState(false);
  const [peopleOpen, setPeopleOpen] = useState(false);
  const { you, admission } = connected;
  const { act, undo } = useActs(connection, table);
  useCarriedPictures(view);
  useFlexSpaces(view);
  const placed = useMemo(() => arranged(view), [view]);
  const control = useRef<TableControl>(null);
  const screen = useRef<HTMLElement>(null);
  const [open, isSample] = [connected.status === 'open', beside !== undefined];
  const takesHostSeats = you.leads || isSample;
  const contextFor = useCallback(
    (targets: readonly Handle[]): PlayContext => ({
      view,
      placed,
      connected: open,
      targets,
      undo,
      isSample,
      seats: you.seats,
      look: (seat) => connection.look(seat),
      ping: (x, y) => connection.ping(x, y),
      eye: control.current ?? NO_EYE,
      act,
      ask,
      select,
      openMenu: () => {
        const box = (document.activeElement ?? screen.current)?.getBoundingClientRect();
        setMenu({ x: (box?.left ?? 0) + 24, y: (box?.top ?? 0) + 24 });
      },
    }),
    [view, placed, open, undo, isSample, act, select, you, connection],
  );
  const context = useMemo(() => contextFor(selected), [contextFor, selected]);
  const changes = useChanges({ table, view, news: leads(context) ? connected.cards : undefined, act });
  useKeys(screen, (event) => {
    // A window that is still being loaded takes no keys yet.
    if (asked) return false;
    const meant = focusedPiece(event.target) ?? control.current?.over;
    const targets =
      selected.length === 0 && meant !== undefined && view.pieces.has(meant) ? [meant] : selected;
    const now = contextFor(targets);
    const command = commandOf(COMMANDS, event) ?? arrowCommand(event, selected);
    if (!command) return false;
    runOrTell(command, now);
    return true;
  });

  const hand = handOf(view.pieces, view.seat);
  const { dropOutside, dropAt } = dropsOn(control, view, hand, act);
  const trayProps = {
    view,
    selected,
    onSelect: select,
    onPlay: (handle: Handle) => play(contextFor([handle])),
    onMenu: (handle: Handle, x: number, y: number) => {
      if (!selected.includes(handle)) select([handle]);
      setMenu({ x, y });
    },
    onDropAt: dropAt,
    onReorder: (handle: Handle, at: number) => void act({ verb: 'reorder', pieces: [handle], at }),
  };
  return (
    <main className={css.screen} ref={screen} data-aside={aside || undefined}>
      <PlayBar
        above={above}
        beside={beside}
        language={language}
        name={name}
        connected={connected}
        context={context}
        aside={aside}
        onAside={() => setAside(!aside)}
        {...(admission && { admission, onPeople: () => setPeopleOpen(true) })}
        {...(changes.bar && { changes: changes.bar })}
      />
      <SeatsBar
        connected={connected}
        context={context}
        takesHostSeats={takesHostSeats}
        name={nameAtTable(user)}
        onRename={() => ask({ ask: 'name', name: ownName(view) })}
        onHand={(one) => select([one])}
      />
      <div className={css.felt}>
        <Surface
          view={view}
          placed={placed}
          connected={connected}
          selected={selected}
          mayMove={open && view.seat !== null && !view.table.ended}
          control={control}
          select={select}
          act={act}
          point={(at, drag) => connection.point(at, drag)}
          ping={(x, y) => connection.ping(x, y)}
          onDropOutside={dropOutside}
          onDouble={(handle) => doDouble(contextFor([handle]), handle)}
          onMenu={(x, y) => {
            const thing = control.current?.thingAt(x, y);
            if (thing !== undefined && !selected.includes(thing)) select([thing]);
            if (thing !== undefined || selected.length > 0) setMenu({ x, y });
          }}
        />
        <KeysInWords />
        <FreeSeats
          view={view}
          takesHostSeats={takesHostSeats}
          onSit={(seat) => void act({ verb: 'claim', as: seat, name: nameInSeat(view, seat, user) })}
        />
        <Proposal view={view} act={(one) => void act(one)} />
        {view.table.ended && <AfterGame isSample={isSample} onFeedback={() => ask({ ask: 'feedback' })} />}
        <ButtonsBar context={context} />
        {changes.window}
        {admission && (
          <People
            table={table}
            view={view}
            admission={admission}
            open={peopleOpen}
            onClose={() => setPeopleOpen(false)}
          />
        )}
      </div>
      <aside className={css.aside} aria-label="Pieces and log">
        <h2>Pieces</h2>
        <Mirror view={view} selected={selected} onSelect={select} onMenu={openMenuAt} />
        <h2>Log</h2>
        <LogPanel view={view} />
        <TableChance number={view.commitment} />
        <TableTools context={context} />
      </aside>
      <Trays
        view={view}
        tray={trayProps}
        hand={hand}
        onDone={(pile) => void act({ verb: 'search', into: pile, open: false })}
      />
      {menu && <PiecesMenu at={menu} context={context} onClose={() => setMenu(undefined)} />}
      <AskedWindow asked={asked} context={context} table={table} onClose={() => ask(undefined)} />
    </main>
  );
}

/** The felt is described by it to those who do not see it. */
function KeysInWords() {
  return (
    <span id="table-keys">
      <Unseen>
        The list of pieces says what lies here. Arrow keys move the view; question mark shows all keys.
      </Unseen>
    </span>
  );
}

/** Runs a command, or says why it cannot run now. */
function runOrTell(command: PlayCommand, context: PlayContext): void {
  const refusal = command.refusal(context);
  if (refusal === undefined) command.run(context);
  else tellRefusal(refusal);
}

/** Does what a double click means, or says why not. */
function doDouble(context: PlayContext, handle: Handle): void {
  const shown = context.view.pieces.get(handle);
  const command = shown && doubleOf(shown);
  if (command) runOrTell(command, context);
}

const ownName = ({ seat, table }: TableView): string =>
  seat === null ? '' : (table.seats[String(seat)]?.name ?? '');

/** The pile that one looks through, and the own hand. */
function Trays({
  view,
  tray,
  hand,
  onDone,
}: {
  view: TableView;
  tray: Omit<React.ComponentProps<typeof Tray>, 'label' | 'pieces' | 'empty' | 'hand'>;
  hand: Handle | undefined;
  onDone: (pile: Handle) => void;
}) {
  const contents = useMemo(() => contentsOf(view.pieces), [view.pieces]);
  const searched = [...view.pieces].find(([, { container }]) =>
    container?.searched_by?.some((seat) => seat === view.seat),
  )?.[0];
  return (
    <div className={css.trays}>
      {searched !== undefined && (
        <Tray
          {...tray}
          label={`You look through ${pieceName(view, searched)}`}
          pieces={[...(contents.get(searched) ?? [])].reverse()}
          empty="Nothing is in it."
          hand={false}
          onReorder={() => undefined}
        >
          <button type="button" className={css.trayDone} onClick={() => onDone(searched)}>
            Done
          </button>
        </Tray>
      )}
      {view.seat !== null && (
        <Tray
          {...tray}
          label="Your hand"
          pieces={hand === undefined ? [] : (contents.get(hand) ?? [])}
          empty={
            hand === undefined
              ? 'Your seat has no hand at this table.'
              : 'Nothing in your hand. Press a pile twice to draw, or drag cards here.'
          }
          hand
        />
      )}
    </div>
  );
}

/** Pieces that are let go beside the table, those of a tray anywhere: on the felt, on the own hand, on a seat. */
function dropsOn(
  control: React.RefObject<TableControl | null>,
  view: TableView,
  hand: Handle | undefined,
  act: (act: Act) => Promise<unknown>,
) {
  const dropBeside = (pieces: readonly Handle[], x: number, y: number): boolean => {
    const under = document.elementFromPoint(x, y);
    const seat = under?.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
    const isOwn = seat === String(view.seat) || !!under?.closest('[data-hand]');
    const lieThere = pieces.every((piece) => view.pieces.get(piece)?.holder === hand);
    if (isOwn && lieThere) return true;
    if (isOwn && hand !== undefined) void act({ verb: 'drop', pieces, into: hand });
    else if (seat !== undefined && !isOwn) void act({ verb: 'give', pieces, to: Number(seat) });
    else return false;
    return true;
  };
  return {
    dropOutside: dropBeside,
    dropAt(pieces: readonly Handle[], x: number, y: number): void {
      const onFelt = document.elementFromPoint(x, y)?.closest('[role="application"]');
      const dropped = onFelt ? control.current?.dropping(pieces, x, y) : undefined;
      if (dropped) void act(dropped);
      else if (!onFelt) dropBeside(pieces, x, y);
    },
  };
}

/** Arrow keys on the felt move what is selected, as they do with Alt in the list of pieces. */
function arrowCommand(event: KeyboardEvent, selected: readonly Handle[]) {
  if (!event.key.startsWith('Arrow') || event.altKey || selected.length === 0) return undefined;
  if (!(event.target instanceof Element) || !event.target.closest('[role="application"]')) return undefined;
  return COMMANDS.find(({ keys }) => keys?.includes(`Alt+${event.key}`));
}

/** The piece of the list or of a tray that the keyboard has come to. */
function focusedPiece(target: EventTarget | null): Handle | undefined {
  const at = target instanceof HTMLElement && target.matches(':focus-visible') ? target.dataset : undefined;
  return at?.['row'] ?? at?.['piece'];
}

/** Keys of the table: everywhere on the page but in fields, menus and windows. */
function useKeys(screen: React.RefObject<HTMLElement | null>, run: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || isTyping(target)) return;
      const inside = target === document.body || (target instanceof Node && screen.current?.contains(target));
      if (!inside || (target instanceof Element && target.closest('dialog, [role="menu"]'))) return;
      // A button that has the focus is pressed by these.
      if (event.key === 'Enter' || event.key === ' ') return;
      if (latest.current(event)) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [screen]);
}

/** Everything that can be done with the selection, while there is one. */
function PiecesMenu({
  context,
  ...props
}: {
  at: { x: number; y: number };
  context: PlayContext;
  onClose: () => void;
}) {
  const { targets, view } = context;
  const [only] = targets;
  if (only === undefined) return null;
  const label = targets.length === 1 ? pieceName(view, only) : `${targets.length} pieces`;
  return <ContextMenu label={label} items={menuEntries(context)} minWidth={290} {...props} />;
}

/** The window that a command asks in, if one does. */
function AskedWindow({
  asked,
  ...props
}: {
  asked: Asked | undefined;
  context: PlayContext;
  table: string;
  onClose: () => void;
}) {
  return asked && <LoadedWindow key={asked.ask} load={askedWindow} props={{ asked, ...props }} />;
}

/** Asks how it was, once the game has ended. */
function AfterGame({ isSample, onFeedback }: { isSample: boolean; onFeedback: () => void }) {
  if (isSample) {
    return (
      <div className={css.question}>
        <OpenSample variant="default">Play again at a new table</OpenSample>
      </div>
    );
  }
  return (
    <div className={css.question} role="status">
      <span>How was the game?</span>
      <button type="button" onClick={onFeedback}>
        Leave feedback
      </button>
    </div>
  );
}

/** An act that somebody asks to take back. */
function Proposal({ view, act }: { view: TableView; act: (act: Act) => void }) {
  const { proposal, ended } = view.table;
  if (!proposal || ended || view.seat === null) return null;
  const who = proposal.by === view.seat ? 'You ask' : `${seatName(view, proposal.by)} asks`;
  return (
    <div className={css.question} role="status">
      <span>{who} to take an act back that others built on.</span>
      {proposal.by !== view.seat && (
        <>
          <button type="button" onClick={() => act({ verb: 'undo', n: proposal.n, agree: true })}>
            Agree
          </button>
          <button type="button" onClick={() => act({ verb: 'undo', n: proposal.n, agree: false })}>
            Refuse
          </button>
        </>
      )}
    </div>
  );
}
