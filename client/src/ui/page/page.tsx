import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './page.module.css';
import shimmer from './shimmer.module.css';

/** A page's frame: a column with its title and what can be done. */
export function Page({
  title,
  lead,
  actions,
  above,
  reading = false,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** A line above the title, such as the way back. */
  above?: ReactNode;
  /** A text to read: one column in the middle of the page. */
  reading?: boolean;
  children: ReactNode;
}) {
  return (
    <main className={css.page} data-reading={reading || undefined}>
      {above && <div className={css.above}>{above}</div>}
      <header className={css.header}>
        <div className={css.titles}>
          <h1>{title}</h1>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}

/** Nothing here yet: says what belongs here and offers the first step. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className={css.empty}>
      <div className={css.fan} aria-hidden>
        <span />
        <span />
        <span>{icon}</span>
      </div>
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <div className={css.emptyAction}>{action}</div>}
    </section>
  );
}

/** An error and its remedy, shown where it happened. */
export function Problem({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.problem} role="alert">
      <CircleAlert size={18} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children && <div className={css.problemBody}>{children}</div>}
        {action && <div className={css.problemAction}>{action}</div>}
      </div>
    </div>
  );
}

/** Grey shapes where content will be. */
export function Placeholder({
  width,
  height,
  radius,
}: {
  width?: number | string;
  height: number | string;
  radius?: number;
}) {
  return (
    <div
      className={`${css.placeholder} ${shimmer.shimmer}`}
      style={{ width, height, borderRadius: radius }}
      aria-hidden
    />
  );
}

/** Told to screen readers while placeholders show. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <span className={css.hidden} role="status">
      {label}…
    </span>
  );
}

/** Read to those who do not see the page. */
export function Unseen({ children }: { children: ReactNode }) {
  return <span className={css.hidden}>{children}</span>;
}
