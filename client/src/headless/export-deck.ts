import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSave } from '../core/tabletop/save.ts';
import { fileNameOf, isTheirs, readCall } from './call.ts';
import { installCanvas } from './canvas.ts';
import { Files } from './files/files.ts';
import { FileTooLarge, NewFile } from './files/new-file.ts';
import type { Made } from './format.ts';
import { type ExportOptions, FORMATS, optionsSchema } from './formats.ts';
import { fitProject, make, renderContextOf } from './make.ts';
import { endWithParent } from './parent.ts';
import { type LoadedProject, loadProject, type ProjectChoice } from './project/project.ts';
import { loadRulebook } from './project/rulebook.ts';
import { RemoteStore, StoreError } from './project/store.ts';
import { fileInLanguage, namedLanguages } from './several-languages.ts';

/**
 * `export-deck PROJECT --out FILE`: exports a project from a running server without a browser. With `--call` it serves
 * the callable function `exportDeck`: a request on standard input, the answer on standard output.
 */

const USAGE = `usage: tuckbox export-deck PROJECT --email ADDRESS --out FILE [options]

PROJECT is the project's name or id. The password comes from TUCKBOX_PASSWORD; TUCKBOX_TOKEN may hold an ID token
instead of address and password.

  --format FORMAT     what to make (pdf):
${Object.entries(FORMATS)
  .map(([name, { summary }]) => `                        ${name.padEnd(11)} ${summary}`)
  .join('\n')}
  --server URL        where the server answers (http://127.0.0.1:5000)
  --version NAME      a version of the project instead of today: its name, its number such as #12, or its id
  --component NAME    one component instead of all
  --preset NAME       print settings kept in the project, for pdf
  --rulebook TITLE    rulebook: which one, if there are several; tts: a page of the notebook
  --language TAG      cards, and a rulebook, in a language that they are translated into, such as de; several,
                      such as de,fr, make a file each: game-de.pdf, game-fr.pdf
  --split-mb N        pdf: a ZIP of PDFs of about N megabytes
  --split HOW         pdf, of boards larger than a page: overlap, tabs (to glue) or off
  --overlap MM        pdf: what neighbouring pages of a board share, or the length of tabs
  --fold KIND         pdf: boards fold to two, four or six panels, or none
  --no-overview       pdf: without the page that shows how a board's pages go together
  --crosses           pdf: crosses in the overlaps of a board's pages, to lay them by
  --dpi N             pictures: dots per inch (300); pdf: of effects that come as pictures (600)
  --quality N         webp and jpeg: 1 to 100 (90)
  --bleed             pictures: with what lies outside the cut
  --square            pictures: leave the corners on
  --no-backs          pictures: fronts alone
  --each-copy         pictures: one for every copy
  --names TEMPLATE    pictures: names of the files ({{ID}}_{{Name}}_{{copy}})
  --contact-sheet     pictures: with an overview of all
  --product ID        mpc, tgc, dtc: which product (the first that fits)
  --update SAVE       tts: a save to bring up to date; its table stays as it is
  --without-effects   leave out effects where this machine has no canvas to paint them
  --outside-pictures  read pictures and fonts of other servers too, by the addresses in cells and layouts`;

/** Most remarks in an answer. */
const MAX_REMARKS = 100;
/** Most pixels of a painting in a call: with its working memory, it fits the server's limit. */
const MAX_CALL_PIXELS = 8_192 * 8_192;
/** Largest file stored on the server, in bytes: its rules refuse larger ones. */
const MAX_STORED_BYTES = 20 * 1024 * 1024;

const here = path.dirname(fileURLToPath(import.meta.url));
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Job {
  readonly choice: ProjectChoice;
  readonly options: ExportOptions;
  /** Text of a save to update. */
  readonly save: string | undefined;
  readonly withoutEffects: boolean;
  /** Read fonts and images from other servers too. */
  readonly outside: boolean;
  /** Advice about files that are not read. */
  readonly advice: string;
  /** Most bytes of the file, and pixels of one painting; unlimited when left out. */
  readonly maxBytes?: number;
  readonly maxPixels?: number;
}

interface Done extends Made {
  readonly project: Pick<
    LoadedProject,
    'home' | 'name' | 'version' | 'language' | 'untranslated' | 'unreadable'
  >;
  readonly without: readonly string[];
  readonly bytes: number;
}

