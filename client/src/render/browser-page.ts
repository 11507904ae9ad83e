import type { Row } from '../core/scene/row.ts';
import type { Layout } from '../core/scene/zone.ts';
import { canvasSize } from './canvas.ts';
import { Stage } from './stage.ts';

/** Entry of the page that comparing tests open in a browser: paints a card into a PNG. */
declare global {
  interface Window {
    readBase64(kind: 'face' | 'image', name: string): Promise<string | null>;
    paintPng(layout: Layout, row: Row, pxPerMm: number, origin: { x: number; y: number }): Promise<string>;
  }
}

async function read(kind: 'face' | 'image', name: string): Promise<Uint8Array | undefined> {
  const text = await window.readBase64(kind, name);
  return text === null ? undefined : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const stage = new Stage(
  async (face) => (await read('face', face.id)) ?? new Uint8Array(),
  (source) => read('image', source),
);

window.paintPng = async (layout, row, pxPerMm, origin) => {
  const list = await stage.layOut(layout, row);
  const { width, height } = canvasSize(list, pxPerMm);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  await stage.paint(ctx, list, { scale: pxPerMm, origin });
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
};
