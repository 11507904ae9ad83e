import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  Pause,
  Play,
  SkipBack,
  SkipForward,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type RemarkAt, SPEEDS } from '../../../core/play/replay/replay.ts';
import { withKeys } from '../../../ui/commands/keys.ts';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { Tooltip } from '../../../ui/tooltip.tsx';
import css from './replay.module.css';
import type { Playback } from './use-playback.ts';

/** A thing that one does with a replay, by key or button. */
export interface ReplayCommand {
  readonly id: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly icon: ReactNode;
  readonly can: (playback: Playback, turns: readonly number[]) => boolean;
  readonly run: (playback: Playback, turns: readonly number[]) => void;
}

const turnBefore = (turns: readonly number[], at: number) => turns.findLast((turn) => turn < at) ?? 0;
const turnAfter = (turns: readonly number[], at: number) => turns.find((turn) => turn > at);
const atStart = ({ at }: Playback) => at > 0;
const beforeEnd = ({ at, length }: Playback) => at < length;

export const REPLAY_COMMANDS: readonly ReplayCommand[] = [
  {
    id: 'first',
    label: 'To the start',
    keys: ['Home'],
    icon: <ChevronFirst size={18} aria-hidden />,
    can: atStart,
    run: (playback) => playback.go(0),
  },
  {
    id: 'turn-before',
    label: 'Turn before',
    keys: ['PageUp'],
    icon: <SkipBack size={16} aria-hidden />,
    can: atStart,
    run: (playback, turns) => playback.go(turnBefore(turns, playback.at)),
  },
  {
    id: 'back',
    label: 'Act before',
    keys: ['ArrowLeft'],
    icon: <ChevronLeft size={18} aria-hidden />,
    can: atStart,
    run: (playback) => playback.go(playback.at - 1),
  },
  {
    id: 'on',
    label: 'Next act',
    keys: ['ArrowRight'],
    icon: <ChevronRight size={18} aria-hidden />,
    can: beforeEnd,
    run: (playback) => playback.go(playback.at + 1),
  },
  {
    id: 'turn-after',
    label: 'Next turn',
    keys: ['PageDown'],
    icon: <SkipForward size={16} aria-hidden />,
    can: beforeEnd,
    run: (playback, turns) => playback.go(turnAfter(turns, playback.at) ?? playback.length),
  },
  {
    id: 'last',
    label: 'To the end',
    keys: ['End'],
    icon: <ChevronLast size={18} aria-hidden />,
    can: beforeEnd,
    run: (playback) => playback.go(playback.length),
  },
];

/** The line of a game, and the buttons that go along it. */
export function ReplayBar({
  playback,
  turns,
  remarks,
}: {
  playback: Playback;
  turns: readonly number[];
  remarks: readonly RemarkAt[];
}) {
  const { at, length, playing, speed } = playback;
  const [back, on] = [REPLAY_COMMANDS.slice(0, 3), REPLAY_COMMANDS.slice(3)];
  return (
    <section className={css.controls} aria-label="Replay">
      <div className={css.line}>
        <input
          type="range"
          min={0}
          max={length}
          value={at}
          aria-label="Act"
          aria-valuetext={`Act ${at} of ${length}`}
          onChange={({ currentTarget }) => playback.go(Number(currentTarget.value))}
        />
        {remarks.map(({ at: pinned, text }) => (
          <Tooltip key={`${pinned} ${text}`} label={`Remark: ${text}`}>
            <button
              type="button"
              className={css.remark}
              style={{ left: `${(100 * pinned) / Math.max(1, length)}%` }}
              aria-label={`Remark at act ${pinned}: ${text}`}
              onClick={() => playback.go(pinned)}
            />
          </Tooltip>
        ))}
      </div>
      <div className={css.buttons}>
        {back.map((command) => (
          <Command key={command.id} command={command} playback={playback} turns={turns} />
        ))}
        <Tooltip label={withKeys(playing ? 'Stop' : 'Play', { keys: ['K'] })}>
          <button
            type="button"
            className={css.play}
            aria-label={playing ? 'Stop' : 'Play'}
            onClick={() => playback.play(!playing)}
          >
            {playing ? <Pause size={19} aria-hidden /> : <Play size={19} aria-hidden />}
          </button>
        </Tooltip>
        {on.map((command) => (
          <Command key={command.id} command={command} playback={playback} turns={turns} />
        ))}
        <span className={css.where} role="status">
          {at} of {length}
        </span>
        <label className={css.speed}>
          Speed
          <select
            value={speed}
            onChange={({ currentTarget }) => playback.setSpeed(Number(currentTarget.value))}
          >
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one} ×
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}

function Command({
  command: { label, keys, icon, can, run },
  playback,
  turns,
}: {
  command: ReplayCommand;
  playback: Playback;
  turns: readonly number[];
}) {
  return (
    <Tooltip label={withKeys(label, { keys })}>
      <button
        type="button"
        className={bar.tool}
        aria-label={label}
        disabled={!can(playback, turns)}
        onClick={() => run(playback, turns)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
