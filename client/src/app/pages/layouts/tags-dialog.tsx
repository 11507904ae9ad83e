import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isolated } from '../../../core/text/names.ts';
import { tagLayout } from '../../../data/layouts/layouts.ts';
import { readTags } from '../../../data/project/projects.ts';
import { knownTags, withTags } from '../../../data/user-object/tags.ts';
import { saveUserObject, useUserObject } from '../../../data/user-object/use-user-object.ts';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { tellFailure } from '../../shell/tell-failure.ts';
import css from './layouts.module.css';
import type { Shelved } from './shelf.ts';

/** Most tags offered. */
const MAX_OFFERED = 24;

/** Asks for the tags of a layout. */
export function TagsDialog({ of, onClose }: { of: Shelved | undefined; onClose: () => void }) {
  const layout = of?.layout;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (layout) setText(layout.tags.join(', '));
  }, [layout]);
  const { userObject } = useUserObject();
  const typed = new Set(readTags(text).map((tag) => tag.toLowerCase()));
  const offered = knownTags(userObject)
    .filter((tag) => !typed.has(tag.toLowerCase()))
    .slice(-MAX_OFFERED)
    .reverse();
  const save = async () => {
    if (!of) return;
    setBusy(true);
    try {
      const tags = readTags(text);
      await tagLayout(of.shelf.source.layout(of.layout.id), tags);
      // Not knowing a tag next time is no harm.
      void saveUserObject((stored) => withTags(stored, tags));
      onClose();
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Popup open={layout !== undefined} onClose={onClose} title={`Tags of ${isolated(layout?.name ?? '')}`}>
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
        {offered.length > 0 && (
          <fieldset className={`${css.chips} ${css.offered}`} aria-label="Tags you have used">
            {offered.map((tag) => (
              <button
                key={tag}
                type="button"
                aria-label={`Add ${tag}`}
                onClick={() => setText(readTags(`${text}, ${tag}`).join(', '))}
              >
                {tag}
              </button>
            ))}
          </fieldset>
        )}
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
