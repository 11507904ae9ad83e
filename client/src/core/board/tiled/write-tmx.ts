import type { TiledMap } from './write-tiled.ts';

/** Characters that XML cannot hold at all, however they are written. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // As they are, readers take them for spaces.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replace(UNWRITABLE, ' ').replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function element(name: string, attributes: Attributes, inside = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [` ${key}="${typeof value === 'boolean' ? Number(value) : escaped(String(value))}"`];
  });
  const head = `<${name}${written.join('')}`;
  return inside === '' ? `${head}/>\n` : `${head}>\n${inside}</${name}>\n`;
}

/** The same map as XML, which Tiled saves by itself. */
export function writeTmx({ type: _, layers, tilesets, ...map }: TiledMap): string {
  const sets = tilesets.map(({ image, imagewidth, imageheight, tiles, margin: _m, spacing: _s, ...set }) =>
    element(
      'tileset',
      set,
      element('image', { source: image, width: imagewidth, height: imageheight }) +
        tiles.map((tile) => element('tile', tile)).join(''),
    ),
  );
  const shown = layers.map((layer) => {
    const { id, name } = layer;
    if (layer.type === 'tilelayer') {
      const { width, height, data } = layer;
      return element(
        'layer',
        { id, name, width, height },
        element('data', { encoding: 'csv' }, `${data.join(',')}\n`),
      );
    }
    const objects = layer.objects.map(
      ({ visible: _v, rotation, point, width, height, properties = [], ...object }) => {
        const own = properties.map((property) => element('property', property)).join('');
        return element(
          'object',
          { ...object, ...(!point && { width, height }), ...(rotation !== 0 && { rotation }) },
          (own && element('properties', {}, own)) + (point ? element('point', {}) : ''),
        );
      },
    );
    return element('objectgroup', { id, name }, objects.join(''));
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('map', map, [...sets, ...shown].join(''))}`;
}
