import type { Handle, Pointer } from '../../core/play/protocol/messages.ts';
import type { Placed } from '../../core/play/view/arrange.ts';
import type { TableSpace } from '../../core/play/view/table-spaces.ts';
import type { TableView } from '../../core/play/view/view.ts';
import type { Point } from '../../core/scene/display/matrix.ts';
import type { Camera, Screen } from './camera.ts';

/** Font of all texts on the table. */
export const TABLE_FONT = 'Inter, system-ui, sans-serif';

/** Colours of the table, from the theme. */
export interface TableColours {
  readonly felt: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly surface: string;
  readonly accent: string;
  readonly back: string;
  readonly note: string;
}

/** A pointer of somebody else, with the colour of the seat. */
export interface ShownPointer {
  readonly pointer: Pointer;
  readonly colour: string;
  readonly name: string;
}

/** The part of a view that is painted. */
export type PaintedView = Pick<TableView, 'pieces' | 'faces' | 'backs' | 'common'>;

/** Pieces that are dragged, and by how much, in tenths of a millimetre. */
export interface Drag {
  readonly handles: ReadonlySet<Handle>;
  readonly dx: number;
  readonly dy: number;
}

export interface TableScene {
  readonly view: PaintedView;
  readonly placed: readonly Placed[];
  readonly camera: Camera;
  readonly screen: Screen;
  readonly selected: ReadonlySet<Handle>;
  /** The own drag and those of others; a piece is in one of them. */
  readonly drags: readonly Drag[];
  /** The pile or area that dragged pieces would go to. */
  readonly target?: Handle;
  /** The space of a board where dragged pieces would come to rest. */
  readonly space?: Pick<TableSpace, 'x' | 'y' | 'w' | 'h' | 'turn'>;
  /** A rectangle that selects, on the screen. */
  readonly box?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly pointers: readonly ShownPointer[];
  /** Places that people show: `age` from 0 to 1. */
  readonly pings: readonly {
    readonly x: number;
    readonly y: number;
    readonly colour: string;
    readonly age: number;
  }[];
  /** A line that is measured, in tenths of a millimetre. */
  readonly ruler?: { readonly from: Point; readonly to: Point };
}
