import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LayoutDocument, WithId } from '../../../data/documents.ts';
import { tagLayout } from '../../../data/layouts.ts';
import { describeError } from '../../../data/messages.ts';
import { openLibrary } from '../../../data/project/open-project.ts';
import { readTags } from '../../../data/projects.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';

/** Asks for the tags of a layout. */
export function TagsDialog({
  layout,
  onClose,
}: {
  layout: WithId<LayoutDocument> | undefined;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (layout) setText(layout.tags.join(', '));
  }, [layout]);
  const save = async () => {
    if (!layout) return;
    setBusy(true);
    try {
      await tagLayout(openLibrary().layout(layout.id), readTags(text));
      onClose();
    } catch (reason) {
      toasts.show(describeError(reason), { type: 'error', autoCloseTime: 8_000 });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={layout !== undefined} onClose={onClose} title={`Tags of ${layout?.name ?? ''}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          label="Tags"
          description="Separated by commas, such as: backs, poker, finished"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <PopupActions>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save tags
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}
