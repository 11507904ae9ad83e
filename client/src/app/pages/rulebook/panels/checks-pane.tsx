import { CircleCheck } from 'lucide-react';
import type { Finding } from '../../../../core/book/checks.ts';
import type { SkippedStep } from '../../../../data/rulebooks/sync.ts';
import css from '../rulebook.module.css';

/** Findings of the checks, each with its block, and the steps that nobody's editor takes. */
export function ChecksPane({
  findings,
  skipped,
  nameOf,
  onBlock,
  onReplace,
}: {
  findings: readonly Finding[];
  skipped: readonly SkippedStep[];
  nameOf: (uid: string) => string;
  onBlock: (block: string) => void;
  /** Left out for those who may not change anything. */
  onReplace: ((finding: Finding) => void) | undefined;
}) {
  return (
    <section className={css.checks} aria-label="Checks">
      {findings.length === 0 && skipped.length === 0 && (
        <p className={css.allWell}>
          <CircleCheck size={17} aria-hidden /> Text, pages and project agree.
        </p>
      )}
      <ul>
        {findings.map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no names, and keep no state
          <li key={at} data-code={finding.code}>
            <span>{finding.message}</span>
            {finding.replace && onReplace && (
              <button type="button" onClick={() => onReplace(finding)}>
                Replace
              </button>
            )}
            {finding.block !== null && (
              <button type="button" onClick={() => onBlock(finding.block ?? '')}>
                Show
              </button>
            )}
          </li>
        ))}
        {skipped.map(({ number, by, message }) => (
          <li key={`step ${number}`} data-code="skipped">
            <span>
              Change {number} by {nameOf(by)} was left out by every editor, because it cannot be part of a
              rulebook: {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
