import { Button, TextInput } from '@mantine/core';
import { BookOpen, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import { isolated } from '../../../../core/text/names.ts';
import type { RulebookDocument, WithId } from '../../../../data/documents/documents.ts';
import { edits } from '../../../../data/project/members.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import {
  deleteRulebook,
  describeRulebook,
  MAX_RULEBOOKS,
  purgeRulebooks,
  restoreRulebook,
  useRulebooks,
} from '../../../../data/rulebooks/rulebooks.ts';
import { describeError } from '../../../../data/server/messages.ts';
import { shortDay } from '../../../../ui/dates.ts';
import menu from '../../../../ui/menu/menu.module.css';
import { Menu } from '../../../../ui/menu/menu.tsx';
import { Placeholder, Problem } from '../../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../../ui/popups/popup.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { UnreadableNotices } from '../../../mend/unreadable-notices.tsx';
import { tellFailure } from '../../../shell/tell-failure.ts';
import css from '../project.module.css';
import { useRole } from '../project-gate.tsx';
import { NewRulebook } from './new-rulebook.tsx';

/** Time for which a deletion can be taken back by its note, in milliseconds. */
const UNDO_MS = 10_000;

/** The rulebooks of a project. */
export function RulebooksDialog({
  open,
  project,
  onClose,
}: {
  open: boolean;
  project: Project;
  onClose: () => void;
}) {
  return (
    <Popup open={open} onClose={onClose} title="Rulebooks" width={560}>
      <Rulebooks project={project} onClose={onClose} />
    </Popup>
  );
}

function Rulebooks({ project, onClose }: { project: Project; onClose: () => void }) {
  const { data, error } = useRulebooks(project);
  const mayEdit = edits(useRole());
  const [making, setMaking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const all = data?.items;
  useEffect(() => {
    // Rulebooks deleted long ago go for good; should that fail, the next one who looks tries again.
    if (all && mayEdit) purgeRulebooks(project, all, Date.now()).catch(() => undefined);
  }, [project, all, mayEdit]);
  const kept = all?.filter(({ deletedAt }) => deletedAt === 0);
  const gone = all?.filter(({ deletedAt }) => deletedAt > 0) ?? [];
  const attempt = (work: Promise<unknown>) => {
    setFailure(undefined);
    work.catch((reason: unknown) => setFailure(describeError(reason)));
  };
  const remove = (rulebook: WithId<RulebookDocument>) =>
    attempt(
      deleteRulebook(project, rulebook, Date.now()).then(() =>
        toasts.show(`${isolated(rulebook.title)} is deleted.`, {
          autoCloseTime: UNDO_MS,
          actions: [
            {
              buttonText: 'Undo',
              function: () => void restoreRulebook(project, rulebook.id).catch(tellFailure),
            },
          ],
        }),
      ),
    );
  if (error) return <Problem title={describeError(error)} />;
  if (!kept) return <Placeholder height={120} radius={10} />;
  if (making) {
    return (
      <NewRulebook
        project={project}
        order={Math.max(-1, ...(all ?? []).map(({ order }) => order)) + 1}
        onCancel={() => setMaking(false)}
      />
    );
  }
  return (
    <>
      {failure && <Problem title={failure} />}
      <UnreadableNotices list={data?.unreadable} mayEdit={mayEdit} />
      {kept.length === 0 && (
        <p className={css.quiet}>
          No rulebook yet.{' '}
          {mayEdit && 'A rulebook shows the cards, counts and icons of this project as they are now.'}
        </p>
      )}
      <ul className={css.rulebooks}>
        {kept.map((rulebook) => (
          <RulebookLine
            key={rulebook.id}
            project={project}
            rulebook={rulebook}
            mayEdit={mayEdit}
            onDelete={() => remove(rulebook)}
            onFailure={setFailure}
            onOpen={onClose}
          />
        ))}
        {mayEdit &&
          gone.map(({ id, title }) => (
            <li key={id} className={css.goneRulebook}>
              <span>{title}, deleted</span>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => attempt(restoreRulebook(project, id))}
              >
                Bring back
              </Button>
            </li>
          ))}
      </ul>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        {mayEdit && (
          <Button
            data-tutorial="new-rulebook"
            disabled={(all?.length ?? 0) >= MAX_RULEBOOKS}
            onClick={() => setMaking(true)}
          >
            New rulebook
          </Button>
        )}
      </PopupActions>
    </>
  );
}

function RulebookLine({
  project,
  rulebook,
  mayEdit,
  onDelete,
  onFailure,
  onOpen,
}: {
  project: Project;
  rulebook: WithId<RulebookDocument>;
  mayEdit: boolean;
  onDelete: () => void;
  onFailure: (why: string) => void;
  onOpen: () => void;
}) {
  const { id, title, updatedAt } = rulebook;
  const [name, setName] = useState<string>();
  const rename = () => {
    const wanted = name?.trim();
    setName(undefined);
    if (!wanted || wanted === title) return;
    describeRulebook(project, id, { title: wanted }).catch((reason: unknown) =>
      onFailure(describeError(reason)),
    );
  };
  return (
    <li>
      {name === undefined ? (
        <Link to={`/rulebook-maker/${project.id}/${id}`} onClick={onOpen}>
          <BookOpen size={17} aria-hidden />
          <strong>{title}</strong>
          <span>{updatedAt > 0 && `changed ${shortDay(updatedAt)}`}</span>
        </Link>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename();
          }}
        >
          <TextInput
            aria-label={`New name of ${title}`}
            autoFocus
            value={name}
            maxLength={LIMITS.title}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={rename}
          />
        </form>
      )}
      {mayEdit && (
        <Menu
          label={`More about ${title}`}
          className={menu.more}
          items={[
            { label: 'Rename', icon: <Pencil size={15} />, onSelect: () => setName(title) },
            { label: 'Delete', icon: <Trash2 size={15} />, danger: true, onSelect: onDelete },
          ]}
        >
          <Ellipsis size={17} aria-hidden />
        </Menu>
      )}
    </li>
  );
}
