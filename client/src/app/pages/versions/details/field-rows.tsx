import { type FieldChange, valueWords } from '../../../../core/versions/field-changes.ts';
import css from '../comparison.module.css';
import { Words } from './words.tsx';

/** A value in words, where its own are none for people: the name of a layout instead of its id. */
export type Wording = (field: string, value: FieldChange['before']) => string | undefined;

const said = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

/** Fields that differ, each with both values. */
export function FieldRows({ fields, wording }: { fields: readonly FieldChange[]; wording?: Wording }) {
  if (fields.length === 0) return null;
  return (
    <ul className={css.rows}>
      {fields.map(({ field, label, before, after }) => {
        const words = (value: FieldChange['before']) => wording?.(field, value) ?? valueWords(value);
        const [was, is] = [words(before), words(after)];
        return (
          <li key={field} className={css.row}>
            <b>{label}</b>
            <p className={css.words}>
              {was === is ? 'Changed' : <Words before={said(was)} after={said(is)} />}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
