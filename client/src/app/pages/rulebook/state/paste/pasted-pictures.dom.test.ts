// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { blocksOfProse } from '../../../../../core/book/prose/convert.ts';
import { checkDoc, emptyDoc } from '../../../../../core/book/prose/steps.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import type { Beginning } from '../../../../../data/rulebooks/beginning.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { editorState } from '../editor-state.ts';
import type { RulebookEditor } from '../rulebook-editor.ts';
import { insertPictures, picturesIn } from './pasted-pictures.ts';

/** The upload takes every picture but those called so. */
const REFUSED = 'huge.png';
vi.mock('../../../../../data/rulebooks/beginning.ts', () => ({
  withPictures: async (_: Project, { blocks, pictures }: Beginning) => {
    expect(new Set(pictures.map(({ name }) => name)).size).toBe(pictures.length);
    return {
      blocks: blocks.flatMap((block) =>
        block.type === 'figure' && block.source !== REFUSED
          ? [{ ...block, source: `image:${block.source}` }]
          : [],
      ),
      losses: pictures.flatMap(({ name }) => (name === REFUSED ? [`${name} was left out.`] : [])),
    };
  },
}));

const picture = (name: string): File => new File([new Uint8Array([1])], name, { type: 'image/png' });

/** A clipboard with files and texts. */
const clipboard = (files: readonly File[], texts: Readonly<Record<string, string>> = {}): DataTransfer =>
  ({ files, getData: (type: string) => texts[type] ?? '' }) as unknown as DataTransfer;

test('pictures come from a clipboard that holds nothing else', () => {
  const shot = picture('image.png');
  const words = new File(['x'], 'a.txt', { type: 'text/plain' });
  expect(picturesIn(clipboard([shot, words]))).toEqual([shot]);
  expect(picturesIn(clipboard([shot], { 'text/html': '<p>Words</p>' }))).toEqual([]);
  expect(picturesIn(clipboard([shot], { 'text/plain': 'Words' }))).toEqual([]);
  // As browsers copy a picture.
  expect(picturesIn(clipboard([shot], { 'text/html': '<meta charset="utf-8"><img src="a.png">' }))).toEqual([
    shot,
  ]);
  expect(picturesIn(null)).toEqual([]);
});

test('each picture becomes a figure, and what cannot be taken is told', async () => {
  let state = editorState(emptyDoc(), 'a');
  const editor = {
    get state() {
      return state;
    },
    dispatch: (tr: Parameters<typeof state.apply>[0]) => {
      state = state.apply(tr);
    },
  } as RulebookEditor;
  const told = vi.spyOn(toasts, 'show');
  const files = [picture('image.png'), picture('image.png'), picture(REFUSED)];
  await insertPictures({} as Project, editor, files);
  checkDoc(state.doc);
  const sources = blocksOfProse(state.doc).map((block) => block.type === 'figure' && block.source);
  expect(sources.filter(Boolean)).toEqual(['image:image.png', 'image:2-image.png']);
  expect(told.mock.calls.map(([message]) => message)).toEqual([`${REFUSED} was left out.`]);
});
