import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gradientOf } from './css-values.ts';
import { readDextrousLayout } from './dextrous.ts';

const FILE = {
  name: 'Harbour folk',
  cardSize: 'Poker',
  versionNum: 60,
  layoutData: {
    id: 'root',
    type: 'container',
    style: { width: '240px', height: '336px', bgColor: '#fff4d6' },
    childZones: [
      {
        id: 'a',
        type: 'text',
        name: 'Title',
        textDataKey: 'Title',
        allowTextShrink: true,
        rotation: 90,
        style: {
          left: '24px',
          top: 12,
          width: '192px',
          height: '48px',
          fontFamily: "'EB Garamond'",
          fontSize: '16px',
          fontWeight: 'bold',
          color: '#223344',
          textAlign: 'center',
          alignItems: 'center',
          lineHeight: 1.1,
        },
        dexStyle: { ct: 40, ct_inverted: true },
      },
      {
        id: 'b',
        type: 'container',
        style: {
          left: 0,
          top: '96px',
          width: '240px',
          height: '96px',
          display: 'flex',
          justifyContent: 'flex-end',
          gap: '12px',
          clipPath: 'polygon(0% 0%, 100% 0%, 50% 100%)',
          filter: 'blur(2px)',
        },
        childZones: [
          {
            id: 'c',
            type: 'image',
            imageDataKey: 'Art',
            toggleIfNoContent: true,
            style: { width: '96px', height: '96px', backgroundSize: 'contain', borderRadius: '12px' },
          },
        ],
      },
      {
        id: 'd',
        type: 'text',
        text: 'Wear',
        style: { left: 0, top: 0, width: 10, height: 10, fontFamily: 'Cambria', display: 'none' },
      },
    ],
  },
};

test('zones, places, bindings and looks are taken over; what is not, is told', () => {
  const { layout, notes } = readDextrousLayout(JSON.stringify(FILE));
  expect(layout).toMatchObject({ name: 'Harbour folk', size: { preset: 'poker', w: 63.5, h: 88.9 } });
  expect(layout.base.fill).toEqual({ kind: 'solid', color: '#fff4d6' });
  const [title, row, hidden] = layout.zones;
  expect(title).toMatchObject({
    kind: 'text',
    name: 'Title',
    x: 6.35,
    y: 3.175,
    w: 50.8,
    h: 12.7,
    rotation: 90,
    fit: 'shrink',
    curve: -40,
  });
  expect(title).toMatchObject({
    bindings: { text: { mode: 'column', column: 'Title' } },
    style: { family: 'eb-garamond', weight: 700, align: 'center', vAlign: 'middle' },
  });
  expect(title?.kind === 'text' && title.style.size).toBeCloseTo(12);
  expect(row).toMatchObject({
    kind: 'container',
    arrange: 'flex',
    justify: 'end',
    gap: 3.175,
    clipPath: expect.stringContaining('polygon'),
    filters: [{ kind: 'blur' }],
  });
  expect(row?.kind === 'container' && row.children[0]).toMatchObject({
    kind: 'image',
    fit: 'contain',
    hideIfEmpty: true,
    bindings: { source: { column: 'Art' } },
  });
  expect(hidden).toMatchObject({ hidden: true });
  expect(notes).toEqual(expect.arrayContaining([expect.stringContaining('Cambria')]));
});

test('gradients, shadows, filters, spacing, tags and variables are taken over', () => {
  const zone = {
    id: 'z',
    type: 'text',
    name: 'Rules',
    text: 'Pay {Gold}',
    useCustomCSS: true,
    innerDivStyle: { marginTop: '6px' },
    dataKeyBools: { bgColor: true, color: false },
    style: {
      width: 96,
      height: 96,
      fontSize: '12px',
      letterSpacing: '1.2px',
      wordSpacing: '0.5em',
      fontVariant: 'small-caps',
      fontWeight: 500,
      paddingLeft: '12px',
      mixBlendMode: 'multiply',
      filter: 'grayscale(50%) blur(4px) drop-shadow(0 0 2px red)',
      background: 'linear-gradient(to right, rgba(255, 0, 0, 0.5), #00ff00 30%, blue)',
      boxShadow: '2px 4px 6px 1px rgba(0, 0, 0, 0.5), inset 0 0 4px red, 0 0 0 0 #000',
      textShadow: '#123 1px 1px',
      flex: 2,
    },
  };
  const art = {
    type: 'image',
    image: 'Art/fox.png',
    style: {
      backgroundRepeat: 'repeat',
      backgroundSize: '24px',
      backgroundPositionX: '20%',
      backgroundPositionY: 'bottom',
    },
  };
  const row = { type: 'container', name: 'Row', image: 'Frames/row.png', style: {}, childZones: [zone, art] };
  const variables = [
    { name: 'Gold', value: 'Icons/gold.png' },
    { name: 'Realm', text: 'the north' },
    { name: 'Fire', style: { color: '#d00', fontWeight: 'bold', fontStyle: 'italic' } },
    { value: 'nameless' },
  ];
  const file = { name: 'X', tags: ['draft', 'draft', ''], variables, layoutData: { childZones: [row] } };
  const { layout, tags, notes } = readDextrousLayout(JSON.stringify(file));
  expect(tags).toEqual(['draft', 'draft', '']);
  expect(layout.variables).toEqual([
    { kind: 'icon', name: 'Gold', source: 'Icons/gold.png', size: 1, offset: 0 },
    { kind: 'text', name: 'Realm', value: 'the north' },
    { kind: 'style', name: 'Fire', style: { color: '#d00', weight: 700, italic: true } },
  ]);
  const [group] = layout.zones;
  expect(group).toMatchObject({ kind: 'container', fill: { kind: 'image', source: 'Frames/row.png' } });
  const [rules, artZone] = group?.kind === 'container' ? group.children : [];
  expect(rules).toMatchObject({
    blend: 'multiply',
    flex: { grow: 2 },
    padding: [1.587, 0, 0, 3.175],
    filters: [
      { kind: 'grayscale', amount: 0.5 },
      { kind: 'blur', amount: 1.058 },
    ],
    fill: {
      kind: 'linear',
      angle: 90,
      stops: [
        { at: 0, color: 'rgba(255, 0, 0, 0.5)' },
        { at: 0.3, color: '#00ff00' },
        { at: 1, color: 'blue' },
      ],
    },
    shadows: [{ dx: 0.529, dy: 1.058, blur: 1.587, spread: 0.265, color: 'rgba(0, 0, 0, 0.5)' }],
    textShadows: [{ dx: 0.265, dy: 0.265, blur: 0, color: '#123' }],
    style: { smallCaps: true, weight: 500, wordSpacing: 0.5 },
  });
  expect(rules?.kind === 'text' && rules.style.letterSpacing).toBeCloseTo(0.1, 3);
  expect(artZone).toMatchObject({ source: 'Art/fox.png', fit: 'tile', tile: 6.35, posX: 20, posY: 100 });
  const told = notes.join(' ');
  for (const word of ['drop-shadow', 'Shadows inside', 'CSS written', 'Rules style', '1 variable was']) {
    expect(told).toContain(word);
  }
});

