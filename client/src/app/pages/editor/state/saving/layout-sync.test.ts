import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameDocument } from '../../../../../core/scene/changes/same-document.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { EditorModel } from '../editor-store.ts';
import { LayoutSync, type StoredLayout } from './layout-sync.ts';

const BOX = { x: 0, y: 0, w: 10, h: 10 };

function start(): Layout {
  const layout = newLayout('Start');
  layout.zones = ['a', 'b', 'c'].map((id) => newZone('shape', id, id, BOX));
  return layout;
}

/** A store that runs a transaction's steps one at a time, as the test lets it. */
class Server {
  stored: StoredLayout = { scene: start(), revision: 0 };

  /** Objects sent over the wire are never shared with the stored ones. */
  read(): StoredLayout {
    return structuredClone(this.stored);
  }
}

class Tab {
  readonly model: EditorModel;
  readonly sync: LayoutSync;
  readonly #server: Server;
  /** Called between a transaction's read and its commit. */
  meanwhile: () => void = () => {};

  constructor(server: Server) {
    this.#server = server;
    const first = server.read();
    this.model = new EditorModel(first.scene);
    this.sync = new LayoutSync(
      first,
      async (make) => {
        for (;;) {
          const read = server.read();
          const scene = make(read);
          this.meanwhile();
          if (server.stored.revision !== read.revision) continue;
          const written = { scene, revision: read.revision + 1 };
          server.stored = structuredClone(written);
          return written;
        }
      },
      { read: () => this.model.state.scene, takeOver: (scene) => this.model.takeOver(scene) },
    );
  }

  set(id: string, x: number): void {
    this.model.actOn(id, (zone) => {
      zone.x = x;
    });
  }

  x(id: string): number | undefined {
    return this.model.state.scene.zones.find((zone) => zone.id === id)?.x;
  }

  save(): Promise<void> {
    return this.sync.save(this.model.state.scene);
  }

  hear(): void {
    this.sync.arrived(this.#server.read());
  }
}

describe('two editors of one layout', () => {
  test('undo takes back one’s own act and leaves the other’s', async () => {
    const server = new Server();
    const [one, two] = [new Tab(server), new Tab(server)];
    one.set('a', 1);
    await one.save();
    two.hear();
    two.set('b', 2);
    await two.save();
    one.hear();
    expect([one.x('a'), one.x('b')]).toEqual([1, 2]);
    one.model.undo();
    expect([one.x('a'), one.x('b')]).toEqual([0, 2]);
    one.model.redo();
    expect([one.x('a'), one.x('b')]).toEqual([1, 2]);
    expect(two.model.state.canUndo).toBe(true);
    two.model.undo();
    expect([two.x('a'), two.x('b')]).toEqual([1, 0]);
  });

  test('undo of what somebody else has changed since leaves their value', async () => {
    const server = new Server();
    const [one, two] = [new Tab(server), new Tab(server)];
    one.set('a', 1);
    await one.save();
    two.hear();
    two.set('a', 7);
    await two.save();
    one.hear();
    one.model.undo();
    expect(one.x('a')).toBe(7);
  });

  test('a save does not overwrite what it has not seen, even when somebody is faster', async () => {
    const server = new Server();
    const [one, two] = [new Tab(server), new Tab(server)];
    one.set('a', 1);
    two.set('b', 2);
    await two.save();
    let interrupted = false;
    one.meanwhile = () => {
      if (interrupted) return;
      interrupted = true;
      server.stored = {
        scene: { ...server.stored.scene, name: 'Changed meanwhile' },
        revision: server.stored.revision + 1,
      };
    };
    await one.save();
    expect([one.x('a'), one.x('b'), one.model.state.scene.name]).toEqual([1, 2, 'Changed meanwhile']);
    expect(sameDocument(server.stored.scene, one.model.state.scene)).toBe(true);
    expect(one.sync.isStored(one.model.state.scene)).toBe(true);
  });

  test('old news, which a slow stream brings after a save, change nothing', async () => {
    const server = new Server();
    const one = new Tab(server);
    const old = server.read();
    one.set('a', 1);
    await one.save();
    one.sync.arrived(old);
    expect(one.x('a')).toBe(1);
  });

  test('a drag goes on while others change the layout', () => {
    const server = new Server();
    const one = new Tab(server);
    one.model.select('a');
    one.model.showPreview({ a: { ...BOX, rotation: 0, x: 3 } });
    const scene = server.read().scene;
    scene.zones.pop();
    one.sync.arrived({ scene, revision: 1 });
    expect(one.model.state.preview).toHaveProperty('a');
    one.model.commitPreview();
    expect(one.x('a')).toBe(3);
    expect(one.x('c')).toBeUndefined();
  });

  test('whatever they do in whatever order, all come to one document', async () => {
    const step = fc.record({
      tab: fc.nat(2),
      what: fc.constantFrom('edit', 'edit', 'add', 'drop', 'undo', 'redo', 'save', 'hear'),
      id: fc.constantFrom('a', 'b', 'c'),
      n: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const server = new Server();
        const tabs = [new Tab(server), new Tab(server), new Tab(server)];
        for (const [at, { tab, what, id, n }] of steps.entries()) {
          const who = tabs[tab] as Tab;
          if (what === 'edit') who.set(id, n + 1);
          else if (what === 'add')
            who.model.act((scene) => void scene.zones.push(newZone('shape', `n${at}`, 'New', BOX)));
          else if (what === 'drop')
            who.model.act((scene) => {
              scene.zones = scene.zones.filter((zone) => zone.id !== id);
            });
          else if (what === 'undo') who.model.undo();
          else if (what === 'redo') who.model.redo();
          else if (what === 'save') await who.save();
          else who.hear();
        }
        for (const tab of tabs) await tab.save();
        for (const tab of tabs) tab.hear();
        for (const tab of tabs) {
          expect(sameDocument(tab.model.state.scene, server.stored.scene)).toBe(true);
          expect(tab.sync.isStored(tab.model.state.scene)).toBe(true);
        }
      }),
    );
  });
});
