import {
  Activity,
  Database,
  FolderOpen,
  ListOrdered,
  type LucideIcon,
  Mail,
  ShieldCheck,
  SquareFunction,
  Users,
} from 'lucide-react';

/** A page of the console. */
export interface ConsolePage {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** All pages; Alt and the number of its place opens one. */
export const PAGES: readonly ConsolePage[] = [
  { to: '/documents', label: 'Documents', icon: Database },
  { to: '/users', label: 'Users', icon: Users },
  { to: '/files', label: 'Files', icon: FolderOpen },
  { to: '/outbox', label: 'Outbox', icon: Mail },
  { to: '/functions', label: 'Functions', icon: SquareFunction },
  { to: '/rules', label: 'Rules', icon: ShieldCheck },
  { to: '/requests', label: 'Requests', icon: ListOrdered },
  { to: '/metrics', label: 'Metrics', icon: Activity },
];