test('the colours kept with a layout are taken over, each once; what is none is told', () => {
  const customColors = [
    '#8c2f39',
    'rgb(10, 20, 30)',
    '#8c2f39',
    { color: '#0a0' },
    { hex: '#00a' },
    'mud',
    7,
  ];
  const { colours, notes } = readDextrousLayout(JSON.stringify({ customColors, layoutData: {} }));
  expect(colours).toEqual(['#8c2f39', 'rgb(10, 20, 30)', '#0a0', '#00a']);
  expect(notes).toEqual(['2 of its own colours were left out.']);
  expect(readDextrousLayout('{"layoutData": {}}').colours).toEqual([]);
});

test('radial and conic gradients keep their middle and their turn; stops without a place stand evenly', () => {
  expect(gradientOf('radial-gradient(circle at 25% 75%, red, green, blue)')).toEqual({
    kind: 'radial',
    cx: 0.25,
    cy: 0.75,
    radius: 1,
    stops: [
      { at: 0, color: 'red' },
      { at: 0.5, color: 'green' },
      { at: 1, color: 'blue' },
    ],
  });
  expect(gradientOf('conic-gradient(from 0.25turn, #fff 0deg, #000 180deg)')).toMatchObject({
    kind: 'conic',
    angle: 90,
    stops: [{ at: 0 }, { at: 0.5 }],
  });
  expect(gradientOf('linear-gradient(red)')).toBeUndefined();
  expect(gradientOf('url(a.png)')).toBeUndefined();
});

test('what is no layout is refused with a reason', () => {
  expect(() => readDextrousLayout('{')).toThrow(/no JSON/);
  expect(() => readDextrousLayout('{"cards": []}')).toThrow(/layoutData/);
  expect(() => readDextrousLayout('[]')).toThrow(/layoutData/);
});

test('of a tree that is too deep the rest is left out and told; deeper still, it is refused with a reason', () => {
  const nested = (depth: number) => {
    const open = '{"type":"container","style":{"width":10},"childZones":[';
    return `{"layoutData":${open.repeat(depth)}${']}'.repeat(depth)}}`;
  };
  expect(readDextrousLayout(nested(3)).notes).toEqual([]);
  expect(readDextrousLayout(nested(100)).notes.join()).toMatch(
    /Zones within more than \d+ others were left out/,
  );
  for (const depth of [300, 5_000, 100_000]) {
    expect(() => readDextrousLayout(nested(depth)), String(depth)).toThrow(/make it flatter/);
  }
});

test('whatever a tree holds, the result is a layout or a reason', () => {
  const css = fc.constantFrom(
    'filter',
    'boxShadow',
    'background',
    'textShadow',
    'padding',
    'letterSpacing',
    'fontWeight',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({
      unit: fc.constantFrom('(', ')', ',', ' ', '1', '%', 'px', 'red', 'blur', 'linear-gradient', '-', 'e9'),
    }),
  );
  const looks = fc.oneof(fc.jsonValue(), fc.dictionary(css, value));
  fc.assert(
    fc.property(looks, fc.jsonValue(), fc.jsonValue(), (style, child, name) => {
      const file = {
        name,
        customColors: [child, style],
        layoutData: {
          style,
          childZones: [child, { type: 'text', style, childZones: [child] }, { type: 'image', style }],
        },
      };
      try {
        readDextrousLayout(JSON.stringify(file));
      } catch (error) {
        expect((error as Error).message).toMatch(/layout/);
      }
    }),
  );
});
