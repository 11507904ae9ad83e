import { createRenderer, type Renderer } from '../../workers/painting/renderer.ts';

let renderer: Renderer | undefined;

/** The page's renderer, with its workers started on first use. */
export function sharedRenderer(): Renderer {
  renderer ??= createRenderer();
  return renderer;
}
