import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineProxy, startProxy } from '../../../../test/support/proxy.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startNats } from '../../../../tools/engines/nats.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import type { StopChange } from '../stops/stop.ts';
import { dropSubject, stopSubject } from './link-dropper.ts';
import { createEar, createNatsBus } from './nats-bus.ts';

let engine: Engine;
let proxy: EngineProxy;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  engine = await startNats();
  proxy = await startProxy(engine.port);
});
afterAll(async () => {
  for (const close of closers) await close();
  proxy.close();
  await engine.remove();
});

async function connected(port: number): Promise<Nats> {
  const nats = createNats(`nats://127.0.0.1:${port}`);
  closers.push(() => nats.close(100));
  await nats.whenConnected(AbortSignal.timeout(10_000));
  return nats;
}

function listen(nats: Nats, id: string) {
  const dropped: string[] = [];
  const applied: StopChange[] = [];
  const ear = createEar(nats, id, {
    drop: keys => dropped.push(...keys),
    apply: changes => applied.push(...changes),
  });
  closers.push(() => ear.stop());
  return { ear, dropped, applied };
}

/** Who answers to what is told. */
async function answersTo(
  nats: Nats,
  told: readonly (string | StopChange)[],
  count: number,
  subject = dropSubject,
): Promise<string[]> {
  const answers: string[] = [];
  const question = createNatsBus(nats).ask(subject, JSON.stringify(told), id => answers.push(id));
  await waitUntil('the answers are there', () => answers.length === count);
  question!.stop();
  return answers;
}

describe('who listens', () => {
  test('drops what it is told to, takes over what is stopped, and answers once for each', async () => {
    const { ear, dropped, applied } = listen(await connected(engine.port), 'one');
    await waitUntil('it hears', () => ear.isHearing());
    expect(await answersTo(await connected(engine.port), ['menu', 'wine'], 1)).toEqual(['one']);
    expect(dropped).toEqual(['menu', 'wine']);
    const changes = [{ subject: 'account/a', reason: 'held', n: 4 }] as const;
    expect(await answersTo(await connected(engine.port), changes, 1, stopSubject)).toEqual(['one']);
    expect(applied).toEqual(changes);
    ear.stop();
  });

  test('counts a loss when the connection breaks, and hears again when it is back', async () => {
    const { ear } = listen(await connected(proxy.port), 'two');
    await waitUntil('it hears', () => ear.isHearing());
    expect(ear.losses()).toBe(0);
    proxy.cut();
    await waitUntil('it has noticed', () => !ear.isHearing() && ear.losses() > 0);
    await waitUntil('it hears again', () => ear.isHearing());
    const answers = await answersTo(await connected(engine.port), ['menu'], 2);
    expect(answers.sort()).toEqual(['one', 'two']);
  });

  test('hears all the same where NATS was silent while the subscription was to be confirmed', async () => {
    const nats = await connected(engine.port);
    engine.freeze();
    const { ear } = listen(nats, 'three');
    setTimeout(() => engine.thaw(), 2500);
    await waitUntil('it hears', () => ear.isHearing(), { timeoutMs: 20_000 });
    expect(await answersTo(nats, ['menu'], 3)).toContain('three');
  });
});

test('a question over a connection that was closed a moment ago is not asked, and does not fail', async () => {
  const nats = await connected(engine.port);
  const connection = nats.connection()!;
  await connection.close();
  expect(createNatsBus({ connection: () => connection }).ask(dropSubject, '[]', () => {})).toBeNull();
});
