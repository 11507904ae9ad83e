import css from './buttons.module.css';

/** Tells of formulas, for those who want to know. */
export function FormulaHelp() {
  return (
    <details className={css.help}>
      <summary>Numbers by formula</summary>
      <p>
        A number may be a formula, worked out when the step is done: <code>players + 1</code>,{' '}
        <code>count(Deck) / 2</code>, <code>5 - count(own Hand)</code>, <code>value(Score) * round</code>.
      </p>
      <p>
        It has whole numbers, <code>+ − × ÷</code> and brackets; <code>players</code>, <code>round</code>,{' '}
        <code>count(…)</code> of a pile or an area, <code>value(…)</code> of a counter or a die,{' '}
        <code>min(…)</code> and <code>max(…)</code>. A division rounds down, <code>up(a / b)</code> rounds up.
        It counts and reads only what everybody at the table sees.
      </p>
    </details>
  );
}
