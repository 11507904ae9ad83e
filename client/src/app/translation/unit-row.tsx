import { Check, Copy } from 'lucide-react';
import { memo, useId, useMemo, useSyncExternalStore } from 'react';
import { quoted } from '../../core/book/document/block-words.ts';
import { type PlaceholderFault, placeholderFaults } from '../../core/translation/placeholders.ts';
import type { TranslatedUnit, UnitState } from '../../core/translation/translation.ts';
import type { Unit } from '../../core/translation/unit.ts';
import { shownText } from './drafts.ts';
import css from './translation.module.css';
import { UnitWords, WordsChange } from './unit-words.tsx';
import type { TranslationWriter } from './writer.ts';

export const STATE_NAMES: Readonly<Record<UnitState, string>> = {
  missing: 'Missing',
  stale: 'Stale',
  done: 'Done',
};

export interface UnitActions {
  readonly type: (unit: string, text: string) => void;
  readonly save: (unit: string) => void;
  readonly accept: (unit: string) => void;
  /** Shows what a text stands in. */
  readonly show: (place: string) => void;
}

/** Placeholders of the source that a text has not yet, while it can be read. */
function missingTokens({ form, source }: Unit, text: string): readonly Missing[] {
  if (text.trim() === '') return [];
  try {
    return placeholderFaults(form.pieces(source), form.pieces(text)).filter(({ fault }) => fault === 'lost');
  } catch {
    return [];
  }
}

type Missing = Pick<PlaceholderFault, 'token' | 'end'>;

/** A placeholder as it is put into a text, around the words that are selected. */
const inserted = ({ token, end }: Missing, words: string): string =>
  end === undefined ? `${words}${token}` : `${token}${words}${end}`;

function insertToken(field: HTMLTextAreaElement | null, missing: Missing): string | undefined {
  if (!field) return undefined;
  const { selectionStart, selectionEnd, value } = field;
  field.setRangeText(
    inserted(missing, value.slice(selectionStart, selectionEnd)),
    selectionStart,
    selectionEnd,
    'end',
  );
  field.focus();
  return field.value;
}

/** A text with its source, its state and its translation. */
export const UnitRow = memo(function UnitRow({
  one,
  heading,
  writer,
  language,
  from,
  mayEdit,
  departs,
  actions,
}: {
  one: TranslatedUnit;
  /** Terms that it does not translate as the project says. */
  departs?: string | undefined;
  /** Shown above it. */
  heading?: string | undefined;
  writer: TranslationWriter;
  language: string;
  /** Language of the source. */
  from: string;
  mayEdit: boolean;
  actions: UnitActions;
}) {
  const { unit, state, was, fault } = one;
  const id = useId();
  const draft = useSyncExternalStore(writer.subscribe, () => writer.snapshot().drafts.get(unit.id));
  const text = shownText(one, draft);
  const lost = useMemo(() => missingTokens(unit, text), [unit, text]);
  const unsaved = draft !== undefined && !draft.stored;
  const unprinted = draft === undefined ? fault : undefined;
  return (
    <li className={css.unit} data-state={state} data-unit={unit.id}>
      {heading !== undefined && <h3 className={css.heading}>{heading}</h3>}
      <div className={css.unitHead}>
        <span className={css.label}>{unit.label}</span>
        <span className={css.state}>{unsaved ? 'Not saved' : STATE_NAMES[state]}</span>
      </div>
      <p id={`${id}-source`} className={css.source} lang={from}>
        {was === undefined ? (
          <UnitWords form={unit.form} text={unit.source} />
        ) : (
          <WordsChange before={was} after={unit.source} />
        )}
      </p>
      <textarea
        className={css.field}
        aria-label={`Translation of ${quoted(unit.source)}`}
        aria-describedby={`${id}-source${draft?.problem || unprinted ? ` ${id}-problem` : ''}`}
        aria-invalid={draft?.problem !== undefined}
        lang={language}
        dir="auto"
        spellCheck
        rows={1}
        value={text}
        readOnly={!mayEdit}
        onChange={(event) => actions.type(unit.id, event.currentTarget.value)}
        onFocus={() => actions.show(unit.place)}
        onBlur={() => actions.save(unit.id)}
      />
      {draft?.problem && (
        <p id={`${id}-problem`} role="alert" className={css.problem}>
          {draft.problem}
          {draft.replaces && one.text !== undefined && ` Theirs is ${quoted(one.text)}.`}
        </p>
      )}
      {unprinted !== undefined && (
        <p id={`${id}-problem`} className={css.problem}>
          The source is printed instead. {unprinted}
        </p>
      )}
      {departs !== undefined && !unsaved && <p className={css.departs}>{departs}</p>}
      {mayEdit && (lost.length > 0 || (state === 'stale' && fault === undefined)) && (
        <div className={css.tools}>
          {lost.map((missing, at) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: one placeholder may be missing twice
              key={at}
              type="button"
              className={css.tool}
              aria-label={`Insert ${missing.token}`}
              // The field keeps its cursor, so that the placeholder comes where it is.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                const row = event.currentTarget.closest('li');
                const next = insertToken(row?.querySelector('textarea') ?? null, missing);
                if (next !== undefined) actions.type(unit.id, next);
              }}
            >
              <Copy size={13} aria-hidden /> <code>{missing.token}</code>
            </button>
          ))}
          {state === 'stale' && !unsaved && fault === undefined && (
            <button type="button" className={css.tool} onClick={() => actions.accept(unit.id)}>
              <Check size={13} aria-hidden /> Accept as it is
            </button>
          )}
        </div>
      )}
    </li>
  );
});
