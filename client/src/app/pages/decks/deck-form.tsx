import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { createDeck, renameDeck } from '../../../data/decks.ts';
import { type Deck, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, type WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';

/** Makes a project, or changes name and description of one. */
export function DeckForm({
  open,
  deck,
  count,
  onClose,
}: {
  open: boolean;
  deck: WithId<Deck> | undefined;
  count: number;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, reset, formState } = useForm({
    defaultValues: { name: '', description: '' },
  });
  useEffect(() => {
    if (!open) return;
    setFailure(undefined);
    reset({ name: deck?.name ?? '', description: deck?.description ?? '' });
  }, [open, deck, reset]);
  const submit = handleSubmit(async ({ name, description }) => {
    setFailure(undefined);
    try {
      if (deck) {
        await renameDeck(deck.id, name.trim(), description.trim());
        onClose();
      } else {
        const id = await createDeck(name.trim(), description.trim(), count);
        onClose();
        await navigate(`/decks/${id}`);
      }
    } catch (error) {
      setFailure(describeError(error));
    }
  });
  return (
    <Popup open={open} onClose={onClose} title={deck ? 'Rename project' : 'New project'}>
      <form onSubmit={(event) => void submit(event)} noValidate style={{ display: 'grid', gap: 16 }}>
        {failure && <Problem title={failure} />}
        <TextInput
          label="Name"
          data-tutorial="project-name"
          placeholder="Ironsworn assets"
          data-autofocus
          autoFocus
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
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={formState.isSubmitting} data-tutorial="create-project">
            {deck ? 'Save' : 'Create project'}
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
