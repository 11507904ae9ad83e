import { Info, TriangleAlert } from 'lucide-react';
import { useSite } from '../../data/site/site.ts';
import css from './shell.module.css';

/** Notice of the server's admins to all signed-in users. */
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
