import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMetadata } from './image-metadata.ts';
import { imageSize } from './image-size.ts';

const SECRET = 'GPS 48.2082 N 16.3738 E';
const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const text = (file: Uint8Array) => String.fromCharCode(...file);

/** EXIF with an orientation in its first directory, and a place behind it. */
function exif(orientation: number, little: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(26));
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, 1, little);
  view.setUint16(10, 0x0112, little);
  view.setUint16(12, 3, little);
  view.setUint32(14, 1, little);
  view.setUint16(18, orientation, little);
  return join(new Uint8Array(view.buffer), bytes(SECRET));
}

const segment = (marker: number, content: Uint8Array) =>
  join(Uint8Array.of(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff), content);
const ICC = segment(0xe2, bytes('ICC_PROFILE\0\x01\x01profile'));
const ADOBE = segment(0xee, bytes('Adobe\0d\0\0\0\0\x02'));
const FRAME = segment(0xc0, Uint8Array.of(8, 0, 20, 0, 40, 1, 1, 0x11, 0));
// A scan with a stuffed byte and a restart in its data.
const SCAN = join(
  segment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
  Uint8Array.of(1, 0xff, 0, 2, 0xff, 0xd0, 3),
);
const END = Uint8Array.of(0xff, 0xd9);

const jpeg = (orientation: number, little = false) =>
  join(
    Uint8Array.of(0xff, 0xd8),
    segment(0xe0, bytes('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    segment(0xe1, join(bytes('Exif\0\0'), exif(orientation, little))),
    segment(0xe1, bytes(`http://ns.adobe.com/xap/1.0/\0<x>${SECRET}</x>`)),
    segment(0xed, bytes(`Photoshop 3.0\0${SECRET}`)),
    segment(0xe2, bytes(`MPF\0${SECRET}`)),
    ICC,
    ADOBE,
    segment(0xfe, bytes(SECRET)),
    FRAME,
    SCAN,
    SCAN,
    END,
    bytes(`a second picture: ${SECRET}`),
  );

const chunk = (type: string, content: Uint8Array) => {
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, content.length);
  return join(new Uint8Array(head.buffer), bytes(type), content, bytes('crc!'));
};
const HEAD = chunk('IHDR', Uint8Array.of(0, 0, 0, 40, 0, 0, 0, 20, 8, 2, 0, 0, 0));
const png = join(
  Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
  HEAD,
  chunk('iCCP', bytes('profile')),
  chunk('eXIf', exif(3, false)),
  chunk('tEXt', bytes(SECRET)),
  chunk('iTXt', bytes(SECRET)),
  chunk('IDAT', bytes('pixels')),
  chunk('IEND', new Uint8Array()),
  bytes(SECRET),
);

const riffChunk = (type: string, content: Uint8Array) => {
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, content.length, true);
  return join(bytes(type), new Uint8Array(head.buffer), content, new Uint8Array(content.length % 2));
};
function webp(): Uint8Array {
  const content = join(
    riffChunk('VP8X', Uint8Array.of(0x08 | 0x04 | 0x10, 0, 0, 0, 39, 0, 0, 19, 0, 0)),
    riffChunk('ALPH', bytes('alp')),
    riffChunk('VP8 ', bytes('pixels')),
    riffChunk('EXIF', exif(8, true)),
    riffChunk('XMP ', bytes(SECRET)),
  );
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, content.length + 4, true);
  return join(bytes('RIFF'), new Uint8Array(head.buffer), bytes('WEBP'), content, bytes(SECRET));
}

/** A GIF of one picture with a colour profile, that repeats; a comment, a text and XMP are in it. */
function gif(): Uint8Array {
  const blocks = (...contents: readonly Uint8Array[]) =>
    join(...contents.map((content) => join(Uint8Array.of(content.length), content)), Uint8Array.of(0));
  const extension = (label: number, ...contents: readonly Uint8Array[]) =>
    join(Uint8Array.of(0x21, label), blocks(...contents));
  return join(
    bytes('GIF89a'),
    Uint8Array.of(40, 0, 20, 0, 0x80, 0, 0),
    Uint8Array.of(0, 0, 0, 255, 255, 255),
    ...GIF_KEPT.slice(0, 2).map(([label, ...contents]) => extension(label, ...contents)),
    extension(0xff, bytes('XMP DataXMP'), bytes(`<x>${SECRET}</x>`)),
    extension(0xfe, bytes(SECRET), bytes('by Pia')),
    extension(0x01, new Uint8Array(12), bytes(SECRET)),
    ...GIF_KEPT.slice(2).map(([label, ...contents]) => extension(label, ...contents)),
    GIF_PICTURE,
    Uint8Array.of(0x3b),
    bytes(SECRET),
  );
}
const GIF_KEPT: readonly (readonly [number, ...Uint8Array[]])[] = [
  [0xff, bytes('NETSCAPE2.0'), Uint8Array.of(1, 0, 0)],
  [0xff, bytes('ICCRGBG1012'), bytes('profile')],
  [0xf9, Uint8Array.of(4, 10, 0, 0)],
];
const GIF_PICTURE = join(
  Uint8Array.of(0x2c, 0, 0, 0, 0, 40, 0, 20, 0, 0x80),
  new Uint8Array(6),
  Uint8Array.of(2, 3, 1, 2, 3, 0),
);

const bare = (file: Uint8Array) => withoutMetadata(file as Uint8Array<ArrayBuffer>);

test('places, texts and further pictures go; the picture and its colours stay', () => {
  for (const [file, kept] of [
    [jpeg(1), [ICC, ADOBE, FRAME, SCAN]],
    [png, [HEAD, chunk('iCCP', bytes('profile')), chunk('IDAT', bytes('pixels'))]],
    [webp(), [riffChunk('ALPH', bytes('alp')), riffChunk('VP8 ', bytes('pixels'))]],
    [gif(), [bytes('NETSCAPE2.0'), bytes('profile'), GIF_PICTURE]],
  ] as const) {
    expect(text(file)).toContain(SECRET);
    const { bytes: left } = bare(file);
    expect(text(left)).not.toContain('GPS');
    for (const part of kept) expect(text(left)).toContain(text(part));
    expect(imageSize(left)).toEqual({ w: 40, h: 20 });
    // The same file again is the same image.
    expect(bare(left)).toEqual({ bytes: left, orientation: 1, isBare: true });
  }
  expect(bare(webp()).bytes[20]).toBe(0x10);
});

test('the orientation is told, in either order of bytes', () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    for (const little of [true, false]) expect(bare(jpeg(orientation, little)).orientation).toBe(orientation);
  }
  for (const odd of [0, 9, 600]) expect(bare(jpeg(odd)).orientation).toBe(1);
  expect(bare(png).orientation).toBe(3);
  expect(bare(webp()).orientation).toBe(8);
});

test('damaged files never break it, and keep what can be shown', () => {
  const files = [jpeg(6), png, webp(), gif()];
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
      fc.nat(600),
      (file, changes, length) => {
        const damaged = file.slice(0, length);
        for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
        const { bytes: left, orientation, isBare } = bare(damaged);
        if (!isBare) expect(left).toBe(damaged);
        expect(left.length).toBeLessThanOrEqual(damaged.length);
        expect(orientation >= 1 && orientation <= 8).toBe(true);
      },
    ),
  );
});
