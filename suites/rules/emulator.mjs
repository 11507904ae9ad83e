// Google's Firestore emulator as a second opinion: starts it on a free loopback port and asks it over REST.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { freePort } from '../shared/free-port.mjs';

const JAR = '/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar';
const MAIN = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';
const READY_WITHIN_MS = 60_000;

function unsignedToken(claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

export class Emulator {
  #process;
  #base;

  /** The emulator, or `undefined` with the reason printed where the machine has none. */
  static async start() {
    if (!existsSync(JAR)) {
      console.log(`no emulator at ${JAR} (Debian package google-cloud-cli-firestore-emulator)`);
      return undefined;
    }
    const emulator = new Emulator();
    const port = await freePort();
    emulator.#base = `http://127.0.0.1:${port}`;
    const args = ['-Xmx600m', '-XX:TieredStopAtLevel=1', '-Duser.language=en', '-cp', JAR, MAIN];
    emulator.#process = spawn('java', [...args, '--host=127.0.0.1', `--port=${port}`], { stdio: 'ignore' });
    let failed;
    emulator.#process.on('error', (error) => {
      failed = error;
    });
    emulator.#process.on('exit', (code) => {
      failed ??= new Error(`the emulator ended with ${code}`);
    });
    const end = Date.now() + READY_WITHIN_MS;
    while (Date.now() < end && failed === undefined) {
      try {
        await fetch(emulator.#base);
        return emulator;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    emulator.stop();
    console.log(`the emulator did not start: ${failed ?? 'no answer'}`);
    return undefined;
  }

  stop() {
    this.#process.removeAllListeners('exit');
    this.#process.kill();
  }

  async #call(method, path, body, token) {
    const headers = { 'content-type': 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const init = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(this.#base + path, init);
    const text = await response.text();
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      json = { error: { message: text } };
    }
    return { status: response.status, json };
  }

  /** Sets a project's rules. Gives the error text if they are refused. */
  async setRules(project, content) {
    const files = [{ name: 'firestore.rules', content }];
    const path = `/emulator/v1/projects/${project}:securityRules`;
    const { status, json } = await this.#call('PUT', path, { rules: { files } }, 'owner');
    return status === 200 ? undefined : (json.error?.message ?? JSON.stringify(json));
  }

  async coverage(project) {
    const { json } = await this.#call(
      'GET',
      `/emulator/v1/projects/${project}:ruleCoverage`,
      undefined,
      'owner',
    );
    return json;
  }

  /** Answers a case of `corpus.mjs`: `{ verdict, message? }`. */
  async answer(project, { rules, data, auth, op }) {
    const refused = await this.setRules(project, rules);
    if (refused !== undefined) return { verdict: 'invalid', message: refused };
    const documents = `/v1/projects/${project}/databases/(default)/documents`;
    const name = (path) => `projects/${project}/databases/(default)/documents/${path}`;
    const write = (path, fields) => ({ update: { name: name(path), fields: relocate(fields, project) } });
    const writes = Object.entries(data).map(([path, fields]) => write(path, fields));
    if (writes.length > 0) {
      const { status, json } = await this.#call('POST', `${documents}:commit`, { writes }, 'owner');
      if (status !== 200) throw new Error(`the data is refused: ${JSON.stringify(json)}`);
    }
    const token = auth === null ? undefined : unsignedToken(auth);
    if (op.get !== undefined)
      return verdict(await this.#call('GET', `${documents}/${op.get}`, undefined, token));
    if (op.list !== undefined) return verdict(await this.#query(documents, op, project, token));
    const all = op.commit.map((w) =>
      w.set === undefined ? { delete: name(w.delete) } : write(w.set, w.fields),
    );
    return verdict(await this.#call('POST', `${documents}:commit`, { writes: all }, token));
  }

  async #query(documents, op, project, token) {
    const segments = op.list.split('/');
    const collectionId = segments.pop();
    const parent = segments.length === 0 ? '' : `/${segments.join('/')}`;
    const structuredQuery = { from: [{ collectionId, allDescendants: op.group === true }] };
    const filters = (op.where ?? []).map(([fieldPath, operator, value]) => ({
      fieldFilter: { field: { fieldPath }, op: operator, value: relocate({ value }, project).value },
    }));
    if (filters.length === 1) structuredQuery.where = filters[0];
    if (filters.length > 1) structuredQuery.where = { compositeFilter: { op: 'AND', filters } };
    if (op.limit !== undefined) structuredQuery.limit = op.limit;
    if (op.offset !== undefined) structuredQuery.offset = op.offset;
    if (op.orderBy !== undefined) {
      const directions = { ASC: 'ASCENDING', DESC: 'DESCENDING' };
      structuredQuery.orderBy = op.orderBy.map(([fieldPath, way]) => ({
        field: { fieldPath },
        direction: directions[way],
      }));
    }
    const answer = await this.#call('POST', `${documents}${parent}:runQuery`, { structuredQuery }, token);
    return Array.isArray(answer.json) ? { status: answer.status, json: answer.json[0] ?? {} } : answer;
  }
}

/** References are written for a project called `p`; a stored one names the project it is in. */
function relocate(fields, project) {
  const text = JSON.stringify(fields ?? {});
  return JSON.parse(text.replaceAll('"projects/p/', `"projects/${project}/`));
}

function verdict({ status, json }) {
  // A read that is allowed and finds nothing answers 404.
  if (status === 200 || status === 404) return { verdict: 'allow' };
  if (status === 403) return { verdict: 'deny', message: json.error?.message };
  return { verdict: `status ${status}`, message: json.error?.message };
}
