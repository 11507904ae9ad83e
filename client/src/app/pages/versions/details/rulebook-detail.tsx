import { listInWords } from '../../../../core/text/list-in-words.ts';
import type { RulebookDifference } from '../../../../core/versions/rulebooks.ts';
import { Problem } from '../../../../ui/page/page.tsx';
import { BlockChanges } from '../../../books/block-changes.tsx';
import css from '../comparison.module.css';
import { useComparison } from '../comparison-context.ts';
import { DetailFrame, RestorePaths } from './detail-frame.tsx';
import { FieldRows } from './field-rows.tsx';

const KINDS: Readonly<Record<RulebookDifference['change'], string>> = {
  added: 'New rulebook',
  removed: 'Rulebook that is gone',
  changed: 'Changed rulebook',
  same: 'Changed rulebook',
};

/** A rulebook, block by block. */
export function RulebookDetail({ rulebook }: { rulebook: RulebookDifference }) {
  const { id, title, change, fields, text, languages } = rulebook;
  return (
    <DetailFrame
      title={title}
      kind={KINDS[change]}
      restore={<RestorePaths paths={[`rulebooks/${id}`]} of={title} />}
    >
      <FieldRows fields={fields} />
      {languages.length > 0 && (
        <p className={css.hint}>Its translation into {listInWords(languages)} changed.</p>
      )}
      {text && change !== 'added' && change !== 'removed' && <Text rulebook={id} />}
    </DetailFrame>
  );
}

function Text({ rulebook }: { rulebook: string }) {
  const blocks = useComparison().texts.get(rulebook);
  if (!blocks) return <Problem title="The texts of this rulebook could not be compared." />;
  return <BlockChanges changes={blocks} none="Its text says the same in both." />;
}
