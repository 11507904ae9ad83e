import type { Block } from '../../../../../core/book/document/schema.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import { withPictures } from '../../../../../data/rulebooks/beginning.ts';
import { describeError } from '../../../../../data/server/messages.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { withText } from '../../commands/insert-text.ts';
import type { RulebookEditor } from '../rulebook-editor.ts';

/** Folder of the project's images that pasted pictures come into. */
const FOLDER = 'Rulebook';
const TOLD_MS = 8_000;

/** The pictures of a clipboard or a drop that holds nothing else: programs add one to the text that they copy. */
export function picturesIn(data: DataTransfer | null): readonly File[] {
  if (data?.getData('text/plain') !== '') return [];
  // Browsers put the picture into HTML, too.
  const html = new DOMParser().parseFromString(data.getData('text/html'), 'text/html');
  if (html.body.textContent.trim() !== '') return [];
  return [...data.files].filter(({ type }) => type.startsWith('image/'));
}

/** Brings pictures into the project's images and below the block with the cursor. */
export async function insertPictures(
  project: Project,
  editor: RulebookEditor,
  files: readonly File[],
): Promise<void> {
  const tell = (message: string) => void toasts.show(message, { type: 'error', autoCloseTime: TOLD_MS });
  try {
    const pictures = await Promise.all(
      files.map(async (file, at) => ({
        // Screenshots are all called the same.
        name: files.findIndex(({ name }) => name === file.name) === at ? file.name : `${at + 1}-${file.name}`,
        type: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    );
    const blocks = pictures.map(
      ({ name }, at): Block => ({
        type: 'figure',
        id: `p${at}`,
        source: name,
        alt: '',
        place: 'column',
        width: 1,
        caption: [],
      }),
    );
    const brought = await withPictures(project, { blocks, pictures, from: FOLDER, losses: [] });
    if (brought.blocks.length > 0) editor.dispatch(withText(editor.state, brought.blocks));
    for (const loss of brought.losses) tell(loss);
  } catch (error) {
    tell(describeError(error));
  }
}
