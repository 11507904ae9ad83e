import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markupForm } from './cards/markup-form.ts';
import { decodeCsv, readCsv, writeCsv } from './csv.ts';
import { planImport } from './import.ts';
import { type Entry, unitStates } from './translation.ts';
import type { Unit } from './unit.ts';
import type { TranslationHead } from './xliff-write.ts';

const HEAD: TranslationHead = { whole: 'project', id: 'p1', title: '=Assets, "more"', from: 'en', to: 'de' };
const form = markupForm({ variables: [], columns: [], cells: {} });
const unit = (id: string, source: string): Unit => ({
  id,
  place: id,
  heading: `Cards · ${id}`,
  label: 'Name',
  form,
  source,
  most: 1_000,
});
const anyText = fc
  .tuple(
    fc.constantFrom('', '=', '+', '-', '@', "'", "''", '\t', ' ', '\ufeff', ';', '"', '\n'),
    fc.stringMatching(/^[ -)+-Z^`-z|~,;"'\n\r\t]{0,20}$/),
  )
  .map(([sign, words]) => `${sign}${words}x`);

test('CSV that nobody changed changes nothing, and makes the same translation where there is none', () => {
  const anyUnits = fc.array(fc.tuple(anyText, anyText, fc.constantFrom('missing', 'stale', 'done')), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(anyUnits, (list) => {
      const units = list.map(([source], at) => unit(`c.a.k${at}.name`, source));
      const entries = new Map(
        list.flatMap(([source, text, state], at): [string, Entry][] =>
          state === 'missing'
            ? []
            : [[`c.a.k${at}.name`, { source: state === 'stale' ? `Was ${source}` : source, text }]],
        ),
      );
      const now = unitStates(units, entries);
      const file = readCsv(decodeCsv(new TextEncoder().encode(writeCsv(HEAD, now))));
      expect(file.head).toEqual({ id: 'p1', title: HEAD.title, from: 'en', to: 'de' });
      expect(planImport(file, HEAD, now).items).toEqual([]);
      const fresh = planImport(file, HEAD, unitStates(units, new Map()));
      expect(new Map(fresh.items.flatMap(({ id, entry }) => (entry ? [[id, entry] as const] : [])))).toEqual(
        entries,
      );
    }),
    { numRuns: 300 },
  );
});

const UNITS = unitStates([unit('c.a.k.name', 'Pay {fire}'), unit('c.a.l.name', 'Stop')], new Map());
const CSV = writeCsv(HEAD, UNITS);

test('what a spreadsheet makes of it is read: other line ends, semicolons and columns in another order', () => {
  const semicolons = CSV.replaceAll('\r\n', '\n').replaceAll(',', ';').replace('=Assets; ', '=Assets, ');
  const plan = planImport(readCsv(semicolons.replace('Stop;', 'Stop;Halt')), HEAD, UNITS);
  expect(plan.items).toMatchObject([{ id: 'c.a.l.name', change: 'added', after: 'Halt' }]);
});

test('texts are refused one by one with the reason, and files of something else as a whole', () => {
  const lost = planImport(readCsv(CSV.replace('Pay {fire},', 'Pay {fire},Zahl')), HEAD, UNITS);
  expect(lost.items).toMatchObject([
    { change: 'refused', problem: 'The placeholder {fire} of the source beside “Pay” is missing.' },
  ]);
  const unknown = planImport(
    readCsv(CSV.replace('c.a.l.name', 'c.a.z.name').replace('Stop,', 'Stop,Halt')),
    HEAD,
    UNITS,
  );
  expect(unknown.items).toMatchObject([
    { change: 'refused', problem: 'The project no longer has this text.' },
  ]);
  expect(() => planImport(readCsv(CSV), { ...HEAD, id: 'p2' }, UNITS)).toThrow('of another project');
  expect(() => planImport(readCsv(CSV), { ...HEAD, to: 'fr' }, UNITS)).toThrow('into de, not fr');
  expect(() => readCsv(CSV.split('\r\n')[0] ?? '')).toThrow('no row below its header');
  expect(() => readCsv('a,b\n1,2')).toThrow('no column “Id”');
  expect(() => readCsv(CSV.replace('de,p1', 'fr,p1'))).toThrow('Row 3 has another “Into”');
  expect(() => decodeCsv(new Uint8Array([0x50, 0x4b, 0xff]))).toThrow('not text in UTF-8');
  expect(() => decodeCsv(new Uint8Array(16 * 1024 * 1024 + 1))).toThrow('more than 16 MB');
});
