import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
} from 'lucide-react';
import { ToolButton } from '../../../../../ui/toolbar/tool-button.tsx';
import { ALIGN_COMMANDS, DISTRIBUTE_COMMANDS } from '../../commands/arrange.ts';
import type { CommandContext } from '../../commands.ts';
import css from '../panels.module.css';

/** Icons of the alignments, in the order of their commands. */
const ALIGN_ICONS = [
  AlignStartVertical,
  AlignCenterVertical,
  AlignEndVertical,
  AlignStartHorizontal,
  AlignCenterHorizontal,
  AlignEndHorizontal,
];
const DISTRIBUTE_ICONS = [AlignHorizontalSpaceAround, AlignVerticalSpaceAround];

/** Aligns zones with each other, or one with the card. */
export function ArrangeButtons({ context, several }: { context: CommandContext; several: boolean }) {
  return (
    <div className={css.buttons}>
      {ALIGN_COMMANDS.map((command, index) => {
        const Icon = ALIGN_ICONS[index] ?? AlignStartVertical;
        return (
          <ToolButton key={command.id} command={command} context={context}>
            <Icon size={16} aria-hidden />
          </ToolButton>
        );
      })}
      {several &&
        DISTRIBUTE_COMMANDS.map((command, index) => {
          const Icon = DISTRIBUTE_ICONS[index] ?? AlignHorizontalSpaceAround;
          return (
            <ToolButton key={command.id} command={command} context={context}>
              <Icon size={16} aria-hidden />
            </ToolButton>
          );
        })}
    </div>
  );
}
