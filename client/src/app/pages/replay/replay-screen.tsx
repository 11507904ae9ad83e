import { Eye, PanelRight, ShieldCheck, Split } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Replay, remarksOf, type Track, turnsOf } from '../../../core/play/replay/replay.ts';
import { arranged } from '../../../core/play/view/arrange.ts';
import { contentsOf } from '../../../core/play/view/contents.ts';
import { seatName } from '../../../core/play/view/names.ts';
import { handOf, type TableView } from '../../../core/play/view/view.ts';
import { useSession } from '../../../data/account/session.ts';
import type { Connected } from '../../../data/play/connection.ts';
import { type Forkable, forkableAt, forkTable } from '../../../data/play/replays.ts';
import { commandOf, isTyping } from '../../../ui/commands/keys.ts';
import { Unseen } from '../../../ui/page/page.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { tellFailure } from '../../shell/tell-failure.ts';
import { LogPanel } from '../play/log-panel.tsx';
import play from '../play/play.module.css';
import { Tray } from '../play/surface/hand-tray.tsx';
import { Mirror } from '../play/surface/mirror.tsx';
import { Surface } from '../play/surface/surface.tsx';
import type { TableControl } from '../play/surface/table-control.ts';
import { useOwnLanguage } from '../play/table-language.tsx';
import { useCarriedPictures, useFlexSpaces, useSelection } from '../play/use-table.ts';
import { FairnessWindow } from './fairness-window.tsx';
import css from './replay.module.css';
import { REPLAY_COMMANDS, ReplayBar } from './replay-bar.tsx';
import { type Playback, usePlayback } from './use-playback.ts';

/** Nobody else is there. */
const ALONE: Connected = {
  status: 'open',
  over: 'socket',
  people: { seats: [], observers: 0 },
  you: { seats: [], leads: false, table: '' },
  pointers: new Map(),
  pings: [],
};
const nothing = () => undefined;
const refused = () => Promise.resolve();

/** A game that has ended, act by act, as a seat saw it. */
export function ReplayScreen({ replay, link }: { replay: Replay; link: string }) {
  const [seat, setSeat] = useState<number | null>(null);
  const { tracks } = replay;
  const track = tracks.find((one) => one.seat === seat) ?? tracks[0];
  if (!track) return null;
  return <Shown replay={replay} link={link} track={track} onSeat={setSeat} />;
}

function Shown({
  replay,
  link,
  track,
  onSeat,
}: {
  replay: Replay;
  link: string;
  track: Track;
  onSeat: (seat: number | null) => void;
}) {
  const playback = usePlayback(replay, track);
  const { view, menu } = useOwnLanguage(playback.view);
  const turns = useMemo(() => turnsOf(track), [track]);
  const remarks = useMemo(() => remarksOf(track), [track]);
  const placed = useMemo(() => arranged(view), [view]);
  const [selected, select] = useSelection(view);
  const [aside, setAside] = useState(false);
  const [checking, setChecking] = useState(false);
  const control = useRef<TableControl>(null);
  useCarriedPictures(view);
  useFlexSpaces(view);
  useKeys(playback, turns);
  return (
    <main className={`${play.screen} ${css.screen}`} data-aside={aside || undefined}>
      <div className={`${bar.bar} ${play.bar}`}>
        <h1 className={bar.title}>{replay.name}</h1>
        <span className={play.status}>Replay</span>
        <span className={bar.grow} />
        {menu}
        {replay.tracks.length > 1 && <SeeAs replay={replay} track={track} onSeat={onSeat} />}
        <PlayOn link={link} n={view.n} />
        <button type="button" className={bar.tool} onClick={() => setChecking(true)}>
          <ShieldCheck size={17} aria-hidden />
          <span className={css.wide}>Was it fair?</span>
          <Unseen>{replay.fair ? '' : ' (hands are closed)'}</Unseen>
        </button>
        <button
          type="button"
          className={`${bar.tool} ${play.asideToggle}`}
          aria-label="Pieces and log"
          aria-pressed={aside}
          onClick={() => setAside(!aside)}
        >
          <PanelRight size={17} aria-hidden />
        </button>
      </div>
      <ReplayBar playback={playback} turns={turns} remarks={remarks} />
      <div className={play.felt}>
        <Surface
          view={view}
          placed={placed}
          connected={ALONE}
          selected={selected}
          mayMove={false}
          control={control}
          select={select}
          act={refused}
          point={nothing}
          ping={nothing}
          onDropOutside={() => false}
          onDouble={nothing}
          onMenu={nothing}
        />
        <span id="table-keys">
          <Unseen>The list of pieces says what lies here. Left and right arrow go through the acts.</Unseen>
        </span>
      </div>
      <aside className={play.aside} aria-label="Pieces and log">
        <h2>Pieces</h2>
        <Mirror view={view} selected={selected} onSelect={select} onMenu={nothing} />
        <h2>Log</h2>
        <LogPanel view={view} empty="Nothing has happened yet." />
      </aside>
      <Hand view={view} selected={selected} onSelect={select} />
      <FairnessWindow replay={replay} open={checking} onClose={() => setChecking(false)} onGo={playback.go} />
    </main>
  );
}

