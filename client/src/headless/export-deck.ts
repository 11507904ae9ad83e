import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ImageLibrary, isAddress } from '../core/images/library.ts';
import { cardName } from '../core/imposition/card-name.ts';
import { withGroupSizes } from '../core/layout/group-sizes.ts';
import type { DisplayList } from '../core/scene/display-list.ts';
import type { Layout } from '../core/scene/zone.ts';
import { type FaceFile, familyOf } from '../core/text/catalogue.ts';
import type { ImageReader } from '../render/image-book.ts';
import { makePdf, type PdfResult } from '../render/pdf/document.ts';
import { createSubsetter } from '../render/pdf/subset.ts';
import { Stage } from '../render/stage.ts';
import { type LoadedProject, loadProject } from './project.ts';
import { RemoteStore, StoreError } from './store.ts';

/**
 * `export-deck PROJECT --out FILE`: the PDF of a project without a browser, from a running server. What
 * vectors cannot do (filters, masks, conic gradients, colour emoji) needs a browser's canvas: cards with
 * it are named, and nothing is written unless `--without-effects` says that they may lack it.
 */

const USAGE = `usage: tuckbox export-deck PROJECT --email ADDRESS --out FILE [options]

PROJECT is the project's name or id. The password comes from TUCKBOX_PASSWORD.

  --format FORMAT     pdf, the only one that needs no browser
  --server URL        where the server answers (http://127.0.0.1:5000)
  --component NAME    one component instead of all
  --preset NAME       print settings kept in the project
  --without-effects   leave out effects that only a browser can paint`;

/** Largest image read, in bytes. */
const MAX_IMAGE_BYTES = 40 * 1024 * 1024;
/** Most cards named in one message. */
const MAX_NAMED = 20;

const here = path.dirname(fileURLToPath(import.meta.url));
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const fonts = path.join(here, '../fonts');

/** Fonts of the application lie beside this program; people's own are on the server. */
function faceReader(origin: string) {
  return async ({ file }: FaceFile): Promise<Uint8Array> => {
    if (!file.includes('/')) return readFileSync(path.join(fonts, file));
    const response = await fetch(new URL(file, origin));
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

const readFontList = async () =>
  JSON.parse(readFileSync(path.join(fonts, 'library.json'), 'utf8')).families.map(familyOf);

/** Images of the library, which have a path on the server, and others by address. */
function imageReader(origin: string, library: ImageLibrary): ImageReader {
  return async (source) => {
    const found = library.find(source);
    const url = found?.url ?? (isAddress(source) ? source : undefined);
    if (url === undefined) return undefined;
    const response = await fetch(url.startsWith('/') ? `${origin}${url}` : url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok || bytes.length > MAX_IMAGE_BYTES) return undefined;
    return { bytes, crop: found?.crop, focus: found?.focus };
  };
}

/** The PDF, and the cards that a browser would paint otherwise. */
async function print(
  project: LoadedProject,
  origin: string,
): Promise<{ result: PdfResult; lacking: ReadonlyMap<string, Set<string>> }> {
  const stage = new Stage(faceReader(origin), imageReader(origin, project.library), readFontList);
  const lacking = new Map<string, Set<string>>();
  const note = (list: DisplayList, name: string): DisplayList => {
    for (const op of list.ops) {
      if (op.op !== 'push' || !op.raster) continue;
      const cards = lacking.get(op.raster) ?? new Set();
      lacking.set(op.raster, cards.add(name));
    }
    return list;
  };
  const parts = await Promise.all(
    project.parts.map(async ({ part }) => {
      const rows = part.cards.map(({ row }) => row);
      const fitted = async (layout: Layout): Promise<Layout> =>
        withGroupSizes(layout, await stage.fitGroups(layout, rows, part.columns));
      return { ...part, layout: await fitted(part.layout), back: part.back && (await fitted(part.back)) };
    }),
  );
  const result = await makePdf(
    { parts, settings: project.settings, title: project.name, created: new Date() },
    {
      fonts: stage.fonts,
      layOut: async (layout, row, columns) =>
        note(await stage.layOut(layout, row, columns), cardName(row, columns, (row.index ?? 1) - 1)),
      subsetter: await createSubsetter(readFileSync(path.join(here, 'harfbuzz-subset.wasm'))),
      imageBytes: async (source) => stage.images.bytes(source),
    },
  );
  return { result, lacking };
}

function refuseLacking(lacking: ReadonlyMap<string, Set<string>>): void {
  if (lacking.size === 0) return;
  const lines = [...lacking].map(([reason, cards]) => {
    const names = [...cards].slice(0, MAX_NAMED).join(', ');
    return `  ${reason}: ${names}${cards.size > MAX_NAMED ? ` and ${cards.size - MAX_NAMED} more` : ''}`;
  });
  throw new StoreError(
    `These cards have effects that only a browser can paint:\n${lines.join('\n')}\nExport them in the application, or add --without-effects.`,
  );
}

async function run(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'pdf' },
      out: { type: 'string' },
      server: { type: 'string', default: 'http://127.0.0.1:5000' },
      email: { type: 'string' },
      component: { type: 'string' },
      preset: { type: 'string' },
      'without-effects': { type: 'boolean', default: false },
    },
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new StoreError(USAGE);
  if (values.format !== 'pdf') {
    throw new StoreError(
      `The format ${values.format} needs a browser: export it in the application. Here there is: pdf.`,
    );
  }
  if (!values.out) throw new StoreError('Say where the file goes: --out FILE.');
  if (!values.email) throw new StoreError('Say whose project it is: --email ADDRESS.');
  const password = process.env.TUCKBOX_PASSWORD;
  if (!password) throw new StoreError('Set TUCKBOX_PASSWORD to the password of that account.');
  const store = await RemoteStore.signIn(values.server, { email: values.email, password });
  const project = await loadProject(store, {
    project: name,
    component: values.component,
    preset: values.preset,
  });
  if (project.without.length > 0) say(`Left out, having no layout: ${project.without.join(', ')}.`);
  if (project.parts.length === 0)
    throw new StoreError('There is nothing to print: no component has a layout.');
  const { result, lacking } = await print(project, store.origin);
  if (!values['without-effects']) refuseLacking(lacking);
  await writeWhole(values.out, result.bytes);
  for (const { part, card, issue } of result.issues) {
    say(`${project.parts[part]?.part.name}, card ${card + 1}: ${issue.message}`);
  }
  say(`${values.out}: ${result.pages} pages, ${result.cards} cards.`);
}

/** The file appears when it is whole. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  say(error instanceof StoreError ? message : `export-deck failed: ${message}`);
  process.exitCode = 1;
});
