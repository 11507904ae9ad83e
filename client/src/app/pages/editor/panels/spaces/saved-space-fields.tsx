import { Button, FileButton } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { MAX_ZONES } from '../../../../../core/scene/limits.ts';
import { definitionOf } from '../../../../../core/scene/zones.ts';
import { MAX_SAVE_LENGTH, SaveError } from '../../../../../core/tabletop/save.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import type { EditorModel } from '../../state/editor-store.ts';
import { type AddedSpaces, addSavedSpaces } from '../../state/edits/save-spaces.ts';
import { allZones } from '../../state/zones/zones.ts';
import { FoldingSection } from '../fields/fields.tsx';
import css from '../map/map-fields.module.css';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function words({ board, added, known, outside, left }: AddedSpaces): string {
  const away =
    outside > 0
      ? ` ${counted(outside, 'lies', 'lie')} far outside of the board, and ${outside === 1 ? 'is' : 'are'} left out.`
      : '';
  const more =
    left > 0
      ? ` ${counted(left, 'more finds', 'more find')} no room: a layout has at most ${MAX_ZONES} zones.`
      : '';
  return `“${board}”: ${counted(added, 'space', 'spaces')} added, ${counted(known, 'was', 'were')} there already.${away}${more}`;
}

/** Brings snap points back that were moved or added in Tabletop Simulator. Only layouts with spaces have any there. */
export function SavedSpaceFields({ scene, model }: { scene: Layout; model: EditorModel }) {
  const [open, setOpen] = useState(false);
  const forgetFile = useRef<() => void>(null);
  const hasSpaces = allZones(scene.zones).some((zone) => definitionOf(zone).spaceTraits(zone).length > 0);
  if (!hasSpaces) return null;
  const bring = async (file: File | null) => {
    if (!file) return;
    forgetFile.current?.();
    try {
      if (file.size > MAX_SAVE_LENGTH) throw new SaveError('That file is too large for a save.');
      toasts.show(words(addSavedSpaces(model, await file.text())), { type: 'info', autoCloseTime: 8_000 });
    } catch (reason) {
      tellFailure(reason, 'stays');
    }
  };
  return (
    <FoldingSection title="Snap points of a save" open={open} onToggle={() => setOpen(!open)}>
      <p className={css.note}>
        Save the game in Tabletop Simulator and choose the file here: snap points that were moved or added to
        this board there become spaces.
      </p>
      <div className={css.row}>
        <FileButton
          accept=".json,application/json"
          resetRef={forgetFile}
          onChange={(file) => void bring(file)}
        >
          {(props) => (
            <Button
              {...props}
              size="compact-xs"
              variant="default"
              leftSection={<Upload size={14} aria-hidden />}
            >
              Open a save
            </Button>
          )}
        </FileButton>
      </div>
    </FoldingSection>
  );
}
