import css from '../rulebooks/beginning.module.css';

/** A list of all that could not be taken over from elsewhere as it was; nothing if it is empty. */
export function Losses({ of, losses }: { of: string; losses: readonly string[] }) {
  if (losses.length === 0) return null;
  return (
    <section className={css.losses} aria-label={`Not taken over from ${of}`}>
      <h3>Not as it was in {of}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by the keyboard too */}
      <ul tabIndex={0}>
        {losses.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </section>
  );
}
