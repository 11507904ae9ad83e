import { wordsDiff } from '../../../../core/book/comparison/words-diff.ts';
import { WordsChange } from '../../../translation/unit-words.tsx';

/** Two texts word by word; those that share nothing have an arrow between them. */
export function Words({ before, after }: { before: string; after: string }) {
  const shares = before === '' || after === '' || wordsDiff(before, after).some(isShared);
  if (shares) return <WordsChange before={before} after={after} />;
  return (
    <>
      <del>{before}</del> → <ins>{after}</ins>
    </>
  );
}

const isShared = ({ change, text }: ReturnType<typeof wordsDiff>[number]): boolean =>
  change === 'same' && text.trim() !== '';
