import type { ChangedItem, ItemGroup } from './changed-items.ts';
import css from './comparison.module.css';

const CHANGES: Readonly<Record<ChangedItem['change'], string>> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
  moved: 'Moved',
};

/** Everything that differs, by what it is of. */
export function ChangedList({
  groups,
  shown,
  onShow,
}: {
  groups: readonly ItemGroup[];
  shown: string;
  onShow: (key: string) => void;
}) {
  return (
    <nav className={css.list} aria-label="Changes">
      {groups.map(({ title, items, more }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {items.map(({ key, label, change, inner, cards }) => (
              <li key={key} data-inner={inner}>
                <button
                  type="button"
                  data-change={change}
                  aria-current={key === shown ? 'true' : undefined}
                  onClick={() => onShow(key)}
                >
                  <span>{label}</span>
                  <small>{cards !== undefined && change === 'changed' ? cards : CHANGES[change]}</small>
                </button>
              </li>
            ))}
            {more > 0 && <li className={css.more}>and {more} more cards</li>}
          </ul>
        </section>
      ))}
    </nav>
  );
}
