import { unknownTokens } from '../../core/imposition/images/file-names.ts';
import { imageEntries } from '../../core/imposition/images/image-files.ts';
import type { ImageFileType } from '../../core/imposition/images/painting.ts';
import { bundle, type Format, partsOf } from '../format.ts';
import { StoreError } from '../project/store.ts';

const IMAGE_DPI = 300;

/** An image for each card. */
export const imageFiles = (type: ImageFileType): Format => ({
  summary: 'a ZIP of pictures',
  ending: () => 'zip',
  named: '',
  updates: false,
  plan(project, settings) {
    const parts = partsOf(project);
    for (const { name, columns } of parts) {
      const [unknown] = unknownTokens(settings.names, columns);
      if (unknown !== undefined) {
        throw new StoreError(`Names of files have {{${unknown}}}, and ${name} has no such column.`);
      }
    }
    return bundle(
      imageEntries(parts, {
        type,
        quality: settings.quality,
        dpi: settings.dpi ?? IMAGE_DPI,
        bleed: settings.bleed,
        cut: !settings.square,
        backs: !settings.noBacks,
        copies: settings.eachCopy ? 'each' : 'one',
        template: settings.names,
        contactSheet: settings.contactSheet,
      }),
    );
  },
});
