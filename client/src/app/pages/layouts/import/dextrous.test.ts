import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  });
  expect(row?.kind === 'container' && row.children[0]).toMatchObject({
    kind: 'image',
    fit: 'contain',
    hideIfEmpty: true,
    bindings: { source: { column: 'Art' } },
  });
  expect(hidden).toMatchObject({ hidden: true });
  expect(notes).toEqual(
    expect.arrayContaining([expect.stringContaining('filter'), expect.stringContaining('Cambria')]),
  );
});

test('what is no layout is refused with a reason', () => {
  expect(() => readDextrousLayout('{')).toThrow(/no JSON/);
  expect(() => readDextrousLayout('{"cards": []}')).toThrow(/layoutData/);
  expect(() => readDextrousLayout('[]')).toThrow(/layoutData/);
});

test('whatever a tree holds, the result is a layout or a reason', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (style, child, name) => {
      const file = {
        name,
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
