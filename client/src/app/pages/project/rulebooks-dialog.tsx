import { Button, NativeSelect, TextInput } from '@mantine/core';
import { BookOpen, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { LIMITS } from '../../../core/book/limits.ts';
import { SKELETONS } from '../../../core/book/skeletons.ts';
import type { RulebookDocument, WithId } from '../../../data/documents.ts';
import { edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import type { Project } from '../../../data/project/open-project.ts';
import {
  createRulebook,
  deleteRulebook,
  describeRulebook,
  MAX_RULEBOOKS,
  purgeRulebooks,
  restoreRulebook,
  useRulebooks,
} from '../../../data/rulebooks/rulebooks.ts';
import { shortDay } from '../../../ui/dates.ts';
import menu from '../../../ui/menu.module.css';
import { Menu } from '../../../ui/menu.tsx';
import { Placeholder, Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import css from './project.module.css';
import { useRole } from './project-gate.tsx';

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
        toasts.show(`${rulebook.title} is deleted.`, {
          autoCloseTime: UNDO_MS,
          actions: [
            {
              buttonText: 'Undo',
              function: () =>
                void restoreRulebook(project, rulebook.id).catch((reason: unknown) =>
                  toasts.show(describeError(reason), { type: 'error' }),
                ),
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
          <Button disabled={(all?.length ?? 0) >= MAX_RULEBOOKS} onClick={() => setMaking(true)}>
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

const EMPTY = 'empty';

function NewRulebook({
  project,
  order,
  onCancel,
}: {
  project: Project;
  order: number;
  onCancel: () => void;
}) {
  const navigate = useNavigate();
  const [title, setTitle] = useState('Rules');
  const [from, setFrom] = useState<string>(SKELETONS[0]?.id ?? EMPTY);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const skeleton = SKELETONS.find(({ id }) => id === from);
  const make = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      // The editor's document model is not needed before.
      const { stepsOf } = await import('../../../core/book/prose/steps.ts');
      const fields = {
        title: title.trim(),
        subtitle: '',
        language: 'en-gb',
        format: 'a5',
        style: 'chronicle',
        order,
      };
      const id = await createRulebook(project, fields, skeleton ? stepsOf(skeleton.blocks()) : []);
      void navigate(`/rulebook-maker/${project.id}/${id}`);
    } catch (reason) {
      setFailure(describeError(reason));
      setBusy(false);
    }
  };
  return (
    <form
      className={css.newRulebook}
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      {failure && <Problem title={failure} />}
      <TextInput
        label="Title"
        required
        data-autofocus
        autoFocus
        maxLength={LIMITS.title}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <NativeSelect
        label="Begin with"
        description={skeleton?.summary ?? 'One empty paragraph.'}
        value={from}
        data={[
          ...SKELETONS.map(({ id, name }) => ({ value: id, label: name })),
          { value: EMPTY, label: 'Nothing' },
        ]}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={title.trim() === ''}>
          Make rulebook
        </Button>
      </PopupActions>
    </form>
  );
}
