import fc from 'fast-check';
import type { Node as ProseNode } from 'prosemirror-model';
import { CALLOUT_KINDS } from '../book/document/schema.ts';
import { proseSchema } from '../book/prose/schema.ts';

const { nodes } = proseSchema;
const word = fc.stringMatching(/^[a-zé ]{1,12}$/);
const named = fc.stringMatching(/^[A-Za-z]{1,10}$/);

const inline = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(word, fc.subarray(['strong', 'emphasis'])).map(([text, marks]) =>
      proseSchema.text(
        text,
        marks.map((mark) => proseSchema.mark(mark)),
      ),
    ),
  },
  fc.constant(nodes.break.create()),
  named.map((name) => nodes.icon.create({ name })),
  named.map((name) => nodes.card.create({ name })),
  fc.tuple(named, word).map(([definition, text]) => nodes.term.create({ definition, text })),
  fc
    .tuple(named, fc.constantFrom('title', 'number', 'page'))
    .map(([block, show]) => nodes.reference.create({ block, show })),
  word.map((formula) => nodes.value.create({ formula })),
);
const inlines = fc.array(inline, { maxLength: 5 });

const paragraph = inlines.map((content) => nodes.paragraph.create(null, content));
const simple = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  fc.tuple(named, inlines).map(([source, content]) => nodes.figure.create({ source }, content)),
  fc
    .tuple(fc.array(named, { minLength: 1, maxLength: 3 }), inlines)
    .map(([names, content]) => nodes.cards.create({ names }, content)),
);
const table = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 0, max: 1 }),
    inlines,
  )
  .chain(([rows, cells, headRows, caption]) =>
    fc
      .array(fc.array(inlines, { minLength: cells, maxLength: cells }), { minLength: rows, maxLength: rows })
      .map((all) =>
        nodes.tableBlock.create({ headRows }, [
          nodes.caption.create(null, caption),
          nodes.table.create(
            null,
            all.map((row) =>
              nodes.tableRow.create(
                null,
                row.map((cell) => nodes.tableCell.create(null, cell)),
              ),
            ),
          ),
        ]),
      ),
  );
const list = fc
  .tuple(
    fc.constantFrom('bullets', 'steps'),
    fc.array(fc.array(simple, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  )
  .map(([marker, items]) =>
    nodes.list.create(
      { marker },
      items.map((blocks) => nodes.listItem.create(null, blocks)),
    ),
  );
const inCallout = fc.oneof(simple, table, list);
const callout = fc
  .tuple(fc.constantFrom(...CALLOUT_KINDS), word, fc.array(inCallout, { minLength: 1, maxLength: 3 }))
  .map(([kind, title, blocks]) => nodes.callout.create({ kind, title }, blocks));
const inColumns = fc.oneof(
  inCallout,
  callout,
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4), inlines)
    .map(([level, content]) => nodes.heading.create({ level }, content)),
  fc
    .tuple(fc.constantFrom(1, 2, 3), inlines)
    .map(([depth, content]) => nodes.rule.create({ depth }, content)),
  fc
    .tuple(named, fc.array(named, { maxLength: 2 }), inlines)
    .map(([term, variants, content]) => nodes.definition.create({ term, variants }, content)),
  fc
    .constantFrom('contents', 'glossary', 'index', 'components', 'icons')
    .map((show) => nodes.live.create({ show })),
);
const columns = fc
  .tuple(fc.constantFrom(1, 2, 3), fc.array(inColumns, { minLength: 1, maxLength: 3 }))
  .map(([count, blocks]) => nodes.columns.create({ count }, blocks));
const pageBreak = fc.constantFrom('page', 'column', 'right').map((to) => nodes.pageBreak.create({ to }));

/** Any document that the editor of rulebooks may make. */
export const randomDoc = (): fc.Arbitrary<ProseNode> =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: inColumns }, columns, pageBreak), { minLength: 1, maxLength: 8 })
    .map((blocks) => nodes.doc.create(null, blocks));
