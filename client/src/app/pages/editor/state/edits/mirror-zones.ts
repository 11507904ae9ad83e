import type { EditorModel } from '../editor-store.ts';

/** Puts the zones of the card at the other side, as text that runs from the right has them; locked ones stay. */
export function mirrorZones(model: EditorModel): void {
  model.act((scene) => {
    for (const zone of scene.zones) {
      if (!zone.locked) zone.x = scene.size.w - zone.x - zone.w;
    }
  });
}
