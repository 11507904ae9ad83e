/** Names that people chose stand in sentences so that none moves what is beside it. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..');

/** Names made of names: they are stored, and isolated where they are shown. */
const MADE = new Set([
  `\`Track along \${path.name}\``,
  `\`\${component.name} back\``,
  `\`\${scene.name} copy\``,
  `\`\${badge.name} disc\``,
  `\`\${scene.name}, a variant\``,
  `\`\${layout.name}, drawn by its steepness\``,
  `\`\${name || 'Unknown browser'} on \${os.name}\``,
  `\`\${name} (\${component.name}\${count === 1 ? '' : \``,
]);

const TEMPLATE = /`(?:[^`\\]|\\.)*`/g;
/** The name of something in a template: `${project.name}`. */
const NAME =
  /\$\{[A-Za-z_$][\w$]*(?:\??\.[\w$]+|\[\d\])*\??\.(?:name|title|displayName|deckName|invitedBy|authorName)(?: (?:\?\?|\|\|) '[^']*')?\}/;
/** The name of something in a line of words of a page. */
const NAME_IN_PAGE =
  /^ +["“]?[A-Z][a-z]*(?: [^<>{}=;()]*)? \{[a-zA-Z.?]*(?:project|component|layout|parent|card|own|existing|rulebook|member)\??\.(?:name|title)\}/;

function sources(): string[] {
  return ['app', 'data'].flatMap((folder) =>
    readdirSync(path.join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => path.join(folder, name)),
  );
}

/** True if a template is a sentence or a part of one: it has words beside what is put in. */
function isSentence(template: string): boolean {
  const words = template.replace(/\$\{[^}]*\}/g, '');
  return /[A-Za-z]{2,} |\s[a-z]{2,}| “|“|^`[A-Z][a-z]+ /.test(words);
}

test('each name in a sentence is isolated', () => {
  const open = sources().flatMap((file) => {
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    const templates = text.match(TEMPLATE) ?? [];
    const inStrings = templates.filter(
      (template) => isSentence(template) && NAME.test(template) && !MADE.has(template),
    );
    const inPages = text.split('\n').filter((line) => NAME_IN_PAGE.test(line));
    return [...inStrings, ...inPages].map((found) => `${file}: ${found.trim()}`);
  });
  expect(open).toEqual([]);
});

test('and the names that are made of names are still there', () => {
  const all = sources().flatMap(
    (file) => readFileSync(path.join(SOURCES, file), 'utf8').match(TEMPLATE) ?? [],
  );
  expect([...MADE].filter((template) => !all.includes(template))).toEqual([]);
});
