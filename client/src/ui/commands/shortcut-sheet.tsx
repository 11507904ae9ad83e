import type { Command } from './command.ts';
import { KeyCap } from './key-cap.tsx';
import { shownKeys } from './keys.ts';
import css from './shortcut-sheet.module.css';

/** Keys or gestures that are no commands, under a heading. */
export interface SheetNotes {
  readonly title: string;
  readonly notes: readonly (readonly [keys: string, does: string])[];
}

function Line({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <div>
      <dt>{does}</dt>
      <dd>
        {keys.map((one) => (
          <KeyCap key={one} keys={one} />
        ))}
      </dd>
    </div>
  );
}

/** All shortcuts of a screen by their groups, made from its commands, and what else its keys do. */
export function ShortcutSheet({
  commands,
  notes,
}: {
  commands: readonly Pick<Command<never>, 'id' | 'label' | 'group' | 'keys'>[];
  notes: readonly SheetNotes[];
}) {
  const withKeys = commands.filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <section className={css.scroller} aria-label="Keys and what they do" tabIndex={0}>
      <div className={css.sheet}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {withKeys
                .filter((command) => command.group === group)
                .map(({ id, label, keys = [] }) => (
                  <Line key={id} keys={keys.map(shownKeys)} does={label} />
                ))}
            </dl>
          </section>
        ))}
        {notes.map(({ title, notes: lines }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(([keys, does]) => (
                <Line key={keys} keys={[keys]} does={does} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  );
}
