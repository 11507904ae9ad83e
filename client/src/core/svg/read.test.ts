import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Op, PathOp, PushOp } from '../scene/display/display-list.ts';
import { MAX_COMMANDS, MAX_DEPTH, MAX_ELEMENTS, NotVector } from './drawing.ts';
import { readDrawing } from './read.ts';

const svg = (inside: string, head = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${head}>${inside}</svg>`;
const opsOf = (inside: string, head?: string): readonly Op[] =>
  readDrawing(svg(inside, head)).ops.slice(1, -1);
const paths = (inside: string, head?: string): PathOp[] =>
  opsOf(inside, head).filter((op): op is PathOp => op.op === 'path');
const pushes = (inside: string, head?: string): PushOp[] =>
  opsOf(inside, head).filter((op): op is PushOp => op.op === 'push');
const fills = (inside: string): unknown[] =>
  paths(inside).map(({ fill }) => (fill?.kind === 'solid' ? fill.color : fill?.kind));
const why = (inside: string, head?: string): string => {
  try {
    readDrawing(svg(inside, head));
  } catch (error) {
    if (error instanceof NotVector) return error.message;
    throw error;
  }
  return '';
};

describe('size', () => {
  test.each([
    ['width="20mm" height="1in" viewBox="0 0 10 10"', 75.59055118110237, 96],
    ['viewBox="0 0 30 20"', 30, 20],
    ['width="60" viewBox="0 0 30 20"', 60, 40],
    ['height="50%" viewBox="0 0 30 20"', 30, 20],
    ['', 300, 150],
  ])('%s', (head, w, h) => {
    const drawing = readDrawing(svg('', head));
    expect(drawing.w).toBeCloseTo(w);
    expect(drawing.h).toBeCloseTo(h);
  });

  test('a view box is fitted into the size as preserveAspectRatio says', () => {
    const place = (how: string) =>
      pushes('<path d="M0 0h1"/>', `width="20" height="10" viewBox="4 0 10 10" ${how}`)[0]?.matrix;
    expect(place('')).toEqual([1, 0, 0, 1, 1, 0]);
    expect(place('preserveAspectRatio="xMinYMin"')).toEqual([1, 0, 0, 1, -4, 0]);
    expect(place('preserveAspectRatio="xMidYMax slice"')).toEqual([2, 0, 0, 2, -8, -10]);
    expect(place('preserveAspectRatio="none"')).toEqual([2, 0, 0, 1, -8, 0]);
  });
});

describe('shapes', () => {
  test('all kinds of path commands become lines and curves', () => {
    const [path] = paths('<path d="m1 1h2v2l1,1t2 2q1 0 2 2s1 1 2 2a1 1 0 0 1 1 1z" stroke="red"/>');
    const names = path?.outline.kind === 'path' ? path.outline.commands.map(([name]) => name).join('') : '';
    expect(names).toMatch(/^MLLLC+Z$/);
  });

  test.each([
    'rect width="4" height="3"',
    'circle r="2"',
    'ellipse rx="2" ry="1"',
    'polygon points="0,0 1,0 1,1"',
  ])('%s is a closed path', (shape) => {
    const [path] = paths(`<${shape}/>`);
    expect(path?.outline.kind === 'path' && path.outline.commands.at(-1)).toEqual(['Z']);
  });

  test.each(['rect width="0" height="3"', 'circle r="0"', 'path d=""', 'polyline points=""'])(
    '%s paints nothing',
    (shape) => expect(paths(`<${shape}/>`)).toEqual([]),
  );

  test('the corners of a rectangle may be longer than high', () => {
    const [path] = paths('<rect x="1" y="2" width="8" height="6" rx="2" ry="1"/>');
    const commands = path?.outline.kind === 'path' ? path.outline.commands : [];
    expect(commands[0]).toEqual(['M', 3, 2]);
    expect(commands[2]?.slice(-2)).toEqual([9, 3]);
  });

  test('areas without a colour are black, and none paints nothing', () => {
    expect(fills('<path d="M0 0h1v1z"/><path d="M0 0h1v1z" fill="none"/>')).toEqual([[0, 0, 0, 1]]);
  });
});

describe('styles', () => {
  test('attributes give way to rules, rules to the style of an element, all to what is important', () => {
    const css =
      '<style>path{fill:#010101}.a{fill:#020202}#i{fill:#030303} .b{fill:#040404 !important}</style>';
    const shapes = [
      '',
      'class="a"',
      'class="a" id="i"',
      'class="b" id="i" style="fill:#050505"',
      'style="fill:#060606"',
    ]
      .map((more) => `<path fill="red" d="M0 0h1" ${more}/>`)
      .join('');
    expect(fills(css + shapes)).toEqual([1, 2, 3, 4, 6].map((n) => [n, n, n, 1]));
  });

  test('children take over what their parents say', () => {
    const drawn = paths(
      '<g fill="red" stroke="#00f" stroke-width="2" color="lime"><path d="M0 0h1"/><path fill="currentColor" d="M0 0h1"/></g>',
    );
    const areas = drawn
      .filter(({ fill }) => fill !== null)
      .map(({ fill }) => fill?.kind === 'solid' && fill.color);
    expect(areas).toEqual([
      [255, 0, 0, 1],
      [0, 255, 0, 1],
    ]);
    expect(drawn.filter(({ stroke }) => stroke?.width === 2 && stroke.color[2] === 255)).toHaveLength(2);
  });

  test('what is hidden is not painted, what is shown inside it is', () => {
    expect(fills('<g display="none"><path d="M0 0h1"/></g>')).toEqual([]);
    expect(
      fills('<g visibility="hidden"><path d="M0 0h1"/><path visibility="visible" d="M0 0h1"/></g>'),
    ).toHaveLength(1);
  });

  test('a line keeps its ends, corners and dashes', () => {
    const [path] = paths(
      '<path d="M0 0h9" fill="none" stroke="#000" stroke-linecap="round" stroke-linejoin="bevel" stroke-dasharray="1 2 3" stroke-dashoffset="4" stroke-miterlimit="7"/>',
    );
    expect(path?.stroke).toEqual({
      color: [0, 0, 0, 1],
      width: 1,
      dash: [1, 2, 3, 1, 2, 3],
      cap: 'round',
      join: 'bevel',
      miterLimit: 7,
      dashOffset: 4,
    });
  });

  test('the line lies below the area where paint-order says so', () => {
    const [first] = paths('<path d="M0 0h9" stroke="red" paint-order="stroke"/>');
    expect(first?.stroke).not.toBeNull();
  });

  test('a group is faded as one', () => {
    expect(pushes('<g opacity=".5"><path d="M0 0h1"/></g>')[0]).toMatchObject({ opacity: 0.5 });
  });
});

describe('gradients', () => {
  const gradient =
    '<linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="100%" style="stop-color:#00f;stop-opacity:.5"/></linearGradient>';

  test('one in shares of the box fills the box', () => {
    const inside = `${gradient}<rect x="2" y="4" width="6" height="2" fill="url(#a)" fill-opacity=".5"/>`;
    expect(pushes(inside)[0]?.matrix).toEqual([6, 0, 0, 2, 2, 4]);
    expect(paths(inside)[0]?.fill).toEqual({
      kind: 'linear',
      from: { x: 0, y: 0 },
      to: { x: 1, y: 0 },
      stops: [
        { at: 0, color: [255, 0, 0, 0.5] },
        { at: 1, color: [0, 0, 255, 0.25] },
      ],
    });
  });

  test('stops come from another one', () => {
    const inside = `${gradient}<radialGradient id="b" xlink:href="#a" gradientUnits="userSpaceOnUse" cx="5" cy="5" r="3"/><path d="M0 0h9v9z" fill="url('#b')"/>`;
    expect(paths(inside)[0]?.fill).toMatchObject({ kind: 'radial', center: { x: 5, y: 5 }, radius: 3 });
  });

  test('the exact box counts, not that of the control points', () => {
    const inside = `${gradient}<path d="M0 0C0 4 8 4 8 0z" fill="url(#a)"/>`;
    expect(pushes(inside)[0]?.matrix[3]).toBeCloseTo(3);
  });

  test('references in a circle end', () => {
    const loop =
      '<linearGradient id="x" href="#y"/><linearGradient id="y" href="#x"/><path d="M0 0h1v1" fill="url(#x)"/>';
    expect(paths(loop)).toEqual([]);
  });
});

describe('structure', () => {
  test('use repeats what is defined, where it says', () => {
    const inside =
      '<defs><g id="a"><path d="M0 0h1"/></g></defs><use href="#a" x="3" y="4" fill="red"/><use xlink:href="#a"/>';
    expect(fills(inside)).toEqual([
      [255, 0, 0, 1],
      [0, 0, 0, 1],
    ]);
    expect(pushes(inside)[0]?.matrix).toEqual([1, 0, 0, 1, 3, 4]);
  });

  test('a symbol has a view box of its own', () => {
    const inside =
      '<symbol id="s" viewBox="0 0 2 2"><path d="M0 0h1"/></symbol><use href="#s" width="4" height="4"/>';
    expect(pushes(inside).map(({ matrix }) => matrix)).toContainEqual([2, 0, 0, 2, 0, 0]);
  });

  test('a clip path clips', () => {
    const inside =
      '<clipPath id="c" transform="translate(1 0)"><rect width="2" height="2"/></clipPath><g clip-path="url(#c)"><path d="M0 0h9v9z"/></g>';
    expect(pushes(inside)[0]?.clip).toMatchObject({
      kind: 'path',
      commands: [['M', 1, 0], ['L', 3, 0], ['L', 3, 2], ['L', 1, 2], ['Z']],
    });
  });

  test("editors' notes and drawing programs' own branches are left out", () => {
    const inside =
      '<switch><foreignObject requiredExtensions="x"><p/></foreignObject><g><path d="M0 0h1v1"/></g></switch><metadata>x</metadata><x:y xmlns:x="urn:x"><path d="M0 0"/></x:y>';
    expect(paths(inside)).toHaveLength(1);
  });
});

describe('what cannot be a drawing of paths says why', () => {
  test.each([
    ['<text>Credit</text>', 'has text: convert it to paths'],
    ['<image href="x.png"/>', 'holds a picture'],
    ['<foreignObject/>', 'foreignObject'],
    ['<g filter="url(#f)"><path d="M0 0"/></g>', 'filter'],
    ['<pattern id="p"/><path d="M0 0h1v1" fill="url(#p)"/>', 'pattern'],
    ['<path d="M0 0h1" marker-end="url(#m)"/>', 'markers'],
    ['<style>g > path { fill: red }</style><path d="M0 0h1"/>', 'selector'],
    ['<style>@media print { path { fill: red } }</style><path d="M0 0h1"/>', 'style rule'],
    ['<path d="M0 0h1v1" fill="var(--x)"/>', 'work out'],
    ['<path d="M0 0h1" transform="turn(3)"/>', 'transform'],
    [
      '<radialGradient id="r" fx="0"><stop/><stop offset="1"/></radialGradient><path d="M0 0h1v1z" fill="url(#r)"/>',
      'middle',
    ],
    ['<path d="M0 0 L"/>', 'path that cannot be read'],
    ['<path d="M0 0 L1e999 0z"/>', 'path that cannot be read'],
  ])('%s', (inside, message) => expect(why(inside)).toContain(message));

  test('what is no SVG', () => {
    expect(() => readDrawing('<html/>')).toThrow(NotVector);
    expect(() => readDrawing('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')).toThrow(/well-formed/);
    expect(() => readDrawing('')).toThrow(NotVector);
  });

  test('limits hold: depth, elements, repetition, commands', () => {
    const nested = '<g>'.repeat(MAX_DEPTH) + '</g>'.repeat(MAX_DEPTH);
    expect(why(nested)).toContain('deep');
    expect(why('<g/>'.repeat(MAX_ELEMENTS))).toContain('elements');
    expect(why(`<path d="M0 0${'h1'.repeat(MAX_COMMANDS)}"/>`)).toContain('commands');
    const doubling = Array.from(
      { length: 20 },
      (_, n) => `<g id="l${n + 1}"><use href="#l${n}"/><use href="#l${n}"/></g>`,
    );
    expect(why(`<defs><path id="l0" d="M0 0"/>${doubling.join('')}</defs><use href="#l20"/>`)).not.toBe('');
    expect(why('<g id="me"><use href="#me"/></g>')).not.toBe('');
    const entities =
      '<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><title>&b;</title></svg>';
    expect(() => readDrawing(entities)).toThrow(NotVector);
  });

  test('any text is read or refused, never thrown over', () => {
    const piece = fc.constantFrom(
      '<g',
      '<path d="',
      'M0 0',
      '"',
      '/>',
      '>',
      '</g>',
      ' fill="',
      'url(#a)',
      '<style>',
      '</style>',
      '{',
      '}',
      'transform="rotate(',
      ')',
      '&lt;',
      ';',
      'id="a"',
      '<use href="#a"/>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          const { ops } = readDrawing(svg(pieces.join(' ')));
          let open = 0;
          for (const { op } of ops) {
            open += op === 'push' ? 1 : op === 'pop' ? -1 : 0;
            expect(open).toBeGreaterThanOrEqual(0);
          }
          expect(open).toBe(0);
        } catch (error) {
          if (!(error instanceof NotVector)) throw error;
        }
      }),
    );
  });
});
