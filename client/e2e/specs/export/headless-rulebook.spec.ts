/** A rulebook exported without a browser: its PDF, and its page of the notebook. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../src/core/book/document/schema.ts';
import { toProse } from '../../../src/core/book/prose/convert.ts';
import { writeVersion } from '../../../src/core/book/prose/versions.ts';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { exportProject } from '../../headless.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { commitDocuments, numbered, putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import { PROJECT, Server } from '../../server.ts';

const execute = promisify(execFile);
const EVE = { email: 'eve@example.com', password: 'a long enough one' };

const text = (words: string) => ({ type: 'text' as const, text: words });
const BLOCKS: Block[] = [
  { type: 'heading', id: 'h1', level: 1, content: [text('Setting up')] },
  {
    type: 'paragraph',
    id: 'p1',
    content: [text('Shuffle all '), { type: 'value', formula: 'Tides' }, text(' tides.')],
  },
  { type: 'cards', id: 'c1', names: ['Ebb', 'Lighthouse'], caption: [text('Two of them')] },
  { type: 'heading', id: 'h2', level: 2, content: [text('Scoring')] },
  { type: 'paragraph', id: 'p2', content: [text('Count your shells.')] },
  { type: 'live', id: 'l1', show: 'components' },
];

let server: Server;
let user: RestUser;

beforeAll(async () => {
  server = await Server.start();
  user = await RestUser.signUp(server.origin, EVE);
  const layout = newLayout('Tide');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [title];
  await user.put({
    'projects/d': { name: 'Driftglass', createdAt: 1, updatedAt: 1 },
    'projects/d/components/tides': {
      name: 'Tides',
      kind: 'cards',
      layoutId: 'tide',
      columns: [{ key: 'name', name: 'Name', type: 'text' }],
      order: 1,
    },
    'projects/d/components/tides/cards/ebb': { order: 0, copies: 4, cells: { name: 'Ebb' } },
    'projects/d/components/tides/cards/flood': { order: 1, copies: 3, cells: { name: 'Flood' } },
    'projects/d/layouts/tide': { name: 'Tide', version: 1, scene: layout },
  });
  await putRulebook(user, 'd', { id: 'rules', title: 'Rules of Driftglass', blocks: BLOCKS });
});
afterAll(async () => {
  await server?.stop();
});

const at = (name: string) => join(server.dataDir, name);
const run = (out: string, extra: readonly string[]) =>
  exportProject(server, EVE, 'Driftglass', at(out), extra);
const refusal = (extra: readonly string[]): Promise<string> =>
  run('no.pdf', extra).then(
    () => 'It was made.',
    (error: { stderr?: string }) => String(error.stderr),
  );

test('the PDF has the text with its values and cards, tags and bookmarks; faults are told by their place', async () => {
  const { stderr } = await run('rules.pdf', ['--format', 'rulebook']);
  expect(stderr).toMatch(/rules\.pdf: \d+ pages, 1 cards?\./);
  expect(stderr).toContain('Two of them');
  expect(stderr).toContain('below the heading “Setting up”: The project has no card Lighthouse');
  await checkPdf(at('rules.pdf'));
  const words = await pdfText(at('rules.pdf'));
  const places = [
    'Setting up',
    'Shuffle all 7 tides.',
    'Ebb',
    'Lighthouse is not there',
    'Scoring',
    '7 × Tides',
  ].map((one) => words.indexOf(one));
  expect(places).not.toContain(-1);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  const info = await pdfInfo(at('rules.pdf'));
  expect(info['Title']).toBe('Rules of Driftglass');
  expect(info['Tagged']).toBe('yes');
  const { stdout } = await execute('qpdf', ['--json', '--json-key=outlines', at('rules.pdf')]);
  expect(stdout).toContain('Setting up');
  expect(stdout).toContain('Scoring');
});

test('the text is that of the newest version and the steps after it', async () => {
  const rulebook = 'projects/d/rulebooks/rules';
  const put = (number: number) =>
    commitDocuments(user, [
      { path: rulebook, fields: { title: 'Rules of Driftglass', language: 'en-gb', order: 0, head: number } },
      {
        path: `${rulebook}/steps/${numbered(number)}`,
        fields: {
          client: 'test',
          by: user.uid,
          s: JSON.stringify([
            {
              stepType: 'replace',
              from: 1,
              to: 1,
              slice: { content: [{ type: 'text', text: `${number} ` }] },
            },
          ]),
        },
        timed: true,
      },
    ]);
  for (const number of [2, 3, 4]) await put(number);
  // Its words are in no step: they are in the text only if the version was read.
  const kept: Block[] = [
    { type: 'heading', id: 'k', level: 1, content: [text('As it was kept')] },
    ...BLOCKS,
  ];
  await commitDocuments(user, [
    {
      path: `${rulebook}/versions/${numbered(3)}`,
      fields: { name: '', by: user.uid, hash: 'a'.repeat(64), doc: writeVersion(toProse(kept)) },
      timed: true,
    },
  ]);
  await put(5);
  await run('later.pdf', ['--format', 'rulebook', '--rulebook', 'Rules of Driftglass']);
  const words = await pdfText(at('later.pdf'));
  expect(words).toContain('5 4 As it was kept');
  expect(words).not.toContain('3 2');
});

test('a save of Tabletop Simulator has the rulebook in its notebook when one is named', async () => {
  const notebook = async (file: string) => {
    const files = unzipSync(new Uint8Array(await readFile(at(file))));
    const save = Object.entries(files).find(([name]) => name.endsWith('Driftglass.json'))?.[1];
    const { TabStates = {} } = JSON.parse(new TextDecoder().decode(save)) as {
      TabStates?: Record<string, { title: string; body: string }>;
    };
    return Object.values(TabStates);
  };
  await run('with.zip', ['--format', 'tts', '--rulebook', 'rules']);
  const page = (await notebook('with.zip')).find(({ title }) => title === 'Rules of Driftglass');
  expect(page?.body).toContain('Shuffle all 7 tides.');
  expect(page?.body).toContain('7 × Tides');
  await run('without.zip', ['--format', 'tts']);
  expect((await notebook('without.zip')).map(({ title }) => title)).not.toContain('Rules of Driftglass');
});

test('as a function: the PDF is stored for the caller', async () => {
  const answer = (await user.post(`/${PROJECT}/us-central1/exportDeck`, {
    data: { project: 'd', format: 'rulebook' },
  })) as { result?: { name: string; pages: number } };
  expect(answer.result).toMatchObject({ name: 'Driftglass rulebook.pdf' });
  expect(answer.result?.pages).toBeGreaterThan(0);
});

test('what is missing or ambiguous is said, with what there is', async () => {
  expect(await refusal(['--format', 'rulebook', '--rulebook', 'Other'])).toContain(
    'There is no rulebook “Other”. There is: “Rules of Driftglass” (rules).',
  );
  expect(await refusal(['--format', 'png', '--rulebook', 'rules'])).toContain(
    '--rulebook belongs to --format rulebook or tts.',
  );
  await putRulebook(user, 'd', { id: 'short', title: 'Short rules', blocks: BLOCKS });
  expect(await refusal(['--format', 'rulebook'])).toContain('Say which rulebook, by its title or id');
  await user.put({ 'projects/e': { name: 'Empty', createdAt: 1, updatedAt: 1 } });
  const empty = exportProject(server, EVE, 'Empty', at('no.pdf'), ['--format', 'rulebook']);
  await expect(empty).rejects.toMatchObject({ stderr: expect.stringContaining('has no rulebook') });
});
