import { FileDown, FileJson, FileSpreadsheet, ShieldCheck } from 'lucide-react';
import { plainTable, toCsv, toJson } from '../../../../data/table/download.ts';
import { Formulas } from '../../../../data/table/formula/formula.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { saveFile } from '../../../../ui/download.ts';
import type { MenuItem } from '../../../../ui/menu/menu.tsx';
import { yieldToEventLoop } from '../../../../workers/yield-to-event-loop.ts';
import { tellFailure } from '../../../shell/tell-failure.ts';

/** Files that a table can be taken away as. */
export function downloads(state: TableState): MenuItem[] {
  const { component } = state;
  const download = (kind: string, make: () => BlobPart | Promise<BlobPart>, type: string) => {
    Promise.resolve()
      .then(make)
      .then((content) => saveFile(`${component.name}.${kind}`, new Blob([content], { type })))
      .catch(tellFailure);
  };
  const plain = async () => {
    const formulas = new Formulas(component);
    formulas.setCards(state.cards);
    await formulas.workOut(yieldToEventLoop);
    return plainTable(component, state.cards, formulas.textOf);
  };
  return [
    {
      label: 'CSV',
      icon: <FileDown size={15} />,
      onSelect: () => download('csv', async () => toCsv(await plain()), 'text/csv'),
    },
    {
      label: 'CSV, safe to open anywhere',
      icon: <ShieldCheck size={15} />,
      onSelect: () => download('csv', async () => toCsv(await plain(), true), 'text/csv'),
    },
    {
      label: 'Excel',
      icon: <FileSpreadsheet size={15} />,
      onSelect: () =>
        download(
          'xlsx',
          async () => (await import('../../../../data/table/workbook.ts')).toXlsx(await plain()),
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        ),
    },
    {
      label: 'JSON',
      icon: <FileJson size={15} />,
      onSelect: () => download('json', async () => toJson(await plain()), 'application/json'),
    },
  ];
}
