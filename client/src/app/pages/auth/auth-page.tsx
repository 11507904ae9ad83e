import type { ReactNode } from 'react';
import css from './auth-page.module.css';

/** The sheet that login, sign-up and mail links are on. */
export function AuthPage({
  title,
  lead,
  children,
  foot,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <main className={css.page}>
      <section className={css.sheet}>
        <header>
          <h1>{title}</h1>
          {lead && <p className={css.lead}>{lead}</p>}
        </header>
        {children}
        {foot && <footer className={css.foot}>{foot}</footer>}
      </section>
    </main>
  );
}

/** A line above the fields about who may sign up. */
export const invitedClass = css.invited ?? '';

/** Fields one below the other. */
export const formClass = css.form;
