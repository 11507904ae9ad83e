import { Button, Textarea, TextInput } from '@mantine/core';
import { Check, Image } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  type ProjectDocument,
} from '../../../data/documents/documents.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { COVER_COLORS, createProject } from '../../../data/project/project-contents.ts';
import { describeProject, readTags } from '../../../data/project/projects.ts';
import type { ListedProject } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import css from './projects.module.css';

/** Names of the cover colours. */
const COLOR_NAMES: Readonly<Record<(typeof COVER_COLORS)[number], string>> = {
  '#a8361c': 'Brick',
  '#2f5d62': 'Teal',
  '#6b4a8a': 'Violet',
  '#8a6a1f': 'Ochre',
  '#3d6b3a': 'Moss',
  '#7a2f4f': 'Wine',
  '#2f4a7a': 'Blue',
};

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly tags: string;
}

function CoverChoice({
  color,
  cover,
  onChange,
}: {
  color: string;
  cover: ProjectDocument['cover'];
  onChange: (color: string, cover: ProjectDocument['cover']) => void;
}) {
  return (
    <fieldset className={css.covers}>
      <legend>Cover</legend>
      {COVER_COLORS.map((one) => (
        <label key={one} className={css.swatch} style={{ '--swatch': one } as React.CSSProperties}>
          <input
            type="radio"
            name="cover"
            aria-label={COLOR_NAMES[one]}
            checked={cover === 'colour' && color === one}
            onChange={() => onChange(one, 'colour')}
          />
          <Check size={16} aria-hidden />
        </label>
      ))}
      <label className={css.cardCover}>
        <input
          type="radio"
          name="cover"
          checked={cover === 'card'}
          onChange={() => onChange(color, 'card')}
        />
        <Image size={16} aria-hidden /> First card
      </label>
    </fieldset>
  );
}

/** Makes a project, or changes what one says of itself. */
export function ProjectForm({
  open,
  project,
  count,
  onClose,
}: {
  open: boolean;
  project: ListedProject | undefined;
  count: number;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [cover, setCover] = useState<Pick<ProjectDocument, 'coverColor' | 'cover'>>({
    coverColor: '',
    cover: 'colour',
  });
  const { register, handleSubmit, reset, formState } = useForm<Fields>({
    defaultValues: { name: '', description: '', tags: '' },
  });
  useEffect(() => {
    if (!open) return;
    setFailure(undefined);
    setCover({
      coverColor: project?.coverColor ?? COVER_COLORS[count % COVER_COLORS.length] ?? COVER_COLORS[0],
      cover: project?.cover ?? 'colour',
    });
    reset({
      name: project?.name ?? '',
      description: project?.description ?? '',
      tags: project?.tags.join(', ') ?? '',
    });
  }, [open, project, count, reset]);
  const submit = handleSubmit(async (fields) => {
    setFailure(undefined);
    const details = {
      name: fields.name.trim(),
      description: fields.description.trim(),
      tags: readTags(fields.tags),
      ...cover,
    };
    try {
      if (project) {
        await describeProject(openProject(project), details);
        onClose();
      } else {
        const id = await createProject(details);
        onClose();
        await navigate(`/decks/${id}`);
      }
    } catch (error) {
      setFailure(describeError(error));
    }
  });
  return (
    <Popup open={open} onClose={onClose} title={project ? 'Project details' : 'New project'}>
      <form onSubmit={(event) => void submit(event)} noValidate className={css.form}>
        {failure && <Problem title={failure} />}
        <TextInput
          label="Name"
          data-tutorial="project-name"
          placeholder="Ironsworn assets"
          data-autofocus
          maxLength={MAX_NAME_LENGTH}
          error={formState.errors.name?.message}
          {...register('name', { validate: (value) => value.trim() !== '' || 'Give the project a name.' })}
        />
        <Textarea
          label="Description"
          placeholder="What kind of game is it?"
          rows={3}
          maxLength={MAX_DESCRIPTION_LENGTH}
          {...register('description')}
        />
        <TextInput
          label="Tags"
          description="With commas between them; they sort your projects."
          placeholder="prototype, two players"
          {...register('tags')}
        />
        <CoverChoice
          color={cover.coverColor}
          cover={cover.cover}
          onChange={(coverColor, kind) => setCover({ coverColor, cover: kind })}
        />
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={formState.isSubmitting} data-tutorial="create-project">
            {project ? 'Save' : 'Create project'}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
