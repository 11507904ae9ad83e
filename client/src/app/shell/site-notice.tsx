import { Info, TriangleAlert } from 'lucide-react';
import { useSite } from '../../data/site.ts';
import css from './shell.module.css';

/** What the admins of this server tell everybody who is signed in. */
export default function SiteNotice() {
  const { text, level } = useSite(true).notice;
  if (text === '') return null;
  const Icon = level === 'warning' ? TriangleAlert : Info;
  return (
    <div className={css.notice} role="status">
      <Icon size={15} aria-hidden /> {text}
    </div>
  );
}
