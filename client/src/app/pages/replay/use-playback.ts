import { useEffect, useMemo, useState } from 'react';
import { Course, pauseAfter, type Replay, type Track } from '../../../core/play/replay/replay.ts';
import type { TableView } from '../../../core/play/view/view.ts';

/** The place in a game, and going on from it. */
export interface Playback {
  readonly at: number;
  readonly length: number;
  readonly view: TableView;
  readonly playing: boolean;
  readonly speed: number;
  /** Goes to an act and stays there. */
  go(at: number): void;
  /** Plays on, or again from the start; or stops. */
  play(on: boolean): void;
  setSpeed(speed: number): void;
}

/** Plays one of the tracks of a game. */
export function usePlayback({ times }: Replay, track: Track): Playback {
  const course = useMemo(() => new Course(track), [track]);
  const { length } = course;
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const view = useMemo(() => course.at(at), [course, at]);
  useEffect(() => {
    if (!playing) return;
    if (at >= length) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => setAt(at + 1), pauseAfter(times, at, speed));
    return () => clearTimeout(timer);
  }, [playing, at, length, times, speed]);
  return {
    at,
    length,
    view,
    playing,
    speed,
    go: (next) => {
      setPlaying(false);
      setAt(Math.max(0, Math.min(length, next)));
    },
    play: (on) => {
      if (on && at >= length) setAt(0);
      setPlaying(on);
    },
    setSpeed,
  };
}
