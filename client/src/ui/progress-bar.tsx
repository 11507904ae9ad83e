import css from './progress-bar.module.css';

/** How far a long work is. */
export function ProgressBar({
  label,
  done,
  total,
}: {
  label: string;
  done: number;
  /** 0 while it is not known. */
  total: number;
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className={css.track}
    >
      <span style={{ width: `${total ? (100 * done) / total : 0}%` }} />
    </div>
  );
}
