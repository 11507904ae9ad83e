/**
 * Frees a canvas's memory at once; copies drawn from it elsewhere stay. The garbage collector does not count pixels and
 * would let dozens of canvases pile up.
 */
export function freeCanvas(canvas: OffscreenCanvas | HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
