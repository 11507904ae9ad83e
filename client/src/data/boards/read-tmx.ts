import { TiledError } from '../../core/board/tiled/tiled-error.ts';

/** The same map or tile set that Tiled writes as JSON, from its XML (https://doc.mapeditor.org/en/stable/reference/tmx-map-format/). */
export function readTmx(text: string): unknown {
  const parsed = new DOMParser().parseFromString(text, 'text/xml');
  const root = parsed.documentElement;
  // A browser keeps what it has read of a file that breaks off, beside an element that says so.
  if (/^(map|tileset)$/.test(root.nodeName) && parsed.getElementsByTagName('parsererror').length > 0)
    throw new TiledError('The map breaks off or its XML is damaged. Save it again in Tiled.');
  if (root.nodeName === 'tileset') return { type: 'tileset', ...tilesetOf(root) };
  if (root.nodeName !== 'map') throw new TiledError('This is not a Tiled map: its XML has no map.');
  return {
    ...attributesOf(root, 'orientation', 'staggeraxis', 'staggerindex'),
    ...numbersOf(root, 'width', 'height', 'tilewidth', 'tileheight', 'hexsidelength'),
    tilesets: children(root, 'tileset').map(tilesetOf),
    layers: [...root.children].flatMap((one) => layerOf(one)),
  };
}

const tilesetOf = (set: Element): object => ({
  ...numbersOf(set, 'firstgid'),
  ...attributesOf(set, 'name', 'source'),
  tiles: children(set, 'tile').map((tile) => ({
    ...numbersOf(tile, 'id'),
    ...attributesOf(tile, 'class', 'type'),
    ...imageOf(tile),
  })),
});

/** Deepest group of layers in groups; the reader of maps refuses what is far less. */
const MAX_GROUPS = 100;

function layerOf(element: Element, depth = 0): object[] {
  const common = {
    ...attributesOf(element, 'name'),
    ...numbersOf(element, 'offsetx', 'offsety'),
    visible: element.getAttribute('visible') !== '0',
  };
  if (element.nodeName === 'group') {
    const layers = depth < MAX_GROUPS ? [...element.children].flatMap((one) => layerOf(one, depth + 1)) : [];
    return [{ ...common, type: 'group', layers }];
  }
  if (element.nodeName === 'imagelayer') return [{ ...common, type: 'imagelayer' }];
  if (element.nodeName === 'objectgroup') {
    return [{ ...common, type: 'objectgroup', objects: children(element, 'object').map(objectOf) }];
  }
  const [data] = children(element, 'data');
  if (element.nodeName !== 'layer' || !data) return [];
  const packed = data.hasAttribute('encoding');
  const chunks = children(data, 'chunk').map((chunk) => ({
    ...numbersOf(chunk, 'x', 'y', 'width', 'height'),
    data: cellsOf(chunk, packed),
  }));
  const cells = chunks.length > 0 ? { chunks } : { data: cellsOf(data, packed) };
  return [{ ...common, type: 'tilelayer', ...attributesOf(data, 'encoding', 'compression'), ...cells }];
}

/** The cells of a layer or of a piece of one: as text, or an element for each. */
const cellsOf = (element: Element, packed: boolean): string | number[] =>
  packed
    ? (element.textContent ?? '')
    : children(element, 'tile').map((tile) => Number(tile.getAttribute('gid') ?? 0));

function objectOf(object: Element): object {
  const [polygon] = children(object, 'polygon');
  const properties = children(object, 'properties').flatMap((list) => children(list, 'property'));
  return {
    ...attributesOf(object, 'name', 'type', 'class', 'template'),
    ...numbersOf(object, 'id', 'x', 'y', 'width', 'height', 'rotation', 'gid'),
    visible: object.getAttribute('visible') !== '0',
    ...(polygon && { polygon: pointsOf(polygon.getAttribute('points') ?? '') }),
    ...(children(object, 'polyline').length > 0 && { polyline: [] }),
    ...(children(object, 'text').length > 0 && { text: {} }),
    properties: properties.map((property) => ({
      ...attributesOf(property, 'name', 'type'),
      value: property.getAttribute('value') ?? property.textContent ?? '',
    })),
  };
}

const pointsOf = (text: string): { x: number; y: number }[] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [x = 0, y = 0] = pair.split(',').map(Number);
      return { x, y };
    });

const children = (of: Element, name: string): Element[] =>
  [...of.children].filter(({ nodeName }) => nodeName === name);

function attributesOf(of: Element, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = of.getAttribute(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function numbersOf(of: Element, ...names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(attributesOf(of, ...names)).map(([name, text]) => [name, Number(text)]),
  );
}

function imageOf(tile: Element): { image?: string } {
  const source = children(tile, 'image')[0]?.getAttribute('source');
  return source ? { image: source } : {};
}
