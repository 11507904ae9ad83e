import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { ToastStack } from '../../ui/toasts/toast-stack.tsx';
import { Navbar } from './navbar.tsx';
import css from './shell.module.css';

/** What every page has around it. */
export function Shell() {
  const { state } = useNavigation();
  return (
    <>
      <a className={css.skip} href="#content">
        Skip to content
      </a>
      {state === 'loading' && <div className={css.progress} role="progressbar" aria-label="Loading page" />}
      <Navbar />
      <div id="content" className={css.content} tabIndex={-1}>
        <Outlet />
      </div>
      <ToastStack />
      <ScrollRestoration />
    </>
  );
}
