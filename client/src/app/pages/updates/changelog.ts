/** One release and what it brought. */
export interface Release {
  /** A semantic version, or `Unreleased` for what the next one brings. */
  readonly version: string;
  /** ISO date; of what is not released there is none. */
  readonly date?: string;
  readonly title: string;
  /** In the marks of `prose/parse.ts`, a line each. */
  readonly changes: readonly string[];
}

const HEADING = /^## (Unreleased|\d+\.\d+\.\d+)(?: \((\d{4}-\d{2}-\d{2})\))?(?:: (.+))?$/;

/**
 * The releases of `CHANGELOG.md`, in its order: `## VERSION (DATE): TITLE`, then a list. An item may go on in lines that
 * are indented by two spaces. What stands before the first release belongs to none. Throws for a line of a release that
 * is none of these, with its number.
 */
export function parseChangelog(text: string): readonly Release[] {
  const releases: { version: string; date?: string; title: string; changes: string[] }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const current = releases.at(-1);
    const [, version, date, title] = HEADING.exec(line) ?? [];
    if (version) releases.push({ version, ...(date && { date }), title: title ?? '', changes: [] });
    else if (!current || line === '') continue;
    else if (line.startsWith('- ')) current.changes.push(line.slice(2));
    else if (line.startsWith('  ') && current.changes.length > 0)
      current.changes.push(`${current.changes.pop()} ${line.trim()}`);
    else throw new Error(`CHANGELOG.md:${index + 1}: neither a release nor an item of one: ${line}`);
  }
  return releases;
}
