import { readFile } from 'node:fs/promises';

/**
 * react-datasheet-grid keeps its gutter in view and lets everything else scroll away. This teaches it columns that
 * say `frozen: true`: the first ones, which stay beside the gutter. Drawn by `position: sticky`, they must stay in
 * the document while the grid leaves out columns that are scrolled away; the pointer over them must find them; and
 * going to another cell must not stop under them. A cell's class also learns what is selected, so that the frozen
 * part of a selection can be shown where it is seen.
 */
const CHANGES = {
  'Grid.js': [
    {
      from: `if (result[0] !== 0) {
                result.unshift(0);
            }`,
      to: `const frozen = columns.filter((column) => column.frozen).length;
            for (let index = Math.min(frozen, (result[0] ?? columns.length) - 1); index >= 0; index--) {
                result.unshift(index);
            }`,
    },
    {
      from: `? colCellClassName({
                                rowData: data[row.index],`,
      to: `? colCellClassName({
                                selection,
                                columnIndex: col.index - 1,
                                rowData: data[row.index],`,
    },
  ],
  'DataSheetGrid.js': [
    {
      from: 'const hasStickyRightColumn = Boolean(stickyRightColumn);',
      to: `const hasStickyRightColumn = Boolean(stickyRightColumn);
    const frozen = (0, react_1.useRef)(0);
    frozen.current = columns.filter((column) => column.frozen).length;`,
    },
    {
      from: 'let x = event.clientX - innerBoundingClientRect.left;',
      to: `let x = event.clientX - innerBoundingClientRect.left;
            if (frozen.current > 0 && outerRef.current) {
                const seen = event.clientX - outerRef.current.getBoundingClientRect().left;
                if (seen < columnRights[frozen.current]) x = seen;
            }`,
    },
    {
      from: '!cell.doNotScrollX) {',
      to: '!cell.doNotScrollX && cell.col >= frozen.current) {',
    },
    {
      from: 'const leftMax = columnRights[cell.col] - columnRights[0];',
      to: 'const leftMax = columnRights[cell.col] - columnRights[frozen.current];',
    },
  ],
};

/** esbuild plugin over the grid's own files. */
export const frozenColumns = {
  name: 'frozen-columns',
  setup(build) {
    const filter = /react-datasheet-grid[\\/]dist[\\/]components[\\/](Grid|DataSheetGrid)\.js$/;
    build.onLoad({ filter }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const { from, to } of CHANGES[/[^\\/]+$/.exec(path)[0]]) {
        if (contents.split(from).length !== 2)
          throw new Error(`${path}: expected «${from}» once; react-datasheet-grid has changed.`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: 'js' };
    });
  },
};
