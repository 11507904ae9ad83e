import Yoga, {
  Align,
  Direction,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  MeasureMode,
  type Node,
  PositionType,
  Wrap,
} from 'yoga-layout';
import type { Rect } from '../scene/display/matrix.ts';
import type { LeafZone } from '../scene/zones.ts';
import type { ShownContainer, ShownZone } from './card-data.ts';

/**
 * Height in millimetres that a zone's content needs by the width in millimetres; undefined for a zone that keeps its
 * own height.
 */
export type MeasureZone = (zone: LeafZone) => ((width: number) => number) | undefined;

const DIRECTIONS = {
  row: FlexDirection.Row,
  column: FlexDirection.Column,
  'row-reverse': FlexDirection.RowReverse,
  'column-reverse': FlexDirection.ColumnReverse,
} as const;
const JUSTIFY = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
  'space-between': Justify.SpaceBetween,
  'space-around': Justify.SpaceAround,
  'space-evenly': Justify.SpaceEvenly,
} as const;
const ALIGN = {
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
} as const;
const EDGES = [Edge.Top, Edge.Right, Edge.Bottom, Edge.Left] as const;

let yogaConfig: ReturnType<typeof Yoga.Config.create> | undefined;

/**
 * Boxes of the zones inside a flex container (and inside flex containers directly in it), relative
 * to each one's parent, by zone id. The container itself is under its own id: its height may have
 * grown or shrunk with its content.
 */
export function flexBoxes(container: ShownContainer, measure: MeasureZone): Map<string, Rect> {
  yogaConfig ??= makeConfig();
  const root = nodeOf(container, null, measure, yogaConfig);
  const boxes = new Map<string, Rect>();
  try {
    root.calculateLayout(undefined, undefined, Direction.LTR);
    readBoxes(container, root, boxes);
  } finally {
    root.freeRecursive();
  }
  const own = boxes.get(container.id);
  boxes.set(container.id, {
    x: container.x,
    y: container.y,
    w: own?.w ?? container.w,
    h: own?.h ?? container.h,
  });
  return boxes;
}

/** Millimetres must not be rounded to whole numbers, unlike pixels. */
function makeConfig(): ReturnType<typeof Yoga.Config.create> {
  const config = Yoga.Config.create();
  config.setPointScaleFactor(0);
  return config;
}

function nodeOf(
  zone: ShownZone,
  parent: ShownContainer | null,
  measure: MeasureZone,
  config: ReturnType<typeof Yoga.Config.create>,
): Node {
  const node = Yoga.Node.create(config);
  const height = zone.kind === 'container' ? undefined : measure(zone);
  size(node, zone, parent, height !== undefined);
  if (parent) placeIn(node, zone);
  if (zone.kind === 'container' && zone.arrange === 'flex') {
    arrange(node, zone);
    for (const [index, child] of zone.children.entries()) {
      node.insertChild(nodeOf(child, zone, measure, config), index);
    }
  } else if (height && parent) {
    node.setMeasureFunc((width, mode) => {
      const room = mode === MeasureMode.Undefined ? zone.w : width;
      return { width: room, height: height(room) };
    });
  }
  return node;
}

function size(node: Node, zone: ShownZone, parent: ShownContainer | null, measured: boolean): void {
  const auto = measured || (zone.kind === 'container' && zone.arrange === 'flex' && zone.autoHeight);
  const stretched = parent?.align === 'stretch' && !zone.flex.absolute;
  const inRow = parent?.direction.startsWith('row') === true;
  // A fixed cross size would prevent stretching.
  if (!(stretched && !inRow)) node.setWidth(zone.w);
  if (!auto && !(stretched && inRow)) node.setHeight(zone.h);
}

function placeIn(node: Node, zone: ShownZone): void {
  if (zone.flex.absolute) {
    node.setPositionType(PositionType.Absolute);
    node.setPosition(Edge.Left, zone.x);
    node.setPosition(Edge.Top, zone.y);
    return;
  }
  node.setFlexGrow(zone.flex.grow);
  node.setFlexShrink(zone.flex.shrink);
}

function arrange(node: Node, zone: ShownContainer): void {
  node.setFlexDirection(DIRECTIONS[zone.direction]);
  node.setFlexWrap(zone.wrap ? Wrap.Wrap : Wrap.NoWrap);
  node.setJustifyContent(JUSTIFY[zone.justify]);
  node.setAlignItems(ALIGN[zone.align]);
  node.setAlignContent(zone.align === 'stretch' ? Align.Stretch : Align.FlexStart);
  node.setGap(Gutter.All, zone.gap);
  for (const [index, edge] of EDGES.entries()) node.setPadding(edge, (zone.padding[index] as number) ?? 0);
}

function readBoxes(zone: ShownZone, node: Node, boxes: Map<string, Rect>): void {
  boxes.set(zone.id, {
    x: node.getComputedLeft(),
    y: node.getComputedTop(),
    w: node.getComputedWidth(),
    h: node.getComputedHeight(),
  });
  if (zone.kind !== 'container' || zone.arrange !== 'flex') return;
  for (const [index, child] of zone.children.entries()) readBoxes(child, node.getChild(index), boxes);
}
