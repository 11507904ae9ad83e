import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isolated } from '../../core/text/names.ts';
import { customFamilies } from '../../data/fonts/custom-fonts.ts';
import { removeProjectFont } from '../../data/fonts/own-fonts.ts';
import { useLayouts, useProjectFonts } from '../../data/project/queries.ts';
import { describeError } from '../../data/server/messages.ts';
import type { ProjectPlace } from '../images/project-place.ts';
import { styleOf } from './custom-fonts.tsx';
import css from './font-field.module.css';
import { FontName } from './font-name.tsx';

/** The fonts of the project, for all its members; those that no layout is set in can be removed. */
export function ProjectFonts({ place: { project, mayEdit } }: { place: ProjectPlace }) {
  const { data: fonts } = useProjectFonts(project);
  const { data: layouts } = useLayouts(project);
  const [problem, setProblem] = useState('');
  if (!fonts || fonts.items.length === 0) return null;
  const usersOf = (url: string): number | undefined =>
    layouts?.items.filter(({ scene }) => scene.fonts?.some((font) => font.url === url)).length;
  return (
    <>
      <div className={css.head}>
        <strong>Fonts of this project</strong>
      </div>
      <ul className={css.own}>
        {fonts.items.map((font) => {
          const [family] = customFamilies([font]);
          const users = usersOf(font.url);
          return (
            <li key={font.id}>
              {family && <FontName family={family} />}
              <ul>
                <li>
                  <span>{styleOf(font)}</span>
                  <small>
                    {users === undefined
                      ? ''
                      : users === 0
                        ? 'in no layout'
                        : users === 1
                          ? 'in a layout'
                          : `in ${users} layouts`}
                  </small>
                  {mayEdit && users === 0 && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      leftSection={<Trash2 size={13} aria-hidden />}
                      aria-label={`Remove ${isolated(font.name)} ${styleOf(font)} from the project`}
                      onClick={() => {
                        setProblem('');
                        removeProjectFont(project, font).catch((error: unknown) =>
                          setProblem(describeError(error)),
                        );
                      }}
                    >
                      Remove
                    </Button>
                  )}
                </li>
              </ul>
            </li>
          );
        })}
      </ul>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
