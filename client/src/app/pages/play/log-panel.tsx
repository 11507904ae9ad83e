import { memo, useEffect, useRef } from 'react';
import { cssColour } from '../../../core/play/view/names.ts';
import type { TableView } from '../../../core/play/view/view.ts';
import css from './play.module.css';

/** Distance from its end within which the log follows new lines, in CSS pixels. */
const NEAR_END_PX = 40;

/** Everything that was done since the page was opened, in words. Others' pointers do not render it again. */
export const LogPanel = memo(function LogPanel({
  view,
  empty = 'Nothing has happened since you came.',
}: {
  view: TableView;
  /** Said where nothing has happened yet. */
  empty?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const { log, table } = view;
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line
  useEffect(() => {
    const element = list.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [log]);
  return (
    <div
      ref={list}
      className={css.log}
      role="log"
      aria-label="Log"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {log.length === 0 && <p className={css.logEmpty}>{empty}</p>}
      <ol>
        {log.map(({ n, part, by, text }) => (
          <li key={`${n} ${part}`}>
            <span
              className={css.dot}
              style={{ background: cssColour(table.seats[String(by)]?.colour ?? 0x888888) }}
              aria-hidden
            />
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
});
