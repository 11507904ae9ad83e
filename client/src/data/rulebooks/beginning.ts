import type { Block } from '../../core/book/document/schema.ts';
import { withSources } from '../../core/book/document/with-sources.ts';
import { MAX_DOCX_BYTES } from '../../core/book/docx/limits.ts';
import type { DocxPicture } from '../../core/book/docx/read.ts';
import type { ReadBook } from '../../core/book/markdown/read.ts';
import { referenceTo } from '../../core/images/library.ts';
import { cleanSegment, stemOf } from '../../core/images/path.ts';
import { readDocxInWorker } from '../../workers/rulebook-docx/rulebook-docx-reader.ts';
import { imagesOf } from '../images/library-location.ts';
import { libraryStore } from '../images/library-store.ts';
import type { UploadItem } from '../images/upload/upload-item.ts';
import type { Project } from '../project/open-project.ts';

/** A text that comes from somewhere else. */
export interface Beginning extends ReadBook {
  /** Its source in words: a file or a component. */
  readonly from: string;
  /** Pictures that figures call by name, and that are not among the project's images yet. */
  readonly pictures: readonly DocxPicture[];
  /** Sentences about all that could not be taken over as it was. */
  readonly losses: readonly string[];
}

/** Files that can be read, for a file picker. */
export const TEXT_FILES =
  '.docx,.md,.markdown,.txt,application/vnd.openxmlformats-officedocument.wordprocessingml.document,text/markdown,text/plain';

/** Largest file of Markdown that is read, in bytes; a document may have more for its pictures. */
const MAX_MARKDOWN_BYTES = 16 * 1024 * 1024;

const isText = ({ name }: File): boolean => /\.(?:md|markdown|txt|text)$/i.test(name);

/**
 * Reads a file of Markdown, or a Word document. Its reader is loaded when it is needed.
 * @throws RulebookError saying what is wrong with it, and what to do
 */
export async function readTextFile(file: File): Promise<Beginning> {
  const most = isText(file) ? MAX_MARKDOWN_BYTES : MAX_DOCX_BYTES;
  if (file.size > most) throw new Error(`It has more than ${most / 1024 / 1024} MB: divide it.`);
  const from = file.name;
  if (!isText(file)) return { ...(await readDocxInWorker(new Uint8Array(await file.arrayBuffer()))), from };
  const { readMarkdown } = await import('../../core/book/markdown/read.ts');
  return { ...readMarkdown(await file.text()), from, pictures: [], losses: [] };
}

/** The state of a text's pictures on their way. */
export const picturesWords = (done: number, all: number): string =>
  `${done} of ${all} pictures are in the project. If you cancel, those stay among its images.`;

/** Progress of pictures on their way, and a way to give them up. */
interface Following {
  readonly signal?: AbortSignal;
  /** Called with the number of pictures that are there, and of all. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** Longest name of the folder that a document's pictures come into. */
const MAX_FOLDER = 60;

/**
 * Brings the pictures of a text into the project's images, and answers its blocks with them and all its losses. A picture
 * that cannot be brought in is left out and named in a sentence.
 * @throws AbortError once the signal says so: those that are not there yet are cancelled, the others stay
 */
export async function withPictures(
  project: Project,
  { blocks, pictures, from, losses }: Beginning,
  { signal, onProgress }: Following = {},
): Promise<{ readonly blocks: readonly Block[]; readonly losses: readonly string[] }> {
  if (pictures.length === 0) return { blocks, losses };
  const { uploads } = await import('../images/upload/uploads.ts');
  const queue = uploads();
  const place = imagesOf(project);
  const folder = cleanSegment(stemOf(from)).slice(0, MAX_FOLDER) || 'Document';
  const files = pictures.map(({ name, type, bytes }) => ({
    path: `${folder}/${name}`,
    blob: new Blob([bytes], { type }),
  }));
  const ids = await queue.add(place, files);
  let done = 0;
  onProgress?.(done, ids.length);
  const stop = () => {
    for (const id of ids) queue.cancel(id);
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const items = await Promise.all(
    ids.map(async (id) => {
      const item = await queue.over(id);
      onProgress?.(++done, ids.length);
      return item;
    }),
  );
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  const { images } = await libraryStore(place).first();
  const sources = new Map<string, string>();
  const lost: string[] = [];
  for (const [at, { name }] of pictures.entries()) {
    const item: UploadItem | undefined = items[at];
    if (item?.image === undefined) {
      lost.push(`${name} was left out: ${item?.message ?? 'its upload was cancelled.'}`);
      continue;
    }
    const path = images.find(({ id }) => id === item.image)?.path ?? item.path;
    sources.set(name, referenceTo({ shelf: 'image', id: item.image, path }));
  }
  return { blocks: withSources(blocks, sources), losses: [...losses, ...lost] };
}
