import { CircleCheck } from 'lucide-react';
import type { Finding } from '../../../../core/book/checks/checks.ts';
import type { NoTerm } from '../../../../core/book/document/schema.ts';
import { EVERYWHERE } from '../../../../core/book/references/no-terms.ts';
import type { TranslationFinding } from '../../../../core/book/translation/findings.ts';
import type { SkippedStep } from '../../../../data/rulebooks/sync.ts';
import css from '../rulebook.module.css';

/** Findings of the checks, each with its block, and the steps that nobody's editor takes. */
export function ChecksPane({
  findings,
  translations,
  onTranslation,
  skipped,
  nameOf,
  onBlock,
  onReplace,
  noTerms,
  placeName,
  onNoTerm,
}: {
  findings: readonly Finding[];
  /** Texts that are missing or stale in other languages, and the way to one. */
  translations: readonly TranslationFinding[];
  onTranslation: (finding: TranslationFinding) => void;
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
      {findings.length + skipped.length + translations.length === 0 && (
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
                Still correct
              </button>
            )}
            {finding.noTerm && onNoTerm && (
              <button type="button" onClick={() => finding.noTerm && onNoTerm(finding.noTerm, true)}>
                {finding.noTerm.at === EVERYWHERE ? 'Not a term' : 'Not a term here'}
              </button>
            )}
            {finding.block !== null && (
              <button type="button" onClick={() => onBlock(finding.block ?? '')}>
                Show
              </button>
            )}
          </li>
        ))}
        {translations.map((finding) => (
          <li key={`${finding.code} ${finding.message}`} data-code={finding.code}>
            <span>{finding.message}</span>
            <button type="button" onClick={() => onTranslation(finding)}>
              Translate
            </button>
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
          <h2 id="no-terms">Words that are not terms</h2>
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
