import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  BookOpen,
  ChevronDown,
  CircleUserRound,
  Grid3x3,
  LogIn,
  LogOut,
  Maximize,
  Menu as MenuIcon,
  MessagesSquare,
  Minimize,
  Moon,
  Newspaper,
  Settings,
  ShieldCheck,
  Sun,
  UserPlus,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { endSession, useGuest, useSession } from '../../data/account/session.ts';
import { toggleAdminLinks, useAdminLinks } from '../../data/admin/admin-role.ts';
import { community } from '../../data/site/community.ts';
import { Menu, type MenuItem } from '../../ui/menu/menu.tsx';
import { Unseen } from '../../ui/page/page.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { logOut } from './log-out.ts';
import { Logo } from './logo.tsx';
import css from './navbar.module.css';

function AreaLink({ to, children, enabled }: { to: string; children: string; enabled: boolean }) {
  if (!enabled) {
    return (
      <Tooltip label="Log in first">
        <Link
          to={`/login?to=${encodeURIComponent(to)}`}
          className={css.link}
          data-disabled
          aria-disabled="true"
        >
          {children}
        </Link>
      </Tooltip>
    );
  }
  return <OpenAreaLink to={to}>{children}</OpenAreaLink>;
}

/** Pages that belong to an area under an address of their own. */
const BELONGS: Readonly<Record<string, RegExp>> = {
  '/decks': /^\/(workspace|cardlist2|flashcards|rulebook-maker|playtesting|invitations)(\/|$)/i,
  '/images': /^\/upload\/?$/i,
};

function OpenAreaLink({ to, children }: { to: string; children: string }) {
  const { pathname } = useLocation();
  const belongs = BELONGS[to]?.test(pathname);
  return (
    <NavLink to={to} className={css.link ?? ''} {...(belongs && { 'data-current': true })}>
      {children}
    </NavLink>
  );
}

/** Turns the theme from light to dark and back. */
export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = scheme === 'dark' ? 'light' : 'dark';
  const label = next === 'dark' ? 'Dark theme' : 'Light theme';
  const signedIn = useSession() !== null;
  const toggle = async () => {
    setColorScheme(next);
    if (!signedIn) return;
    const { saveUserObject } = await import('../../data/user-object/use-user-object.ts');
    await saveUserObject({ darkMode: next === 'dark' });
  };
  return (
    <Tooltip label={label}>
      <button type="button" className={css.icon} aria-label={label} onClick={() => void toggle()}>
        {scheme === 'dark' ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
      </button>
    </Tooltip>
  );
}

