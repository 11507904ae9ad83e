import { type ReactNode, useRef, useState } from 'react';
import { type Swipe, swipeOf } from '../../../core/learning/swipe.ts';
import css from './flashcards.module.css';

/** A way that a finger goes: where it touched, and how far it is from there. */
interface Way {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** Things that a finger swipes to the left or to the right. Buttons and keys beside them do the same. */
export function SwipeArea({
  words,
  onSwipe,
  children,
}: {
  /** The swipes' meanings, shown while a finger is about to make one. */
  words: Readonly<Record<Swipe, string>>;
  /** Undefined where nothing can be swiped now. */
  onSwipe: ((swipe: Swipe) => void) | undefined;
  children: ReactNode;
}) {
  const [way, setWay] = useState<Way>();
  // After a swipe the next thing stands here, which must not slide in from where the finger left the last one.
  const [swiped, setSwiped] = useState(false);
  // Events come faster than renderings.
  const latest = useRef<Way>(undefined);
  const go = (next: Way | undefined) => {
    latest.current = next;
    setWay(next);
  };
  const swipe = way && onSwipe && swipeOf(way.dx, way.dy);
  return (
    <div
      className={css.swipe}
      data-swipes={onSwipe ? true : undefined}
      onPointerDown={({ pointerType, pointerId, clientX, clientY, isPrimary }) => {
        // A second finger zooms the page.
        if (!onSwipe || pointerType !== 'touch' || !isPrimary) return go(undefined);
        setSwiped(false);
        go({ pointer: pointerId, x: clientX, y: clientY, dx: 0, dy: 0 });
      }}
      onPointerMove={({ pointerId, clientX, clientY }) => {
        const from = latest.current;
        if (from?.pointer === pointerId) go({ ...from, dx: clientX - from.x, dy: clientY - from.y });
      }}
      onPointerUp={({ pointerId, clientX, clientY }) => {
        const from = latest.current;
        if (from?.pointer !== pointerId) return;
        go(undefined);
        const made = swipeOf(clientX - from.x, clientY - from.y);
        setSwiped(made !== undefined);
        if (made) onSwipe?.(made);
      }}
      onPointerCancel={() => go(undefined)}
    >
      <div
        className={css.swiped}
        style={{
          translate: way && `${way.dx}px`,
          transition: way || swiped ? 'none' : undefined,
        }}
      >
        {children}
      </div>
      {swipe && (
        <span className={css.swipeWord} data-swipe={swipe} aria-hidden>
          {words[swipe]}
        </span>
      )}
    </div>
  );
}
