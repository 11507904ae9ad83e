import { memo } from 'react';
import { wordsDiff } from '../../core/book/comparison/words-diff.ts';
import type { TextForm } from '../../core/translation/unit.ts';
import css from './translation.module.css';

/** A text with its placeholders set off from its words. */
export function UnitWords({ form, text }: { form: TextForm; text: string }) {
  return (
    <>
      {form.written(text).map((piece, at) => {
        if (piece.kind === 'words') return piece.text;
        if (piece.kind === 'break') return '\n';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names, and keep no state
          <code key={at} className={css.token}>
            {piece.token}
          </code>
        );
      })}
    </>
  );
}

/** The differences between two texts, word by word. */
export const WordsChange = memo(function WordsChange({ before, after }: { before: string; after: string }) {
  return (
    <>
      {wordsDiff(before, after).map(({ change, text }, at) => {
        const Tag = change === 'added' ? 'ins' : change === 'removed' ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        return <Tag key={at}>{text}</Tag>;
      })}
    </>
  );
});
