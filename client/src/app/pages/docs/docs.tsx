import { MAX_FILE_BYTES } from '../../../data/import/decode.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../../../data/import/table.ts';
import { Page } from '../../../ui/page.tsx';
import { COMMANDS } from '../editor/commands.ts';
import css from './docs.module.css';

/** `/docs`: the guide. What it says of limits and shortcuts comes from the code that keeps them. */
export function Component() {
  return (
    <Page title="Guide" lead="From a table to a printed deck.">
      <article className={css.guide}>
        <h2>Bring a table</h2>
        <p>
          Save your sheet as CSV in UTF-8: a row of column names, then a row per card. In a project choose{' '}
          <b>Add component</b>, or drop the file on it. A file up to {MAX_FILE_BYTES / 1024 / 1024} MB with up
          to {MAX_ROWS} cards and {MAX_COLUMNS} columns fits. When something is wrong with it, every fault is
          listed with its row and column, and nothing is imported until it is mended.
        </p>
        <p>
          A column called Copies, Count, Qty or Quantity says how many there are of each card; an empty cell
          means one, 0 leaves the card out of the print.
        </p>
        <h2>Draw one card</h2>
        <p>
          <b>Start a layout from these columns</b> places your columns for you. In the editor, each zone shows
          its own content or a column of the table: choose it under <b>Content</b>. Everything is measured in
          millimetres from the card’s cut edge; the dashed line is the safe margin, what lies outside the
          solid line is cut away.
        </p>
        <p>
          In text, <code>**bold**</code> and <code>*italic*</code> are set so, and a slash between spaces
          begins a new paragraph. Text too long for its zone shrinks down to the size you allow; after that
          the editor warns you.
        </p>
        <h2>Print</h2>
        <p>
          <b>Export</b> puts as many cards on A4 or Letter as fit, nine of poker size, with crop marks. Print
          at 100 %, without “fit to page”, and cut along the marks. Colours are RGB.
        </p>
        <h2>Keys in the editor</h2>
        <table>
          <tbody>
            {COMMANDS.map((command) => (
              <tr key={command.id}>
                <td>{command.label}</td>
                <td>
                  {command.keys?.map((keys) => (
                    <kbd key={keys}>{keys}</kbd>
                  ))}
                </td>
              </tr>
            ))}
            <tr>
              <td>Move or resize without the grid, turn freely</td>
              <td>
                <kbd>Shift</kbd> while dragging
              </td>
            </tr>
            <tr>
              <td>Zoom</td>
              <td>
                <kbd>Ctrl</kbd> and the wheel
              </td>
            </tr>
          </tbody>
        </table>
      </article>
    </Page>
  );
}
