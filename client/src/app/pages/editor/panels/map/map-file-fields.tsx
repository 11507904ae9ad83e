import { Button, FileButton } from '@mantine/core';
import { Download, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { textOfCells } from '../../../../../data/boards/cells-csv.ts';
import { saveFile } from '../../../../../ui/download.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import { cellsFile, openCells, tiledFile } from '../../state/edits/map-files.ts';
import { paintedMap, useMapNow } from '../../state/edits/map-painting.ts';
import type { ZoneFieldsProps } from '../../zone-parts/zone-part.ts';
import { FoldingSection } from '../fields/fields.tsx';
import css from './map-fields.module.css';

const report = (reason: unknown) => tellFailure(reason, 'stays');

/** Cells of a map as files: CSV for spreadsheets, out and in, and a map of Tiled. */
export function MapFileFields({ zone: shown, model }: ZoneFieldsProps<'map'>) {
  const [open, setOpen] = useState(false);
  const zone = useMapNow(model, shown);
  const forgetFile = useRef<() => void>(null);
  const name = zone.name.replace(/[\\/:*?"<>|]/g, ' ').trim() || 'Map';
  const bring = async (file: File | null) => {
    if (!file) return;
    // A browser does not tell of the same file chosen again, as one does who has mended it.
    forgetFile.current?.();
    try {
      const added = openCells(model, zone, textOfCells(new Uint8Array(await file.arrayBuffer())));
      if (added.length > 0)
        toasts.show(`Terrains that the map did not have were added: ${added.join(', ')}.`, {
          type: 'info',
          autoCloseTime: 8_000,
        });
    } catch (reason) {
      report(reason);
    }
  };
  return (
    <FoldingSection title="Cells as a file" open={open} onToggle={() => setOpen(!open)}>
      <p className={css.note}>
        A table of the terrains, a line for each row: write it in a spreadsheet and open it again. Maps of
        Tiled open in the board maker; edges are left out of both.
      </p>
      <div className={css.row}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => saveFile(`${name}.csv`, cellsFile(zone))}
        >
          Save as CSV
        </Button>
        <FileButton
          accept=".csv,.tsv,text/csv,text/plain"
          resetRef={forgetFile}
          onChange={(file) => void bring(file)}
        >
          {(props) => (
            <Button
              {...props}
              size="compact-xs"
              variant="default"
              leftSection={<Upload size={14} aria-hidden />}
              disabled={paintedMap(model)?.id !== zone.id}
            >
              Open CSV
            </Button>
          )}
        </FileButton>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          disabled={zone.terrains.length === 0}
          onClick={() =>
            void tiledFile(model.state.scene, zone, name).then(
              (file) => saveFile(`${name} for Tiled.zip`, file),
              report,
            )
          }
        >
          Save for Tiled
        </Button>
      </div>
    </FoldingSection>
  );
}
