import { RotateCcw } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { DEMO_COLUMNS, DEMO_ROWS, type DemoRow, demoLayout } from './demo-deck.ts';
import css from './live-deck.module.css';

/** Width of a card of the fan, in CSS pixels. */
const CARD_PX = 236;
/** Longest text of a cell. */
const MAX_CELL = 240;

const LAYOUT = demoLayout();

/** Three cards and the table they are made from: what is typed in it is painted at once. */
export default function LiveDeck() {
  const [rows, setRows] = useState<readonly DemoRow[]>(DEMO_ROWS);
  const [active, setActive] = useState(1);
  const shown = useDeferredValue(rows);
  const write = (at: number, key: keyof DemoRow, text: string) =>
    setRows((old) => old.map((row, index) => (index === at ? { ...row, [key]: text } : row)));
  return (
    <>
      <div className={css.fan}>
        {shown.map((row, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
            key={at}
            type="button"
            className={css.card}
            data-active={at === active}
            aria-label={`Change the card ${row.Name || at + 1}`}
            onClick={() => {
              setActive(at);
              document.getElementById(`demo-${at}-Name`)?.focus();
            }}
          >
            <PaintedCard layout={LAYOUT} cells={row} columns={DEMO_COLUMNS} width={CARD_PX} label="" />
          </button>
        ))}
      </div>
      <div className={css.table}>
        <div className={css.title}>
          <h2>Change a word. The card knows.</h2>
          <button type="button" disabled={rows === DEMO_ROWS} onClick={() => setRows(DEMO_ROWS)}>
            <RotateCcw size={14} aria-hidden /> As it was
          </button>
        </div>
        <table aria-label="The cards above">
          <thead>
            <tr>
              {DEMO_COLUMNS.map(({ key, name }) => (
                <th key={key} scope="col" data-column={key}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
                key={at}
                data-active={at === active}
                onFocus={() => setActive(at)}
              >
                {DEMO_COLUMNS.map(({ key, name }) => (
                  <td key={key} data-column={key} data-label={name}>
                    <input
                      id={`demo-${at}-${key}`}
                      type={key === 'Ink' ? 'color' : 'text'}
                      inputMode={key === 'Cost' ? 'numeric' : undefined}
                      aria-label={`${name} of card ${at + 1}`}
                      maxLength={MAX_CELL}
                      value={row[key]}
                      onChange={(event) => write(at, key, event.currentTarget.value)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
