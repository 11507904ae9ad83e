import { seatLetter } from '../../core/play/view/names.ts';
import { type Camera, type Screen, toScreen } from './camera.ts';
import { type ShownPointer, TABLE_FONT, type TableColours, type TableScene } from './table-scene.ts';

/** The space of a board where dragged pieces would come to rest. */
export function outlineSpace(
  ctx: CanvasRenderingContext2D,
  space: NonNullable<TableScene['space']>,
  { camera, screen }: Pick<TableScene, 'camera' | 'screen'>,
  colours: TableColours,
): void {
  const { x, y } = toScreen(camera, screen, space.x, space.y);
  const [w, h] = [space.w * camera.scale, space.h * camera.scale];
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate((space.turn * Math.PI) / 180);
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = colours.accent;
  ctx.setLineDash([6, 4]);
  ctx.strokeRect(-w / 2, -h / 2, w, h);
  ctx.restore();
}

/** A rectangle that selects. */
export function outlineBox(
  ctx: CanvasRenderingContext2D,
  { x, y, w, h }: NonNullable<TableScene['box']>,
  colours: TableColours,
): void {
  ctx.lineWidth = 1;
  ctx.strokeStyle = colours.accent;
  ctx.strokeRect(x, y, w, h);
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = colours.accent;
  ctx.fillRect(x, y, w, h);
  ctx.globalAlpha = 1;
}

/** A pointer of somebody else, with the name of its seat. */
export function paintPointer(
  ctx: CanvasRenderingContext2D,
  { pointer: [seat, px, py], colour, name }: ShownPointer,
  camera: Camera,
  screen: Screen,
): void {
  const { x, y } = toScreen(camera, screen, px, py);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + 4, y + 15);
  ctx.lineTo(x + 8, y + 9);
  ctx.lineTo(x + 15, y + 8);
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 1.2;
  ctx.strokeStyle = '#ffffff';
  ctx.stroke();
  const text = `${seatLetter(seat)} ${name}`;
  ctx.font = `600 11px ${TABLE_FONT}`;
  const width = ctx.measureText(text).width + 10;
  ctx.beginPath();
  ctx.roundRect(x + 12, y + 13, width, 18, 9);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.fillStyle = inkOn(colour);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + 17, y + 22.5);
}

/** Radii of a ring around a place that somebody shows, in CSS pixels. */
const [PING_FROM, PING_TO] = [8, 44];

/** Rings around a place that somebody shows; they grow and fade with its age. */
export function paintPing(
  ctx: CanvasRenderingContext2D,
  { x: px, y: py, colour, age }: TableScene['pings'][number],
  camera: Camera,
  screen: Screen,
): void {
  const { x, y } = toScreen(camera, screen, px, py);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 4;
  ctx.globalAlpha = 1 - age;
  for (const share of [age, age / 2]) {
    ctx.beginPath();
    ctx.arc(x, y, PING_FROM + (PING_TO - PING_FROM) * share, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/** A line that is measured, with its length. */
export function paintRuler(
  ctx: CanvasRenderingContext2D,
  { from, to }: NonNullable<TableScene['ruler']>,
  { camera, screen }: Pick<TableScene, 'camera' | 'screen'>,
  colours: TableColours,
): void {
  const [a, b] = [toScreen(camera, screen, from.x, from.y), toScreen(camera, screen, to.x, to.y)];
  ctx.lineWidth = 2;
  ctx.strokeStyle = colours.accent;
  ctx.beginPath();
  ctx.moveTo(a.x, a.y);
  ctx.lineTo(b.x, b.y);
  ctx.stroke();
  const text = lengthWords(Math.hypot(to.x - from.x, to.y - from.y));
  ctx.font = `600 12px ${TABLE_FONT}`;
  const width = ctx.measureText(text).width + 14;
  const [x, y] = [(a.x + b.x) / 2 - width / 2, (a.y + b.y) / 2 - 12];
  ctx.beginPath();
  ctx.roundRect(x, y, width, 24, 12);
  ctx.fillStyle = colours.surface;
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = colours.ink;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + 7, y + 12.5);
}

/** A length on the table in words, from tenths of a millimetre. */
export function lengthWords(tenths: number): string {
  const mm = tenths / 10;
  return `${mm < 100 ? `${mm.toFixed(0)} mm` : `${(mm / 10).toFixed(1)} cm`} · ${(mm / 25.4).toFixed(1)} in`;
}

/** Black or white, whichever is read on a colour. */
export function inkOn(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  const [r, g, b] = [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? '#1c1710' : '#ffffff';
}
