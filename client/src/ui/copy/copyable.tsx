import { Button } from '@mantine/core';
import { Copy, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from './copy-link.ts';
import css from './copyable.module.css';

/** A text that is copied as a whole. @param noun its name; `children` are further buttons */
export function Copyable({ text, noun, children }: { text: string; noun: string; children?: ReactNode }) {
  return (
    <div className={css.copyable}>
      <code>{text}</code>
      <Button
        variant="default"
        leftSection={<Copy size={15} aria-hidden />}
        onClick={() => void copyText(text, noun)}
      >
        Copy {noun}
      </Button>
      {children}
    </div>
  );
}

/** The address of a page that anybody may open. @param path its path on this server */
export function PublicLink({ path }: { path: string }) {
  return (
    <Copyable text={`${location.origin}${path}`} noun="link">
      <Button
        component="a"
        href={path}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<ExternalLink size={15} aria-hidden />}
      >
        Open
      </Button>
    </Copyable>
  );
}
