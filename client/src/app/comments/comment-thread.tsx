import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { versionAt } from '../../core/versions/version-at.ts';
import { useUser } from '../../data/account/session.ts';
import { deleteComment, resolveComment } from '../../data/cards/comments.ts';
import type { Remark, WithId } from '../../data/documents/documents.ts';
import { comments, edits } from '../../data/project/members.ts';
import type { Project } from '../../data/project/open-project.ts';
import { describeError } from '../../data/server/messages.ts';
import { useGameVersions } from '../../data/versions/queries.ts';
import { dayAndTime } from '../../ui/dates.ts';
import { Problem } from '../../ui/page/page.tsx';
import { useRole } from '../pages/project/project-gate.tsx';
import { AccountNeeded } from '../trial/account-needed.tsx';
import css from './comment-thread.module.css';

/** Longest comment, in characters; the rules say the same. */
const MAX_COMMENT_LENGTH = 4_000;

interface ThreadProps {
  project: Project;
  /** In their order; `undefined` while they are loaded. */
  list: readonly WithId<Remark>[] | undefined;
  problem: string | undefined;
  /** Said where there are none. */
  none: string;
  /** Above each comment: the thing it is on, where that is not plain. */
  about?: (comment: WithId<Remark>) => ReactNode;
  label?: string;
  /** Stores a new comment. */
  onSend: (text: string) => Promise<unknown>;
}

/** The version that a comment came after. */
function OfVersion({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return <span className={css.version}>after {name}</span>;
}

/** Comments, and a field for one's own. A visitor of the trial has nobody to talk to. */
export function CommentThread(props: ThreadProps) {
  if (!props.project.inBrowser) return <Thread {...props} />;
  return <AccountNeeded>Comments are for the people whom you invite.</AccountNeeded>;
}

function Thread({ project, list, problem, none, about, label = 'Your comment', onSend }: ThreadProps) {
  const user = useUser();
  const role = useRole();
  const versions = useGameVersions(project).data?.items ?? [];
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const run = (work: Promise<unknown>) => {
    setFailure(undefined);
    work.catch((reason) => setFailure(describeError(reason)));
  };
  const send = () => {
    if (text.trim() !== '') run(onSend(text.trim()).then(() => setText('')));
  };
  const shown = failure ?? problem;
  return (
    <div className={css.comments}>
      {shown && <Problem title={shown} />}
      {list?.length === 0 && <p className={css.quiet}>{none}</p>}
      <ul>
        {list?.map((comment) => (
          <li key={comment.id} data-resolved={comment.resolved || undefined}>
            {about?.(comment)}
            <header>
              <b>{comment.authorName || 'Somebody'}</b>{' '}
              {comment.createdAt > 0 && <time>{dayAndTime(comment.createdAt)}</time>}
              <OfVersion name={versionAt(versions, comment.createdAt)} />
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
            label={label}
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
