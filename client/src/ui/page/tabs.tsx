import css from './tabs.module.css';

/** Chooses one of the views of a thing. */
export function Tabs<Id extends string>({
  label,
  tabs,
  shown,
  onShow,
}: {
  label: string;
  tabs: readonly { readonly id: Id; readonly label: string }[];
  shown: Id;
  onShow: (id: Id) => void;
}) {
  return (
    <div className={css.tabs} role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          data-tab={tab.id}
          aria-selected={shown === tab.id}
          className={css.tab}
          onClick={() => onShow(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
