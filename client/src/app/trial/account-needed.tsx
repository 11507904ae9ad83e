import { UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** In the trial, in place of something that needs the server. @param children a sentence that says what */
export function AccountNeeded({ children }: { children: ReactNode }) {
  return (
    <p style={{ display: 'flex', gap: 9, alignItems: 'baseline', margin: 0, color: 'var(--ink-soft)' }}>
      <UserPlus size={16} aria-hidden style={{ flex: 'none', alignSelf: 'center' }} />
      <span>
        {children} <Link to="/signup">Sign up</Link>, and the game comes along.
      </span>
    </p>
  );
}
