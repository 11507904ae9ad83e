import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Keyboard, Moon, Search, Sun } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { NavLink, Outlet, useNavigate, useNavigation } from 'react-router';
import { commandOf, isTyping, runShortcut } from '../../ui/commands/keys.ts';
import { ToastStack } from '../../ui/toasts/toast-stack.tsx';
import { server } from '../server/server.ts';
import { COMMANDS } from './commands.ts';
import { GoTo } from './go-to.tsx';
import { PAGES } from './pages.ts';
import css from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';

type Open = 'go-to' | 'shortcuts' | undefined;

/** Keys that work on every page. */
function usePageKeys(open: (what: Open) => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) && !commandOf(COMMANDS, event)?.inFields) return;
      if (runShortcut(COMMANDS, event, { open, navigate })) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, open]);
}

function ThemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = scheme === 'dark' ? 'light' : 'dark';
  const Icon = next === 'dark' ? Moon : Sun;
  return (
    <button type="button" className={css.tool} onClick={() => setColorScheme(next)}>
      <Icon size={16} aria-hidden />
      <span>{next === 'dark' ? 'Dark theme' : 'Light theme'}</span>
    </button>
  );
}

/** The console around its pages. */
export function Shell() {
  const { projectId, version } = server();
  const [open, setOpen] = useState<Open>();
  const busy = useNavigation().state !== 'idle';
  usePageKeys(setOpen);
  return (
    <div className={css.shell}>
      <nav className={css.nav} aria-label="Console">
        <div className={css.project}>
          <strong title={projectId}>{projectId}</strong>
          <span>Tuckbox {version}, emulator</span>
        </div>
        <button type="button" className={css.goTo} onClick={() => setOpen('go-to')}>
          <Search size={15} aria-hidden />
          <span>Go to…</span>
          <kbd>Ctrl K</kbd>
        </button>
        <ul className={css.pages}>
          {PAGES.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink to={to} className={css.page ?? ''}>
                <Icon size={17} aria-hidden />
                <span>{label}</span>
              </NavLink>
            </li>
          ))}
        </ul>
        <div className={css.tools}>
          <button type="button" className={css.tool} onClick={() => setOpen('shortcuts')}>
            <Keyboard size={16} aria-hidden />
            <span>Keys</span>
          </button>
          <ThemeButton />
        </div>
      </nav>
      <main className={css.main} aria-busy={busy}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <GoTo open={open === 'go-to'} onClose={() => setOpen(undefined)} />
      <Shortcuts open={open === 'shortcuts'} onClose={() => setOpen(undefined)} />
      <ToastStack />
    </div>
  );
}
