import { addComment, useComments } from '../../../../data/cards/comments.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { CommentThread } from '../../../comments/comment-thread.tsx';

/** Comments on a card. */
export function CardComments({
  project,
  component,
  card,
}: {
  project: Project;
  component: string;
  card: string;
}) {
  const { data, error } = useComments(project, component);
  return (
    <CommentThread
      project={project}
      list={data?.items.filter((comment) => comment.card === card).sort((a, b) => a.createdAt - b.createdAt)}
      problem={error ? describeError(error) : undefined}
      none="Nobody has said anything about this card."
      onSend={(text) => addComment(project, { component, card, text })}
    />
  );
}
