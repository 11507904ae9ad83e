import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import css from './small.module.css';

/** A word that says what something is, or how it is doing. */
export function Tag({ tone, children }: { tone?: 'good' | 'warn' | 'bad'; children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  );
}

/** Time for which “copied” is shown, in milliseconds. */
const COPIED_MS = 1_500;

/** A button that copies a text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    });
  return (
    <button
      type="button"
      className={css.icon}
      aria-label={copied ? 'Copied' : label}
      title={label}
      onClick={copy}
    >
      <Icon size={14} aria-hidden />
    </button>
  );
}

/** A small button with a picture. */
export function IconButton({
  label,
  onClick,
  danger = false,
  disabled = false,
  children,
}: {
  label: string;
  onClick: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={css.icon}
      data-danger={danger || undefined}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Names and values, one a line. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text as it is, in the face of code. */
export function Code({ children }: { children: ReactNode }) {
  return <pre className={css.code}>{children}</pre>;
}
