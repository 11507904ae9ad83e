// Builds the application into `dist`: `node build.mjs [--watch] [--sdk=official] [--out=DIR]`.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bootBundle, entryOutputs, PAGE_ENTRIES, pageBundle, workerBundle } from './build/bundle.mjs';
import { writeBrotli } from './build/compress.mjs';
import { writeGameIcons } from './build/game-icons.mjs';
import { buildHeadless } from './build/headless.mjs';
import { writeNotices } from './build/notices.mjs';
import { readOptions } from './build/options.mjs';
import { sizeReport } from './build/report.mjs';
import { writeSampleTable } from './build/sample-table.mjs';
import { writeFontPack, writeFonts } from './scripts/fonts.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const options = { root, ...readOptions(process.argv.slice(2)) };
const dist = path.join(root, options.outDir);

/** Fonts of the first paint: preloaded, so that text does not jump. */
const PRELOADED_FONTS = ['inter-latin-400-normal', 'inter-latin-600-normal', 'lora-latin-600-normal'];

/** Each bundle of a page, and the page's template, which is also its name. */
const PAGES = { app: 'index.html', console: 'console.html' };

function writePage(name, bundle, boot) {
  const page = PAGES[name];
  const fonts = Object.keys(bundle.metafile.outputs).filter((file) =>
    PRELOADED_FONTS.some((font) => path.basename(file).startsWith(font) && file.endsWith('.woff2')),
  );
  const entry = entryOutputs(bundle, root, options.outDir).get(PAGE_ENTRIES[name]);
  const theme = entryOutputs(boot, root, options.outDir).get('src/app/boot.ts');
  const url = (file) => `/${path.relative(dist, path.join(root, file))}`;
  const code = bundle.metafile.outputs[path.join(options.outDir, entry.js)].imports;
  const preloads = [
    ...code
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path: file }) => `<link rel="modulepreload" href="${url(file)}" />`),
    ...fonts.map(
      (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url(file)}" />`,
    ),
  ];
  const html = readFileSync(path.join(root, page), 'utf8')
    .replace('{{preloads}}', preloads.join('\n    '))
    .replace('{{css}}', `/${entry.css}`)
    .replace('{{js}}', `/${entry.js}`)
    .replace('{{boot}}', `/${theme.js}`)
    .replace('{{icon}}', '/icon.svg');
  writeFileSync(path.join(dist, page), html);
}

/** esbuild writes the styles of lazy modules once more beside each of them; the entry's have them all. */
function removeLazyStyles({ metafile }) {
  for (const { entryPoint, cssBundle } of Object.values(metafile.outputs)) {
    if (cssBundle && !Object.values(PAGE_ENTRIES).includes(entryPoint))
      rmSync(path.join(root, cssBundle), { force: true });
  }
}

const writeIcon = () => copyFileSync(path.join(root, 'src/ui/theme/icon.svg'), path.join(dist, 'icon.svg'));

function workerUrls(workers) {
  const urls = {};
  for (const [source, output] of entryOutputs(workers, root, options.outDir)) {
    urls[path.basename(source).replace('.worker.ts', '')] = `/${output.js}`;
  }
  return urls;
}

async function buildOnce() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await writeFonts(path.join(dist, 'fonts'));
  writeFontPack(path.join(dist, 'fonts/cjk'));
  writeGameIcons(root, options.outDir);
  const workers = await esbuild.build(workerBundle(options));
  const urls = workerUrls(workers);
  const [app, consolePage, boot] = await Promise.all([
    esbuild.build(pageBundle(options, 'app', urls, version)),
    esbuild.build(pageBundle(options, 'console', urls, version)),
    esbuild.build(bootBundle(options)),
  ]);
  writePage('app', app, boot);
  writePage('console', consolePage, boot);
  for (const page of [app, consolePage]) removeLazyStyles(page);
  writeIcon();
  const headless = await buildHeadless(options);
  // Firebase's own packages never ship: they are only a means of comparison.
  if (!options.official) {
    writeNotices({
      root,
      dist,
      metafiles: [workers, app, consolePage, boot, headless].map(({ metafile }) => metafile),
    });
  }
  await writeSampleTable({ root, dist });
  writeBrotli(dist, path.join(root, 'node_modules/.cache/brotli'));
  const over = sizeReport({ metafile: app.metafile, root });
  // The budgets are the product's; the official package is only ever a means of comparison.
  if (over.length > 0 && !options.official) {
    console.error(over.join('\n'));
    process.exitCode = 1;
  }
}

/** Watch mode keeps names stable, so worker URLs are known before the workers are built. */
async function watch() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const workerConfig = workerBundle(options);
  const urls = Object.fromEntries(
    Object.keys(workerConfig.entryPoints).map((name) => [path.basename(name), `/${name}.js`]),
  );
  await writeFonts(path.join(dist, 'fonts'));
  writeFontPack(path.join(dist, 'fonts/cjk'));
  writeGameIcons(root, options.outDir);
  const boot = await esbuild.build(bootBundle(options));
  writeIcon();
  const pageWriter = (name) => ({
    name: 'page-writer',
    setup(build) {
      build.onEnd((result) => {
        if (result.errors.length === 0) {
          writePage(name, result, boot);
          console.log(`built ${PAGES[name]} ${new Date().toLocaleTimeString()}`);
        }
      });
    },
  });
  const pageContext = (name) => {
    const bundle = pageBundle(options, name, urls, version);
    return esbuild.context({ ...bundle, plugins: [...bundle.plugins, pageWriter(name)] });
  };
  const contexts = await Promise.all([esbuild.context(workerConfig), ...Object.keys(PAGES).map(pageContext)]);
  // Built once: the server exports decks and opens sample tables while one works on the pages.
  await buildHeadless(options);
  await writeSampleTable({ root, dist });
  await Promise.all(contexts.map((context) => context.watch()));
}

if (!existsSync(path.join(root, 'node_modules'))) {
  console.error('client/node_modules is missing: run `npm ci` in client/ first.');
  process.exit(1);
}
await (options.watch ? watch() : buildOnce());
