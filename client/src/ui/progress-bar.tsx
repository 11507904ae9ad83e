import css from './progress-bar.module.css';

/** Bar that shows the progress of a long task. */
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
