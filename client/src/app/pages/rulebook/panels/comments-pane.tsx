import type { Node as ProseNode } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import { useMemo } from 'react';
import { addComment } from '../../../../data/cards/comments.ts';
import type { Remark, WithId } from '../../../../data/documents/documents.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { CommentThread } from '../../../comments/comment-thread.tsx';
import css from '../rulebook.module.css';
import { blockAtCursor } from '../state/block-places.ts';
import type { Company } from '../state/use-company.ts';

/** Characters shown of a block. */
const EXCERPT = 60;

/** The beginning of each block's text, in reading order. */
function excerptsOf(doc: ProseNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  doc.descendants((node) => {
    const { id } = node.attrs;
    if (typeof id === 'string' && id !== '') {
      const text = node.textContent.trim();
      found.set(id, text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text || 'A block without text');
    }
    return !node.inlineContent;
  });
  return found;
}

/** Comments on blocks, and a field for one on the block with the cursor. */
export function CommentsPane({
  project,
  rulebook,
  state,
  company: { comments, error },
  onBlock,
}: {
  project: Project;
  /** Id of the rulebook. */
  rulebook: string;
  state: EditorState;
  company: Company;
  onBlock: (block: string) => void;
}) {
  const { doc } = state;
  const excerpts = useMemo(() => excerptsOf(doc), [doc]);
  const block = blockAtCursor(state);
  const list = useMemo(() => comments && inOrder(comments, [...excerpts.keys()]), [comments, excerpts]);
  const about = ({ block: on }: WithId<Remark>) => {
    const text = excerpts.get(on);
    return text === undefined ? (
      <p className={css.goneBlock}>The text it was on is gone.</p>
    ) : (
      <button
        type="button"
        className={css.about}
        data-here={on === block || undefined}
        onClick={() => onBlock(on)}
      >
        {text}
      </button>
    );
  };
  const here = block === undefined ? undefined : excerpts.get(block);
  return (
    <section className={css.commentsPane} aria-label="Comments">
      <CommentThread
        project={project}
        list={list}
        problem={error ? describeError(error) : undefined}
        none="Nobody has said anything about this rulebook."
        about={about}
        label={here === undefined ? 'Your comment' : `Your comment on “${here}”`}
        onSend={async (text) => {
          if (block === undefined) throw new Error('Put the cursor into the text that the comment is on.');
          await addComment(project, { rulebook, block, text });
        }}
      />
    </section>
  );
}

/** In reading order, open ones before those that are done; comments on what is gone come last. */
function inOrder(comments: readonly WithId<Remark>[], blocks: readonly string[]): WithId<Remark>[] {
  const places = new Map(blocks.map((block, at) => [block, at]));
  const place = ({ block }: Remark): number => places.get(block) ?? Number.POSITIVE_INFINITY;
  return [...comments].sort(
    (a, b) =>
      Number(a.resolved) - Number(b.resolved) ||
      // Two that are gone are equally far away.
      (place(a) === place(b) ? 0 : place(a) - place(b)) ||
      a.createdAt - b.createdAt,
  );
}