/** True if a rulebook comes with the export. @throws StoreError when it takes none and one is named */
function wantsRulebook({ format, rulebook }: ExportOptions): boolean {
  const wants = FORMATS[format].rulebook;
  if (rulebook !== undefined && wants === undefined) {
    const takers = Object.entries(FORMATS).flatMap(([name, one]) => (one.rulebook ? [name] : []));
    throw new StoreError(`--rulebook belongs to --format ${takers.join(' or ')}.`);
  }
  return wants === 'needed' || rulebook !== undefined;
}

/** The project, and the rulebook that its export comes with. */
async function load(store: RemoteStore, { choice, options }: Job): Promise<LoadedProject> {
  const { rulebook: wanted, language } = options;
  if (!wantsRulebook(options)) return loadProject(store, { ...choice, language });
  // A rulebook alone is translated by itself, whatever language its cards speak.
  const ofCards = FORMATS[options.format].rulebook === 'needed' ? undefined : language;
  const project = await loadProject(store, { ...choice, language: ofCards, ownWords: true }, 'all');
  const rulebook = await loadRulebook(store, project.id, project.contents, wanted, language);
  return { ...project, rulebook, unreadable: [...project.unreadable, ...rulebook.unreadable] };
}

/** Writes a file whole or not at all. */
async function exportTo(out: string, store: RemoteStore, job: Job): Promise<Done> {
  const existing = job.save === undefined ? undefined : readSave(job.save);
  const noCanvas = await installCanvas(here);
  const format = FORMATS[job.options.format];
  const loaded = await load(store, job);
  if (loaded.parts.length === 0 && !loaded.rulebook) {
    throw new StoreError('There is nothing to export: no component has a layout.');
  }
  const { outside, advice, maxBytes, maxPixels = Number.POSITIVE_INFINITY } = job;
  const renderContext = renderContextOf(loaded, new Files({ origin: store.origin, outside, advice }), here);
  // A rulebook alone contains none of the parts.
  const project = format.rulebook === 'needed' ? loaded : await fitProject(loaded, renderContext);
  const planned = format.plan(project, job.options, existing);
  const equipment = { folder: here, noCanvas, maxPixels, withoutEffects: job.withoutEffects };
  const file = await NewFile.create(out, maxBytes);
  try {
    const made = await make(planned, project, renderContext, equipment, file.write);
    await file.close();
    return { ...made, project, without: project.without, bytes: file.bytes };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Remarks on a finished export. */
const remarksOf = ({ project, remarks }: Done): string[] => [
  ...project.untranslated,
  ...project.unreadable.map((what) => `Left out: ${what}`),
  ...remarks.map(({ where, issue }) => `${where}: ${issue.message}`),
];

function signIn(server: string, email: string | undefined): Promise<RemoteStore> {
  const token = process.env['TUCKBOX_TOKEN'];
  if (token) return RemoteStore.withToken(server, token);
  if (!email) throw new StoreError('Say whose project it is: --email ADDRESS.');
  const password = process.env['TUCKBOX_PASSWORD'];
  if (!password) throw new StoreError('Set TUCKBOX_PASSWORD to the password of that account.');
  return RemoteStore.signIn(server, { email, password });
}

/** The callable function: the file is stored among the project's files, at an unguessable address. */
async function serveCall(server: string): Promise<void> {
  endWithParent();
  const answer = (value: unknown): void => void process.stdout.write(JSON.stringify(value));
  const out = path.join(tmpdir(), `tuckbox-export-${crypto.randomUUID()}`);
  try {
    const { project, version, component, preset, ...options } = readCall(readFileSync(0, 'utf8'));
    const store = await signIn(server, undefined);
    const choice = { project, version, component, preset };
    const done = await exportTo(out, store, {
      choice,
      options,
      save: undefined,
      withoutEffects: false,
      outside: false,
      advice: 'exports on the server read its own files alone. Upload it.',
      maxBytes: MAX_STORED_BYTES,
      maxPixels: MAX_CALL_PIXELS,
    }).catch((error: unknown) => {
      if (!(error instanceof FileTooLarge)) throw error;
      throw new StoreError(
        `It would be larger than the ${Math.floor(MAX_STORED_BYTES / 1024 / 1024)} MB that this host stores a file. Name one component, choose fewer dots per inch, or use the command line.`,
      );
    });
    const { name: title, version: of, language } = done.project;
    const name = fileNameOf([title, of, language].filter((one) => one !== undefined).join(' '), options);
    const url = await store.storeExport(done.project.home, name, await readFile(out));
    const remarks = remarksOf(done).slice(0, MAX_REMARKS);
    const { bytes, pages, cards, without } = done;
    answer({ done: { name, url, bytes, pages, cards, without, remarks } });
  } catch (error) {
    if (!isTheirs(error)) throw error;
    answer({ refused: error.message });
  } finally {
    await rm(out, { force: true });
  }
}

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** The options that were given. */
const given = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const FLAGS = {
  call: { type: 'boolean', default: false },
  format: { type: 'string' },
  out: { type: 'string' },
  server: { type: 'string', default: 'http://127.0.0.1:5000' },
  email: { type: 'string' },
  version: { type: 'string' },
  component: { type: 'string' },
  preset: { type: 'string' },
  dpi: { type: 'string' },
  quality: { type: 'string' },
  names: { type: 'string' },
  product: { type: 'string' },
  rulebook: { type: 'string' },
  language: { type: 'string' },
  update: { type: 'string' },
  'split-mb': { type: 'string' },
  split: { type: 'string' },
  overlap: { type: 'string' },
  fold: { type: 'string' },
  'no-overview': { type: 'boolean' },
  crosses: { type: 'boolean' },
  bleed: { type: 'boolean' },
  square: { type: 'boolean' },
  'no-backs': { type: 'boolean' },
  'each-copy': { type: 'boolean' },
  'contact-sheet': { type: 'boolean' },
  'without-effects': { type: 'boolean', default: false },
  'outside-pictures': { type: 'boolean', default: false },
} as const;

async function run(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: FLAGS,
  });
  if (values.call) return serveCall(values.server);
  const [project, ...more] = positionals;
  if (project === undefined || more.length > 0) throw new StoreError(USAGE);
  const languages = namedLanguages(values.language);
  const options = optionsSchema.safeParse({
    format: values.format,
    dpi: number(values.dpi),
    quality: number(values.quality),
    names: values.names,
    product: values.product,
    rulebook: values.rulebook,
    language: languages[0],
    splitMb: number(values['split-mb']),
    boards: given({
      split: values.split,
      overlap: number(values.overlap),
      fold: values.fold,
      overview: values['no-overview'] ? false : undefined,
      crosses: values.crosses,
    }),
    bleed: values.bleed,
    square: values.square,
    noBacks: values['no-backs'],
    eachCopy: values['each-copy'],
    contactSheet: values['contact-sheet'],
  });
  if (!options.success) {
    const issue = options.error.issues[0];
    if (issue?.path[0] === 'format') {
      throw new StoreError(
        `There is no format ${values.format}. There is: ${Object.keys(FORMATS).join(', ')}.`,
      );
    }
    throw new StoreError(`--${issue?.path.at(-1) as string}: ${issue?.message}.`);
  }
  if (!values.out) throw new StoreError('Say where the file goes: --out FILE.');
  const format = FORMATS[options.data.format];
  if (values.update !== undefined && !format.updates) {
    throw new StoreError('--update belongs to --format tts.');
  }
  if (values.update !== undefined && languages.length > 1) {
    throw new StoreError('--update brings one save up to date: name one language.');
  }
  const save = values.update === undefined ? undefined : await readFile(values.update, 'utf8');
  const store = await signIn(values.server, values.email);
  const { version, component, preset } = values;
  const choice = { project, version, component, preset };
  const jobIn = (language: string | undefined): Job => ({
    choice,
    options: { ...options.data, language },
    save,
    withoutEffects: values['without-effects'],
    outside: values['outside-pictures'],
    advice: 'upload it, or add --outside-pictures.',
  });
  // A language that is not there is refused before a file of another is made.
  if (languages.length > 1) for (const language of languages) await load(store, jobIn(language));
  for (const language of languages) {
    const several = languages.length > 1 && language !== undefined;
    const out = several ? fileInLanguage(values.out, language) : values.out;
    tell(out, format, await exportTo(out, store, jobIn(language)));
  }
}

/** Says what was made, and what could not be. */
function tell(out: string, format: (typeof FORMATS)[keyof typeof FORMATS], done: Done): void {
  if (done.without.length > 0) say(`Left out, having no layout: ${done.without.join(', ')}.`);
  for (const remark of remarksOf(done)) say(remark);
  say(
    // PDFs in a ZIP are told in pages, too.
    format.ending({ splitMb: undefined }) === 'pdf'
      ? `${out}: ${done.pages} pages, ${done.cards} cards.`
      : `${out}: ${done.pages} files, ${done.cards} of them pictures.`,
  );
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const known = isTheirs(error) || (error instanceof Error && error.name === 'SaveError');
  say(known ? message : `export-deck failed: ${message}`);
  process.exitCode = 1;
});
