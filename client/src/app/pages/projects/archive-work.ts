import { MAX_ARCHIVE_BYTES } from '../../../core/archive/limits.ts';
import { isolated } from '../../../core/text/names.ts';
import { readFont } from '../../../data/fonts/own-fonts.ts';
import type { ProjectName } from '../../../data/project/addresses.ts';
import { openProject } from '../../../data/project/open-project.ts';
import { withFonts } from '../../../data/project/transfer/fonts-out.ts';
import { withImages } from '../../../data/project/transfer/images-out.ts';
import { imageSourceOf } from '../../../data/project/transfer/library-exchange.ts';
import {
  type ProjectProgress,
  type ProjectWork,
  readProject,
} from '../../../data/project/transfer/read-project.ts';
import { writeProject } from '../../../data/project/transfer/write-project.ts';
import { saveFile } from '../../../ui/download.ts';
import { packProject, unpackProject } from '../../../workers/archive/archiver.ts';

/** Letters that file systems do not take. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\\/:*?"<>|\u0000-\u001f]+/g;

/** The progress of a part of the work, as progress of the whole in hundredths. */
const part =
  ({ onProgress }: ProjectWork, from: number, to: number) =>
  ({ done, total, what }: ProjectProgress) =>
    onProgress?.({ done: Math.round(from + ((to - from) * done) / Math.max(1, total)), total: 100, what });

/** Reads a whole project with its pictures and hands it to the user as one file. */
export async function downloadArchive(name: ProjectName, work: ProjectWork): Promise<string> {
  const project = openProject(name);
  const contents = await readProject(project, { signal: work.signal, onProgress: part(work, 0, 30) });
  const whole = await withFonts(contents, readFont);
  const bundle = await withImages(whole, imageSourceOf(project), {
    signal: work.signal,
    onProgress: part(work, 30, 50),
  });
  const packed = part(work, 50, 100);
  const bytes = await packProject(bundle, work.signal, ({ done, total }) =>
    packed({ done, total, what: 'Packing' }),
  );
  const file = `${bundle.project.name.replace(UNSAFE, ' ').trim().slice(0, 80) || 'Project'}.tuckbox.zip`;
  saveFile(file, new Blob([bytes], { type: 'application/zip' }));
  return file;
}

/** Makes a project of an archive; answers its id. */
export async function openArchive(file: File, work: ProjectWork): Promise<string> {
  if (file.size > MAX_ARCHIVE_BYTES) {
    throw new Error(
      `${isolated(file.name)} is larger than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MB, which is the most.`,
    );
  }
  work.onProgress?.({ done: 5, total: 100, what: 'Unpacking' });
  const bundle = await unpackProject(new Uint8Array(await file.arrayBuffer()), work.signal);
  return writeProject(bundle, { signal: work.signal, onProgress: part(work, 20, 100) });
}
