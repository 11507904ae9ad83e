/**
 * Gives back a canvas's memory at once; what was drawn from it elsewhere stays. The collector hardly sees pixels and
 * would let dozens of canvases gather.
 */
export function freeCanvas(canvas: OffscreenCanvas | HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
