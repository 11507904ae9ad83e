import type { BlockChange } from '../../core/book/comparison/compare.ts';
import type { TextChange } from '../../core/book/comparison/words-diff.ts';
import type { Block } from '../../core/book/document/schema.ts';
import css from './block-changes.module.css';

/** Most changes listed, and the longest stretch of text without a change that is shown whole. */
const MAX_LISTED = 500;
const MAX_SAME = 160;

const WHAT: Readonly<Record<BlockChange['change'], string>> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
  moved: 'Moved',
  look: 'Looks otherwise',
};

const KINDS: Readonly<Record<Block['type'], string>> = {
  heading: 'heading',
  paragraph: 'paragraph',
  rule: 'rule',
  definition: 'definition',
  table: 'table',
  figure: 'picture',
  cards: 'cards',
  pageBreak: 'break',
  live: 'list from the project',
  list: 'list',
  callout: 'box',
  columns: 'columns',
};

/** The middle of a long stretch that stayed is left out. */
function shortened({ change, text }: TextChange): string {
  if (change !== 'same' || text.length <= MAX_SAME) return text;
  const half = MAX_SAME / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** Differences between two texts, block by block, each with its words. */
export function BlockChanges({
  changes,
  none,
  onBlock,
}: {
  changes: readonly BlockChange[];
  /** Said where there are none. */
  none: string;
  /** Shows a block that is still there. */
  onBlock?: ((id: string) => void) | undefined;
}) {
  if (changes.length === 0) return <p className={css.none}>{none}</p>;
  return (
    <ul className={css.changes} aria-label="Changes">
      {changes.slice(0, MAX_LISTED).map(({ id, type, change, words }) => (
        <li key={`${change} ${id}`} data-change={change}>
          <div className={css.head}>
            <b>{WHAT[change]}</b> {KINDS[type]}
            {onBlock && change !== 'removed' && (
              <button type="button" onClick={() => onBlock(id)}>
                Show
              </button>
            )}
          </div>
          {words.length > 0 && (
            <p>
              {words.map((one, at) => {
                const Tag = one.change === 'added' ? 'ins' : one.change === 'removed' ? 'del' : 'span';
                // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no names, and keep no state
                return <Tag key={at}>{shortened(one)}</Tag>;
              })}
            </p>
          )}
        </li>
      ))}
      {changes.length > MAX_LISTED && <li>and {changes.length - MAX_LISTED} more</li>}
    </ul>
  );
}
