/**
 * Runs the tests of public projects against Tuckbox, or against the official suite, as their own instructions say.
 *
 *   node suites/public/run.mjs FOLDER [--side tuckbox|official|both] [--install] [NAME…]
 *
 * FOLDER has checkouts of the repositories in projects.mjs, each in a folder of its name; others are left out. With
 * `--install` their packages are installed before. The official suite is the command that FIREBASE_TOOLS names. Output of
 * each project is kept in FOLDER/logs. Ends with a table, and `N passed, N failed` of Tuckbox.
 */

import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { counts } from './counts.mjs';
import { programs, replaceOwn } from './programs.mjs';
import { PROJECTS } from './projects.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    side: { type: 'string', default: 'tuckbox' },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** A project's tests end after so many minutes at the latest. */
const MOST_MINUTES = 15;
const MINUTE_MS = 60_000;
/** Last characters of a failed command's output that are printed. */
const MOST_PRINTED = 1500;

/** Exit code of a program that a signal interrupted, as shells have it. */
const INTERRUPTED = 130;
/** True after Ctrl-C: what runs is ended, what was replaced is put back, and nothing else begins. */
let interrupted = false;
/** Ends the command that runs. */
let stopRunning = () => {};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    stopRunning();
  });
}

/** Runs one command in a process group of its own; its exit code, with its output in `log`. */
async function command(line, cwd, env, log) {
  if (interrupted) return INTERRUPTED;
  const out = createWriteStream(log, { flags: 'a' });
  out.write(`$ ${line}\n`);
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  stopRunning = stop;
  const timer = setTimeout(stop, MOST_MINUTES * MINUTE_MS);
  const code = await new Promise((done) => child.once('close', (status) => done(status ?? 1)));
  clearTimeout(timer);
  stop();
  stopRunning = () => {};
  await new Promise((done) => out.end(done));
  return code;
}

/** Installs a project's packages. */
async function install(project, checkout, log) {
  for (const [folder, line] of project.install ?? []) {
    const code = await command(
      line,
      path.join(checkout, folder),
      { ...process.env, CI: '1', HUSKY: '0' },
      log,
    );
    if (code !== 0) throw new Error(`"${line}" ended with ${code}; see ${log}`);
  }
}

/** Runs a project's tests with the programs of one side. */
async function test(project, checkout, side, log) {
  rmSync(log, { force: true });
  const env = { ...process.env, ...side.env, ...project.env, CI: '1' };
  const restore = replaceOwn(checkout, path.join(side.folder, 'firebase'));
  try {
    const cwd = path.join(checkout, project.at ?? '.');
    if (project.build) {
      const code = await command(project.build, cwd, env, log);
      if (code !== 0) return { passed: 0, failed: 0, files: 0, code, seconds: 0 };
      rmSync(log, { force: true });
    }
    const start = performance.now();
    const code = await command(project.test, cwd, env, log);
    const seconds = Math.round((performance.now() - start) / 1000);
    return { ...counts(readFileSync(log, 'utf8')), code, seconds };
  } finally {
    restore();
  }
}

/** Files that fail before their tests run, and a command that fails without a test, count too: they cannot look like success. */
const failures = ({ failed, files, code }) => (failed === 0 && code !== 0 ? Math.max(1, files) : failed);

const shown = (result) =>
  result === undefined ? '–' : `${result.passed}/${failures(result)} (${result.seconds} s)`;

function sidesOf(asked, root) {
  const names = asked === 'both' ? ['tuckbox', 'official'] : [asked];
  return names.map((name) => {
    const folder = path.join(root, 'programs', name);
    rmSync(folder, { recursive: true, force: true });
    const side = { ...programs(name, folder), folder, side: name };
    for (const note of side.notes) console.log(`${side.name}: ${note}`);
    return side;
  });
}

async function main() {
  const [given, ...names] = positionals;
  if (given === undefined) throw new Error('say in which folder the checkouts are');
  const root = path.resolve(given);
  const logs = path.join(root, 'logs');
  mkdirSync(logs, { recursive: true });
  const sides = sidesOf(options.side, root);
  const rows = [];
  for (const [name, project] of Object.entries(PROJECTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const checkout = path.join(root, name);
    if (!existsSync(checkout)) {
      console.log(`${name} is not in ${root}: ${project.repository}`);
      continue;
    }
    if (interrupted) break;
    if (options.install) await install(project, checkout, path.join(logs, `${name}.install.log`));
    const row = { name, project };
    for (const side of sides) {
      const log = path.join(logs, `${name}.${side.side}.log`);
      const result = await test(project, checkout, side, log);
      if (interrupted) break;
      row[side.side] = result;
      console.log(
        `${name}, ${side.name}: ${result.passed} passed, ${failures(result)} failed (${result.seconds} s)`,
      );
      if (result.passed + result.failed === 0) console.log(readFileSync(log, 'utf8').slice(-MOST_PRINTED));
    }
    rows.push(row);
  }
  console.log('\n| Project | Tuckbox | official suite | not in Tuckbox |\n| --- | --- | --- | --- |');
  for (const { name, project, tuckbox, official } of rows)
    console.log(
      `| ${name} | ${shown(tuckbox)} | ${shown(official)} | ${(project.lacking ?? []).join(', ')} |`,
    );
  const ours = rows.flatMap((row) => row.tuckbox ?? []);
  const passed = ours.reduce((sum, result) => sum + result.passed, 0);
  const failed = ours.reduce((sum, result) => sum + failures(result), 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = interrupted ? INTERRUPTED : failed > 0 ? 1 : 0;
}

await main();
