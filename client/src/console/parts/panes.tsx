import type { ReactNode } from 'react';
import css from './panes.module.css';

/** A page's frame: its head, and below it what fills the window. */
export function ConsolePage({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <header className={css.head}>
        <div className={css.titles}>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Panes side by side; `columns` as CSS's grid has them. */
export function Panes({ columns, children }: { columns: string; children: ReactNode }) {
  return (
    <div className={css.panes} style={{ gridTemplateColumns: columns }}>
      {children}
    </div>
  );
}

/** One pane, which scrolls by itself. */
export function Pane({
  label,
  head,
  foot,
  padded = false,
  children,
}: {
  label: string;
  head?: ReactNode;
  foot?: ReactNode;
  padded?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={css.pane} aria-label={label}>
      {head && <div className={css.paneHead}>{head}</div>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div className={css.paneBody} data-padded={padded || undefined} tabIndex={0}>
        {children}
      </div>
      {foot && <div className={css.paneFoot}>{foot}</div>}
    </section>
  );
}

/** In the middle of a pane that has nothing to show. */
export function Quiet({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className={css.quiet}>
      {icon && <span aria-hidden>{icon}</span>}
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  );
}