/** Opens a table of one's own at this moment, for owners and editors of the game. */
function PlayOn({ link, n }: { link: string; n: number }) {
  const uid = useSession()?.uid;
  const navigate = useNavigate();
  const [forkable, setForkable] = useState<Forkable>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let current = true;
    if (uid === undefined) return;
    forkableAt(link, uid).then(
      (found) => current && setForkable(found),
      // The replay is there without it.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [link, uid]);
  if (!forkable) return null;
  const open = async () => {
    setBusy(true);
    try {
      const id = await forkTable(forkable.table, n);
      await navigate(`/playtesting/${forkable.owner}/${id}`);
    } catch (error) {
      tellFailure(error);
      setBusy(false);
    }
  };
  return (
    <Tooltip label="What if? Play on from here at a table of your own, on all seats">
      <button type="button" className={bar.tool} disabled={busy} onClick={() => void open()}>
        <Split size={17} aria-hidden />
        <span className={css.wide}>Play on from here</span>
      </button>
    </Tooltip>
  );
}

/** The seat that one looks from. */
function SeeAs({
  replay: { tracks },
  track,
  onSeat,
}: {
  replay: Replay;
  track: Track;
  onSeat: (seat: number | null) => void;
}) {
  return (
    <label className={css.seeAs}>
      <Eye size={16} aria-hidden />
      <Unseen>See as</Unseen>
      <select
        value={track.seat ?? ''}
        onChange={({ currentTarget: { value } }) => onSeat(value === '' ? null : Number(value))}
      >
        {tracks.map(({ seat, state }) => (
          <option key={seat ?? 'observers'} value={seat ?? ''}>
            {seat === null ? 'As observers saw it' : `As ${seatName({ table: state.table }, seat)} saw it`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The hand of the seat that one looks from. */
function Hand({
  view,
  selected,
  onSelect,
}: {
  view: TableView;
  selected: readonly string[];
  onSelect: (handles: readonly string[]) => void;
}) {
  const hand = handOf(view.pieces, view.seat);
  const pieces = useMemo(
    () => (hand === undefined ? [] : (contentsOf(view.pieces).get(hand) ?? [])),
    [view, hand],
  );
  if (view.seat === null) return null;
  return (
    <div className={play.trays}>
      <Tray
        view={view}
        label={`Hand of ${seatName(view, view.seat)}`}
        pieces={pieces}
        selected={selected}
        empty="Nothing in this hand."
        hand={false}
        onSelect={onSelect}
        onPlay={nothing}
        onMenu={nothing}
        onDropAt={nothing}
        onReorder={nothing}
      />
    </div>
  );
}

/** Keys of the replay: everywhere on the page but in fields and windows, and where the tree of pieces has them. */
function useKeys(playback: Playback, turns: readonly number[]): void {
  const latest = useRef({ playback, turns });
  latest.current = { playback, turns };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || isTyping(target)) return;
      if (target instanceof Element && target.closest('dialog, [role="dialog"], [role="tree"], [role="log"]'))
        return;
      const { playback: now, turns: all } = latest.current;
      if (event.key === 'k' && !event.ctrlKey && !event.metaKey && !event.altKey) now.play(!now.playing);
      else {
        const command = commandOf(REPLAY_COMMANDS, event);
        if (!command?.can(now, all)) return;
        command.run(now, all);
      }
      event.preventDefault();
    };
    // Before the felt, which pans by arrows while nothing is selected.
    document.addEventListener('keydown', pressed, true);
    return () => document.removeEventListener('keydown', pressed, true);
  }, []);
}
