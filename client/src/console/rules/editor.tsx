import { useEffect, useRef } from 'react';
import { type LineResult, lineOffsets } from './report.ts';
import css from './rules.module.css';
import type { Issue } from './trial.ts';

/** The rules' text with what each line came to beside it. */
export function Editor({
  text,
  results,
  issues,
  line,
  onChange,
  onRun,
}: {
  text: string;
  results: ReadonlyMap<number, LineResult>;
  issues: readonly Issue[];
  /** The line to go to, and how often it was asked for. */
  line: { readonly number: number } | undefined;
  onChange: (text: string) => void;
  onRun: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n');
  useEffect(() => {
    const [start, end] = (line && lineOffsets(area.current?.value ?? '', line.number)) ?? [];
    if (start === undefined || end === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  }, [line]);
  return (
    <div className={css.editor}>
      <ol className={css.gutter} aria-hidden>
        {lines.map((_, i) => {
          const result = results.get(i + 1);
          const issue = issues.find((found) => found.line === i + 1);
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              key={i}
              data-result={issue ? 'issue' : result?.tone}
              title={issue?.message ?? result?.text}
            >
              {i + 1}
            </li>
          );
        })}
      </ol>
      <textarea
        ref={area}
        aria-label="Rules"
        spellCheck={false}
        rows={lines.length + 1}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onRun();
          }
        }}
      />
    </div>
  );
}
