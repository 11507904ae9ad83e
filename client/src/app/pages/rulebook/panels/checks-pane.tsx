import { CircleCheck } from 'lucide-react';
import type { Finding } from '../../../../core/book/checks.ts';
import { EVERYWHERE } from '../../../../core/book/no-terms.ts';
import type { NoTerm } from '../../../../core/book/schema.ts';
import type { SkippedStep } from '../../../../data/rulebooks/sync.ts';
import css from '../rulebook.module.css';

/** Findings of the checks, each with its block, and the steps that nobody's editor takes. */
export function ChecksPane({
  findings,
  skipped,
  nameOf,
  onBlock,
  onReplace,
  noTerms,
  placeName,
  onNoTerm,
}: {
  findings: readonly Finding[];
  skipped: readonly SkippedStep[];
  nameOf: (uid: string) => string;
  onBlock: (block: string) => void;
  /** Left out for those who may not change anything. */
  onReplace: ((finding: Finding) => void) | undefined;
  /** Words that are said to be no terms, and the place of one in words. */
  noTerms: readonly NoTerm[];
  placeName: (one: NoTerm) => string;
  /** Says that words are no term, or takes it back; left out for those who may not change anything. */
  onNoTerm: ((one: NoTerm, says: boolean) => void) | undefined;
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
            {finding.exchange && onReplace && (
              <button type="button" onClick={() => onReplace(finding)}>
                Use {finding.exchange.to}
              </button>
            )}
            {finding.holds && onReplace && (
              <button type="button" onClick={() => onReplace(finding)}>
                It holds
              </button>
            )}
            {finding.noTerm && onNoTerm && (
              <button type="button" onClick={() => finding.noTerm && onNoTerm(finding.noTerm, true)}>
                {finding.noTerm.at === EVERYWHERE ? 'No term' : 'No term here'}
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
      {noTerms.length > 0 && (
        <>
          <h2 id="no-terms">Words that are no terms</h2>
          <ul aria-labelledby="no-terms">
            {noTerms.map((one) => (
              <li key={`${one.at} ${one.words}`}>
                <span>
                  <b>{one.words}</b> {placeName(one)}
                </span>
                {onNoTerm && (
                  <button
                    type="button"
                    aria-label={`Check again: ${one.words}`}
                    onClick={() => onNoTerm(one, false)}
                  >
                    Check again
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
