import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EAST_ASIAN } from '../scripts/font-families.mjs';

/** Files of a package that its licence asks to pass on. */
const LEGAL_FILE = /^(un)?(licen[cs]e|copying|copyright|notice)([-._].*)?$/i;

/** Largest output of `cargo metadata`, in bytes. */
const METADATA_BYTES = 64 << 20;

/** Texts of the licences that a package without a licence file may name: the licence's own template. */
const TEMPLATES = {
  MIT: (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  '0BSD': (holder) => `BSD Zero Clause License

Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
  'BSD-3-Clause': (holder) => `BSD 3-Clause License

Copyright (c) ${holder}

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
  ISC: (holder) => `ISC License

Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/**
 * @typedef {{name: string, version: string, licence: string, texts: string[]}} Component
 * A library that ships, with the texts its licence asks to pass on.
 */

/** The texts in a package's folder, in the order of their names. With a choice that includes MIT, only MIT's. */
function legalTexts(folder, licence) {
  let files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LEGAL_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  if (/\bMIT\b.*(\bOR\b|\/)|(\bOR\b|\/).*\bMIT\b/i.test(licence)) {
    const mit = files.filter((name) => /mit/i.test(name));
    if (mit.length > 0) files = mit;
  }
  return files
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
    .filter((text) => text !== '');
}

/**
 * Describes one library.
 * @throws Error if it has neither a licence file nor a licence with a known text: nothing ships without its licence
 */
export function describe({ name, version, licence, holder, folder }) {
  const texts = legalTexts(folder, licence);
  if (texts.length === 0) {
    const known = Object.keys(TEMPLATES).find((id) => new RegExp(`\\b${id}\\b`).test(licence));
    if (known === undefined) {
      throw new Error(
        `${name} ${version} (${licence}) has no licence text: add one to client/build/notices.mjs.`,
      );
    }
    texts.push(TEMPLATES[known](holder || `the authors of ${name}`));
  }
  return { name, version, licence, texts };
}

const personName = (person) =>
  (typeof person === 'string' ? person : person?.name)?.replace(/\s*[<(].*$/, '');

/** The package that a source file of a bundle belongs to: the innermost folder of `node_modules`. */
export function packageOf(file) {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return folder;
}

/** The npm packages in the bundles, and `others` that are copied beside them. */
export function npmComponents(root, metafiles, others) {
  const folders = new Set(others.map((name) => path.join('node_modules', name)));
  for (const { inputs } of metafiles) {
    for (const file of Object.keys(inputs)) {
      const folder = packageOf(file);
      if (folder) folders.add(folder.slice(folder.indexOf('node_modules')));
    }
  }
  return [...folders].map((relative) => {
    const folder = path.join(root, relative);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const licence =
      typeof manifest.license === 'string' ? manifest.license : (manifest.license?.type ?? 'unknown');
    return describe({
      name: manifest.name,
      version: manifest.version,
      licence,
      holder: personName(manifest.author),
      folder,
    });
  });
}

/**
 * The crates of the server's program for this kind of machine, without those of its build and tests.
 * @throws Error if cargo is missing or fails
 */
export function crateComponents(root) {
  const cargo = (...args) =>
    execFileSync('cargo', args, { cwd: path.dirname(root), encoding: 'utf8', maxBuffer: METADATA_BYTES });
  // The tree knows the features of the program, the metadata where each crate is.
  const tree = ['tree', '--locked', '--package', 'functions-host', '--edges', 'normal'];
  const lines = cargo(...tree, '--prefix', 'none', '--format', '{p}').split('\n');
  const shipped = new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' ')));
  const { packages } = JSON.parse(cargo('metadata', '--locked', '--format-version', '1'));
  return packages
    .filter(({ name, version, source }) => source !== null && shipped.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path: manifest }) =>
      describe({
        name,
        version,
        licence: license ?? 'see the text',
        holder: authors.map(personName).join(', '),
        folder: path.dirname(manifest),
      }),
    );
}

/** Texts that differ in spaces and line breaks alone are one. */
const normal = (text) => text.replace(/\s+/g, ' ');

/** One text for all libraries: first the list of them, then each licence text once, with those it belongs to. */
export function noticesText(sections) {
  const label = ({ name, version }) => `${name} ${version}`;
  const lines = [
    'Third-party notices',
    '',
    'Tuckbox contains the libraries, fonts and icons below. Each is the work of its authors and has the licence named',
    'beside it; where a library offers several, it is used under the MIT licence if that is among them. The texts follow',
    'the list.',
  ];
  const texts = new Map();
  for (const { title, components } of sections) {
    const sorted = components.toSorted((a, b) => (label(a) < label(b) ? -1 : 1));
    lines.push('', title, '-'.repeat(title.length), '');
    for (const component of sorted) {
      lines.push(`${label(component)} (${component.licence})`);
      for (const text of component.texts) {
        const key = normal(text);
        const entry = texts.get(key) ?? { text, owners: [] };
        texts.set(key, entry);
        if (!entry.owners.includes(label(component))) entry.owners.push(label(component));
      }
    }
  }
  for (const { text, owners } of texts.values()) {
    lines.push('', '='.repeat(80), owners.join(', '), '='.repeat(80), '', text);
  }
  return `${lines.join('\n')}\n`;
}

const GAME_ICONS = '@iconify-json/game-icons';

/** The icon library, by its authors; the licence accepts its address in place of a copy. */
export function gameIcons(root) {
  const { version, license } = JSON.parse(
    readFileSync(path.join(root, 'node_modules', GAME_ICONS, 'package.json'), 'utf8'),
  );
  const authors = JSON.parse(readFileSync(path.join(root, 'assets/game-icon-authors.json'), 'utf8'));
  const names = authors.map(({ name, licence }) => (licence ? `${name} (${licence})` : name));
  const text = `Icons of game-icons.net by ${names.join(', ')}.

Where nothing else is said: Creative Commons Attribution 3.0 Unported, https://creativecommons.org/licenses/by/3.0/legalcode`;
  return { name: GAME_ICONS, version, licence: license, texts: [text] };
}

/** npm packages that ship as files and not in a bundle: fonts, those of the pack too, and the canvas of this machine. */
export function copiedPackages(root) {
  const fonts = ['fonts.json', 'font-library.json'].flatMap((file) =>
    JSON.parse(readFileSync(path.join(root, 'assets', file), 'utf8')).families.map(
      ({ id }) => `@fontsource/${id}`,
    ),
  );
  const packed = EAST_ASIAN.map((id) => `@fontsource-variable/${id}`);
  const canvas = readdirSync(path.join(root, 'node_modules/@napi-rs'))
    .filter((name) => name.startsWith('canvas'))
    .map((name) => `@napi-rs/${name}`);
  return [...fonts, ...packed, ...canvas];
}

/** Writes `third-party-notices.txt` for the finished bundles. */
export function writeNotices({ root, dist, metafiles }) {
  const sections = [
    {
      title: 'In the application',
      components: [...npmComponents(root, metafiles, copiedPackages(root)), gameIcons(root)],
    },
    { title: 'In the server', components: crateComponents(root) },
  ];
  writeFileSync(path.join(dist, 'third-party-notices.txt'), noticesText(sections));
}
