import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newZone } from '../zones.ts';
import { resolve } from './resolve.ts';
import { formatStyle, parseStyle } from './style-override.ts';

const zone = newZone('text', 'z', 'Title', { x: 1, y: 2, w: 30, h: 10 });
const columns = [
  { key: 'title', name: 'Title' },
  { key: 'look', name: 'title STYLE' },
];
const styled = (look: string) => resolve(zone, { cells: { title: 'Fox', look } }, columns);

describe('a style column', () => {
  it('changes its zone on that card, by path or by the usual word', () => {
    const { zone: now, issues } = styled('{color:#ff0000; font-size: 9; x:5mm}');
    expect([now.style.color, now.style.size, now.x, issues]).toEqual(['#ff0000', 9, 5, []]);
  });

  it('leaves the zone as it is where it says nothing', () => {
    expect(styled('').zone).toBe(zone);
  });

  it.each(['{color:nonsense}', '{kind:image}', '{no.such:1}', '{style.__proto__.x:1}'])(
    '%s is reported',
    (look) => {
      const { zone: now, issues } = styled(look);
      expect(now.style).toEqual(zone.style);
      expect(issues.map(({ code }) => code)).toEqual(['bad-value']);
    },
  );
});

it('is read as it is written', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '#', '1', ' ', '.'),
    minLength: 1,
    maxLength: 6,
  });
  const trimmed = text.map((one) => one.trim()).filter((one) => one !== '');
  fc.assert(
    fc.property(fc.array(fc.tuple(trimmed, trimmed), { maxLength: 6 }), (properties) => {
      expect(parseStyle(formatStyle(properties))).toEqual(properties);
    }),
  );
});
