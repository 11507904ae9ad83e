import { ActionIcon, Button } from '@mantine/core';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { LayoutFont } from '../../core/scene/style/layout-font.ts';
import { isolated } from '../../core/text/names.ts';
import { customFamilies } from '../../data/fonts/custom-fonts.ts';
import { removeCustomFont } from '../../data/fonts/font-files.ts';
import { useReadableLayouts } from '../../data/project/queries.ts';
import { describeError } from '../../data/server/messages.ts';
import css from './font-field.module.css';
import { FontName } from './font-name.tsx';

/** A cut by its weight, or between which weights a variable font may stand. */
export const styleOf = ({ weight, italic, axes }: LayoutFont): string => {
  const heavy = axes?.find(({ tag }) => tag === 'wght');
  return `${heavy ? `${heavy.min} to ${heavy.max}` : axes ? 'variable' : weight}${italic ? ' italic' : ''}`;
};

/** The fonts somebody brought along, to remove them. */
export function CustomFonts({ fonts, onBack }: { fonts: readonly LayoutFont[]; onBack: () => void }) {
  const layouts = useReadableLayouts();
  const [problem, setProblem] = useState('');
  const usersOf = (font: LayoutFont): number | undefined =>
    layouts?.filter(({ scene }) => scene.fonts?.some(({ url }) => url === font.url)).length;
  return (
    <>
      <div className={css.head}>
        <ActionIcon variant="subtle" aria-label="Back to all fonts" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden />
        </ActionIcon>
        <strong>Your fonts</strong>
      </div>
      {fonts.length === 0 && <p className={css.credit}>You have brought no fonts.</p>}
      <ul className={css.own}>
        {customFamilies(fonts).map((family) => (
          <li key={family.id}>
            <FontName family={family} />
            <ul>
              {fonts
                .filter((font) => font.family === family.id)
                .map((font) => {
                  const users = usersOf(font);
                  return (
                    <li key={font.url}>
                      <span>{styleOf(font)}</span>
                      <small>
                        {users === undefined
                          ? ''
                          : users === 0
                            ? 'in no layout'
                            : users === 1
                              ? 'in a layout, which keeps it'
                              : `in ${users} layouts, which keep it`}
                      </small>
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        leftSection={<Trash2 size={13} aria-hidden />}
                        disabled={users === undefined}
                        aria-label={`Remove ${isolated(font.name)} ${styleOf(font)}`}
                        onClick={() => {
                          setProblem('');
                          removeCustomFont(font, users !== 0).catch((error: unknown) =>
                            setProblem(describeError(error)),
                          );
                        }}
                      >
                        Remove
                      </Button>
                    </li>
                  );
                })}
            </ul>
          </li>
        ))}
      </ul>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
