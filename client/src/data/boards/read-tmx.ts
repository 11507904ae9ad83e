import { TiledError } from '../../core/board/tiled/tiled-error.ts';

/** The same map that Tiled writes as JSON, from its XML (https://doc.mapeditor.org/en/stable/reference/tmx-map-format/). */
export function readTmx(text: string): unknown {
  const root = new DOMParser().parseFromString(text, 'text/xml').documentElement;
  if (root.nodeName !== 'map') throw new TiledError('This is no map of Tiled: its XML has no map.');
  return {
    ...attributesOf(root, 'orientation', 'staggeraxis', 'staggerindex'),
    ...numbersOf(root, 'width', 'height', 'tilewidth', 'tileheight', 'hexsidelength'),
    infinite: root.getAttribute('infinite') === '1',
    tilesets: children(root, 'tileset').map((set) => ({
      ...numbersOf(set, 'firstgid'),
      ...attributesOf(set, 'name', 'source'),
      tiles: children(set, 'tile').map((tile) => ({
        ...numbersOf(tile, 'id'),
        ...attributesOf(tile, 'class', 'type'),
        ...imageOf(tile),
      })),
    })),
    layers: [...root.children].flatMap(layerOf),
  };
}

function layerOf(element: Element): object[] {
  const common = { ...attributesOf(element, 'name'), visible: element.getAttribute('visible') !== '0' };
  if (element.nodeName === 'group') return [{ ...common, type: 'group' }];
  if (element.nodeName === 'objectgroup') {
    const objects = children(element, 'object').map((object) => ({
      ...attributesOf(object, 'name', 'type', 'class'),
      ...numbersOf(object, 'x', 'y', 'width', 'height'),
      visible: object.getAttribute('visible') !== '0',
    }));
    return [{ ...common, type: 'objectgroup', objects }];
  }
  const [data] = children(element, 'data');
  if (element.nodeName !== 'layer' || !data) return [];
  if (children(data, 'chunk').length > 0) return [{ ...common, type: 'tilelayer', chunks: [] }];
  const cells = children(data, 'tile');
  return [
    {
      ...common,
      type: 'tilelayer',
      ...attributesOf(data, 'encoding', 'compression'),
      data: data.hasAttribute('encoding')
        ? (data.textContent ?? '')
        : cells.map((tile) => Number(tile.getAttribute('gid') ?? 0)),
    },
  ];
}

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
