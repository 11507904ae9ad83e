import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWorkbookGrid } from '../../core/table/workbook-read.ts';
import { markupForm } from '../../core/translation/cards/markup-form.ts';
import { planImport } from '../../core/translation/import.ts';
import { type Entry, unitStates } from '../../core/translation/translation.ts';
import { readTable, TABLE_HEADER, tableRows } from '../../core/translation/translation-table.ts';
import type { Unit } from '../../core/translation/unit.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import { toXlsx } from '../../data/table/workbook.ts';

const HEAD: TranslationHead = { whole: 'project', id: 'p1', title: '=Assets', from: 'en', to: 'de' };
const form = markupForm({ variables: [], columns: [], cells: {} });
const unit = (id: string, source: string): Unit => ({
  id,
  place: id,
  heading: `Cards · ${id}`,
  label: '12',
  form,
  source,
  most: 1_000,
});
const read = async (rows: readonly (readonly string[])[]) =>
  readTable(await readWorkbookGrid(toXlsx({ header: TABLE_HEADER, rows })), (cell) => cell);

const anyText = fc
  .tuple(fc.constantFrom('', '=', "'", '\t', ' ', '<', '&', '12 '), fc.stringMatching(/^[ -~äß漢\n]{0,20}$/))
  .map(([sign, words]) => `${sign}${words}x`);

test('a workbook that nobody changed changes nothing, and makes the same translation where there is none', async () => {
  const anyUnits = fc.array(fc.tuple(anyText, anyText, fc.constantFrom('missing', 'stale', 'done')), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(anyUnits, async (list) => {
      const units = list.map(([source], at) => unit(`c.a.k${at}.name`, source));
      const entries = new Map(
        list.flatMap(([source, text, state], at): [string, Entry][] =>
          state === 'missing' || !canStand(source, text)
            ? []
            : [[`c.a.k${at}.name`, { source: state === 'stale' ? `Was ${source}` : source, text }]],
        ),
      );
      const now = unitStates(units, entries);
      const file = await read(tableRows(HEAD, now));
      expect(file.head).toEqual({ id: 'p1', title: HEAD.title, from: 'en', to: 'de' });
      expect(planImport(file, HEAD, now).items).toEqual([]);
      const fresh = planImport(file, HEAD, unitStates(units, new Map()));
      const taken = new Map(fresh.items.flatMap(({ id, entry }) => (entry ? [[id, entry] as const] : [])));
      expect(taken).toEqual(entries);
    }),
    { numRuns: 40 },
  );
});

/** True if a translation keeps what its source keeps: marks in random letters are left to other tests. */
function canStand(source: string, text: string): boolean {
  return [source, `Was ${source}`].every((from) => {
    try {
      return form.check(from, text, 1_000) === text;
    } catch {
      return false;
    }
  });
}

test('a workbook whose columns were moved is read, and one of something else is refused', async () => {
  const units = unitStates([unit('c.a.k.name', 'Pay {fire}')], new Map());
  const [row = []] = tableRows(HEAD, units);
  const at = TABLE_HEADER.indexOf('Translation');
  const turned = (cells: readonly string[]) => [...cells].reverse();
  const grid = await readWorkbookGrid(
    toXlsx({ header: turned(TABLE_HEADER), rows: [turned(row.with(at, 'Zahl {fire}'))] }),
  );
  const plan = planImport(
    readTable(grid, (cell) => cell),
    HEAD,
    units,
  );
  expect(plan.items).toMatchObject([{ change: 'added', after: 'Zahl {fire}' }]);
  const cards = await readWorkbookGrid(toXlsx({ header: ['Name', 'Cost'], rows: [['Ash', '1']] }));
  expect(() => readTable(cards, (cell) => cell)).toThrow('no column “Id”');
});
