import type { Column, Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { flexBoxes } from './flex.ts';
import { type Space, spacesIn } from './spaces.ts';

/**
 * The spaces of one card, in the order of the layers. Texts are not set for it, so zones below a text that grows in a
 * flex container lie as if it had the height it is drawn with.
 */
export const spacesOf = (document: Pick<Layout, 'zones'>, row: Row, columns: readonly Column[]): Space[] =>
  spacesIn(document, row, columns, (container) => flexBoxes(container, () => undefined));
