import fc from 'fast-check';
import { TextSelection } from 'prosemirror-state';
import { DecorationSet } from 'prosemirror-view';
import { expect, test } from 'vitest';
import { toProse } from '../../../../core/book/prose/convert.ts';
import { sampleRulebook } from '../../../../core/testing/sample-rulebook.ts';
import { editorState } from './editor-state.ts';
import { cursorOf, withMarks } from './marks.ts';

const doc = toProse(sampleRulebook().blocks);

/** Places of all that the marks show. */
function shownIn(state: ReturnType<typeof editorState>): number[] {
  const sets = state.plugins.flatMap((plugin) => {
    const set = plugin.props.decorations?.call(plugin, state);
    return set instanceof DecorationSet ? [set] : [];
  });
  return sets.flatMap((set) => set.find().map(({ from }) => from));
}

const peer = (block: string | null, offset: number) => ({
  id: 'w',
  name: 'Bob',
  hue: 1,
  card: null,
  column: null,
  block,
  offset,
  zones: [],
  x: null,
  y: null,
  editing: false,
  at: 1,
});

test('a cursor that is told is shown where it is, and moves with the text', () => {
  const places: number[] = [];
  doc.descendants((node, pos) => {
    if (node.isTextblock) for (let at = 0; at <= node.content.size; at++) places.push(pos + 1 + at);
    return true;
  });
  fc.assert(
    fc.property(fc.nat(), (chance) => {
      const place = places[chance % places.length] ?? 1;
      const own = editorState(doc, 'a');
      const cursor = cursorOf(own.apply(own.tr.setSelection(TextSelection.create(doc, place))));
      // Captions and cells have no id: the cursor is shown at the table or picture.
      const { parent } = doc.resolve(place);
      if (!cursor) return;
      let state = editorState(doc, 'b');
      state = state.apply(
        withMarks(state, { peers: [peer(cursor.block, cursor.offset)], commented: new Set() }),
      );
      const shown = shownIn(state);
      expect(shown).toHaveLength(1);
      if ('id' in parent.attrs) expect(shown).toEqual([place]);
      state = state.apply(state.tr.insertText('abc', 1));
      expect(shownIn(state)).toEqual(shown.map((at) => at + 3));
    }),
    { numRuns: 300 },
  );
});

test('what is gone, or out of reach, is shown nowhere or at the end of its block', () => {
  let state = editorState(doc, 'a');
  const mark = (block: string | null, offset: number) => {
    state = state.apply(withMarks(state, { peers: [peer(block, offset)], commented: new Set() }));
    return shownIn(state);
  };
  expect(mark('no such block', 0)).toEqual([]);
  expect(mark(null, 0)).toEqual([]);
  const first = doc.firstChild;
  expect(mark(String(first?.attrs.id), 100_000)).toEqual([1 + (first?.content.size ?? 0)]);
});
