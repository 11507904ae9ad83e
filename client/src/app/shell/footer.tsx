import { Link, useLocation } from 'react-router';
import { getServices } from '../../data/server/firebase.ts';
import css from './footer.module.css';

const LINKS = [
  ['Documentation', '/docs'],
  ['Tutorials', '/Tutorials/'],
  ['Blog', '/blog/'],
  ['Brainstorm', '/brainstorm'],
  ['Updates', '/Updates'],
  ['Pricing', '/pricing'],
  ['Policies', '/policies'],
] as const;

/** First parts of the addresses that end in a footer: pages to read, not pages to work in. */
const READING = new Set([
  '',
  'blog',
  'tutorials',
  'updates',
  'pricing',
  'policies',
  'brainstorm',
  'docs',
  'boards',
]);

/** The foot of pages for readers. */
export function Footer() {
  const { pathname } = useLocation();
  if (!READING.has(pathname.split('/')[1]?.toLowerCase() ?? '')) return null;
  const { operator, version } = getServices().host;
  return (
    <footer className={css.footer}>
      <nav aria-label="More">
        {LINKS.map(([label, to]) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
      </nav>
      <p>
        Tuckbox {version}
        {operator && `, run by ${operator}`}
      </p>
    </footer>
  );
}
