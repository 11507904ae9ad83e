import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { comments, edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { useUser } from '../../../data/session.ts';
import { addComment, deleteComment, resolveComment, useComments } from '../../../data/table/comments.ts';
import { dayAndTime } from '../../../ui/dates.ts';
import { Problem } from '../../../ui/page.tsx';
import css from './project.module.css';
import { useRole } from './project-gate.tsx';

/** Longest comment, in characters. */
const MAX_COMMENT_LENGTH = 4_000;

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
  const user = useUser();
  const role = useRole();
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const list = (data?.items ?? [])
    .filter((comment) => comment.card === card)
    .sort((a, b) => a.createdAt - b.createdAt);
  const run = (work: Promise<unknown>) => {
    setFailure(undefined);
    work.catch((reason) => setFailure(describeError(reason)));
  };
  const send = () => {
    if (text.trim() === '') return;
    run(addComment(project, { component, card, text: text.trim() }).then(() => setText('')));
  };
  const problem = failure ?? (error ? describeError(error) : undefined);
  return (
    <div className={css.comments}>
      {problem && <Problem title={problem} />}
      {data && list.length === 0 && <p className={css.quiet}>Nobody has said anything about this card.</p>}
      <ul>
        {list.map((comment) => (
          <li key={comment.id} data-resolved={comment.resolved || undefined}>
            <header>
              <b>{comment.authorName || 'Somebody'}</b>{' '}
              {comment.createdAt > 0 && <time>{dayAndTime(comment.createdAt)}</time>}
            </header>
            <p>{comment.text}</p>
            {(comment.authorId === user.uid || edits(role)) && (
              <footer>
                {comment.authorId === user.uid && comments(role) && (
                  <button
                    type="button"
                    onClick={() => run(resolveComment(project, comment, !comment.resolved))}
                  >
                    {comment.resolved ? 'Open again' : 'Done'}
                  </button>
                )}
                <button type="button" onClick={() => run(deleteComment(project, comment.id))}>
                  Delete
                </button>
              </footer>
            )}
          </li>
        ))}
      </ul>
      {comments(role) ? (
        <>
          <Textarea
            label="Your comment"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={MAX_COMMENT_LENGTH}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div>
            <Button variant="default" disabled={text.trim() === ''} onClick={send}>
              Comment
            </Button>
          </div>
        </>
      ) : (
        <p className={css.quiet}>Viewers read comments; the owner can make you a commenter.</p>
      )}
    </div>
  );
}