function FullscreenToggle() {
  const [full, setFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  const label = full ? 'Leave full screen' : 'Full screen';
  const toggle = async () => {
    try {
      await (full ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    } catch {
      toasts.show('Your browser does not allow full screen here.', { type: 'warning' });
    }
  };
  return (
    <Tooltip label={label}>
      <button type="button" className={css.icon} aria-label={label} onClick={() => void toggle()}>
        {full ? <Minimize size={18} aria-hidden /> : <Maximize size={18} aria-hidden />}
      </button>
    </Tooltip>
  );
}

const SIGNED_OUT: readonly MenuItem[] = [
  { label: 'Login', to: '/login', icon: <LogIn size={16} /> },
  { label: 'Sign up', to: '/signup', icon: <UserPlus size={16} /> },
];
const ADMIN_LINKS = [
  ['Testing', '/testing'],
  ['Testing2', '/testing2'],
  ['Admin', '/admin-control-panel'],
] as const;

function signedInItems(admin: boolean, shown: boolean): readonly MenuItem[] {
  return [
    { label: 'Account', to: '/account', icon: <Settings size={16} /> },
    ...(admin
      ? [
          {
            label: shown ? 'Hide admin links' : 'Show admin links',
            onSelect: toggleAdminLinks,
            icon: <ShieldCheck size={16} />,
          },
        ]
      : []),
    { label: 'Logout', onSelect: () => void logOut(), icon: <LogOut size={16} />, divided: true },
  ];
}

/** The community is wherever the operator says; without a chat it is a page of the documentation. */
function resources(): readonly MenuItem[] {
  const { label, address, elsewhere } = community();
  return [
    { label: 'Documentation', to: '/docs', icon: <BookOpen size={16} /> },
    { label, ...(elsewhere ? { href: address } : { to: address }), icon: <MessagesSquare size={16} /> },
    { label: 'Blog', to: '/blog', icon: <Newspaper size={16} /> },
    { label: 'Board maker', to: '/boards', icon: <Grid3x3 size={16} /> },
  ];
}

/** The links of a wide bar, for a narrow one. */
function compactItems(signedIn: boolean, isGuest: boolean, adminLinks: boolean): readonly MenuItem[] {
  const area = (label: string, to: string): MenuItem => ({
    label: signedIn ? label : `${label} (log in first)`,
    to: signedIn ? to : `/login?to=${encodeURIComponent(to)}`,
  });
  const [first, ...rest] = resources();
  return [
    ...(isGuest ? [] : [area('Projects', '/decks'), area('Layouts', '/layouts'), area('Images', '/images')]),
    { label: 'Pricing', to: '/pricing' },
    ...(first ? [{ ...first, divided: true }, ...rest] : []),
    ...(adminLinks ? ADMIN_LINKS.map(([label, to], i) => ({ label, to, divided: i === 0 })) : []),
  ];
}

/** A guest of a table leaves it for good by ending the session: there is no way back into that account. */
const GUEST_ITEMS: readonly MenuItem[] = [
  ...SIGNED_OUT,
  {
    label: 'Forget me here',
    onSelect: () => void endSession().then(() => location.assign('/join')),
    icon: <LogOut size={16} />,
    divided: true,
  },
];

function AccountMenu() {
  const user = useSession();
  const guest = useGuest();
  const { admin, shown } = useAdminLinks();
  const items = user ? signedInItems(admin, shown) : guest ? GUEST_ITEMS : SIGNED_OUT;
  return (
    <Menu className={css.account} items={items}>
      <Unseen>Account menu </Unseen>
      <CircleUserRound size={19} aria-hidden />
      <span className={css.who}>
        {user ? user.displayName || user.email : guest?.displayName || 'Howdy!'}
      </span>
      <ChevronDown size={14} aria-hidden />
    </Menu>
  );
}

/** The bar at the top of every page. */
export function Navbar() {
  const signedIn = useSession() !== null;
  const isGuest = useGuest() !== null;
  const { shown: adminLinks } = useAdminLinks();
  const { pathname } = useLocation();
  return (
    <header
      className={css.bar}
      data-tight={pathname.startsWith('/layouts/edit') || undefined}
      data-many={adminLinks || undefined}
    >
      <Link to="/" className={css.logo} aria-label="Tuckbox, home">
        <Logo />
        <span>Tuckbox</span>
      </Link>
      <nav className={css.links} aria-label="Main">
        {!isGuest && (
          <>
            <AreaLink to="/decks" enabled={signedIn}>
              Projects
            </AreaLink>
            <AreaLink to="/layouts" enabled={signedIn}>
              Layouts
            </AreaLink>
            <AreaLink to="/images" enabled={signedIn}>
              Images
            </AreaLink>
          </>
        )}
        <NavLink to="/pricing" className={css.link ?? ''}>
          Pricing
        </NavLink>
        <Menu className={css.resources} items={resources()}>
          Resources <ChevronDown size={14} aria-hidden />
        </Menu>
        {adminLinks &&
          ADMIN_LINKS.map(([label, to]) => (
            <NavLink key={to} to={to} className={css.link ?? ''} end>
              {label}
            </NavLink>
          ))}
      </nav>
      <div className={css.tools}>
        <Menu label="Main menu" className={css.compact} items={compactItems(signedIn, isGuest, adminLinks)}>
          <MenuIcon size={20} aria-hidden />
        </Menu>
        <ThemeToggle />
        <FullscreenToggle />
        <AccountMenu />
      </div>
    </header>
  );
}
