import { Button } from '@mantine/core';
import { LayoutTemplate, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Layout } from '../../../core/scene/layout.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { tagLayout } from '../../../data/layouts/layouts.ts';
import { openLibrary, type Project } from '../../../data/project/open-project.ts';
import { createLayout } from '../../../data/project/project-contents.ts';
import { readTags } from '../../../data/project/projects.ts';
import { withPalette } from '../../../data/user-object/palettes.ts';
import { saveUserObject } from '../../../data/user-object/use-user-object.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import type { ImportedLayout } from './import/dextrous.ts';
import { NewLayoutDialog } from './new-layout-dialog.tsx';
import { editorOf } from './shelf.ts';

/** Most things told of an imported file; the rest is counted. */
const MAX_NOTES = 4;

/** Makes a layout in a project or the library, with what its file says of it; answers its id. */
async function make(
  layout: Layout,
  file: Omit<ImportedLayout, 'layout'> | undefined,
  project: Project | undefined,
): Promise<string> {
  const source = project ?? openLibrary();
  const id = await createLayout(layout, project && { project });
  const tags = readTags(file?.tags.join() ?? '');
  if (tags.length > 0) await tagLayout(source.layout(id), tags);
  const notes = [...(file?.notes ?? [])];
  if (file && file.colours.length > 0) {
    const kept = await saveUserObject((stored) => withPalette(stored, layout.name, file.colours));
    if (!kept) notes.unshift('Its colours could not be kept as a palette.');
  }
  if (notes.length > 0) {
    const more = notes.length - MAX_NOTES;
    const text = notes.slice(0, MAX_NOTES).join(' ');
    toasts.show(more > 0 ? `${text} And ${more} more.` : text, { type: 'warning', autoCloseTime: 0 });
  }
  return id;
}

/** The ways to a new layout, which then opens: of a project, or of the library. */
export function useNewLayout(
  project: Project | undefined,
  inList: boolean,
): { readonly buttons: ReactNode; readonly dialog: ReactNode } {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const start = async (layout: Layout, file?: Omit<ImportedLayout, 'layout'>) => {
    setBusy(true);
    try {
      const id = await make(layout, file, project);
      setChoosing(false);
      await navigate(editorOf(project ?? openLibrary(), id, inList));
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  return {
    buttons: (
      <>
        <Button
          variant="default"
          leftSection={<LayoutTemplate size={17} aria-hidden />}
          onClick={() => setChoosing(true)}
        >
          From a template
        </Button>
        <Button
          loading={busy}
          data-tutorial="new-layout"
          leftSection={<Plus size={17} aria-hidden />}
          onClick={() => void start(newLayout('New layout'))}
        >
          New layout
        </Button>
      </>
    ),
    dialog: (
      <NewLayoutDialog
        open={choosing}
        onClose={() => setChoosing(false)}
        onPick={(layout, file) => void start(layout, file)}
      />
    ),
  };
}
