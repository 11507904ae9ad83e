/** The real `tuckbox` binary as a child process, for tests that kill and restart it. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServer, startTuckbox, TUCKBOX } from '../../suites/shared/program.mjs';

/** The server's program. */
export const BINARY = TUCKBOX;
const run = promisify(execFile);

export const PROJECT = 'demo-tuckbox';

export class Server {
  /** The hosting origin, the same after every restart. */
  origin = '';
  /** The server's log, for the report of a failed test. */
  readonly log: string[] = [];
  #running: RunningServer | undefined;
  /** The public URL where it has a name on this machine. */
  #named: string | undefined;

  private constructor(
    readonly dataDir: string,
    readonly mode: 'serving' | 'emulator',
  ) {}

  /** Starts a server on an empty data folder of its own and any free port; `config` is its firebase.json. */
  static async start(config: object = {}, mode: 'serving' | 'emulator' = 'serving'): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), 'tuckbox-e2e-')), mode);
    await writeFile(join(server.dataDir, 'firebase.json'), JSON.stringify(config));
    await server.#spawn('0');
    return server;
  }

  /** Starts a server on a data folder that is there already. */
  static async open(dataDir: string, mode: 'serving' | 'emulator'): Promise<Server> {
    const server = new Server(dataDir, mode);
    await server.#spawn('0');
    return server;
  }

  /** Kills the process as a power button would: no signal handler runs. */
  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Starts it again on the same data and the same port. */
  async restart(): Promise<void> {
    await this.#spawn(new URL(this.origin).port);
  }

  /** Starts it again under a name, `localhost`, as its public URL: what belongs to a name, as passkeys do, needs one. */
  async name(): Promise<void> {
    await this.#end('SIGTERM');
    const { port } = new URL(this.origin);
    this.#named = `http://localhost:${port}`;
    await this.#spawn(port);
  }

  /** Makes the account with this address an admin, as an operator does: while the server is stopped. */
  async grantAdmin(email: string): Promise<void> {
    await this.#end('SIGTERM');
    const args = ['admin', '--data', this.dataDir, '--project', PROJECT, 'grant', email];
    await run(BINARY, args, { cwd: this.dataDir });
    await this.restart();
  }

  /** Makes a backup beside the running server. Returns its folder, which goes with the data. */
  async backUp(): Promise<string> {
    const args = ['backup', this.#backups, '--data', this.dataDir, '--project', PROJECT];
    await run(BINARY, args, { cwd: this.dataDir });
    return this.#backups;
  }

  /** Puts the last backup in place of the data, and starts again: what was written since is lost. */
  async restoreBackup(): Promise<void> {
    await this.#end('SIGTERM');
    const config = await readFile(join(this.dataDir, 'firebase.json'), 'utf8');
    await rm(this.dataDir, { recursive: true });
    await run(BINARY, ['restore', this.#backups, '--into', this.dataDir, '--project', PROJECT]);
    await writeFile(join(this.dataDir, 'firebase.json'), config);
    await this.restart();
  }

  /** Dates the last backup back, while the server is stopped. */
  async ageBackup(days: number): Promise<void> {
    await this.#end('SIGTERM');
    const file = join(this.dataDir, 'backup.json');
    const last = JSON.parse(await readFile(file, 'utf8')) as { time: number };
    await writeFile(file, JSON.stringify({ ...last, time: last.time - days * 86_400_000_000 }));
    await this.restart();
  }

  get #backups(): string {
    return `${this.dataDir}-backups`;
  }

  /** The link in the newest mail to an address, as the operator of a server without a mail server sees it. */
  async linkTo(email: string): Promise<string> {
    const args = ['outbox', '--data', this.dataDir, '--project', PROJECT, '--to', email, '--json'];
    const { stdout } = await run(BINARY, args, { cwd: this.dataDir });
    const newest = stdout.trim().split('\n').at(-1);
    if (!newest) throw new Error(`no mail to ${email}`);
    const { oobLink } = JSON.parse(newest) as { oobLink: string };
    return oobLink;
  }

  /** Stops it politely and leaves its data. */
  async end(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Stops it politely and removes its data. */
  async stop(): Promise<void> {
    await this.end();
    await rm(this.dataDir, { recursive: true, force: true });
    await rm(this.#backups, { recursive: true, force: true });
  }

  async #spawn(port: string): Promise<void> {
    const args = [
      'serve',
      '--data',
      this.dataDir,
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--project',
      PROJECT,
      '--mode',
      this.mode,
      ...(this.#named ? ['--public-url', this.#named] : []),
    ];
    this.#running = await startTuckbox(args, { cwd: this.dataDir, onLog: (line) => this.log.push(line) });
    this.origin = this.#named ?? this.#running.origin;
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#running?.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await this.#running?.stop(signal);
  }
}
