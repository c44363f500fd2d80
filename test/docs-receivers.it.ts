import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../apps/server/src/kernel/clock.ts';
import { createAddressGuard } from '../apps/server/src/webhooks/address-guard.ts';
import { createSender } from '../apps/server/src/webhooks/delivery/attempts/sender.ts';
import { sign } from '../apps/server/src/webhooks/delivery/attempts/signature.ts';
import { createHostResolver } from '../apps/server/src/webhooks/resolver.ts';
import { newSecret, showSecret } from '../apps/server/src/webhooks/secret.ts';

const examples = new URL('../docs/guides/examples/webhooks/', import.meta.url);
const resolver = createHostResolver(createAddressGuard(['127.0.0.1']));
const body = JSON.stringify({
  event: 'scan.created',
  timestamp: '2026-11-15T08:00:00.000Z',
  data: { qr_id: 'qr_1', scan_id: 'scan_1', country: 'DE', city: 'München', device: 'ios', is_unique: true },
});

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

async function start(command: string, file: string, secret: Buffer) {
  const port = await freePort();
  let output = '';
  child = spawn(command, [new URL(file, examples).pathname], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: showSecret(secret), PORT: String(port) },
  });
  child.stdout!.on('data', chunk => (output += chunk));
  child.stderr!.on('data', chunk => (output += chunk));
  await waitUntil('it listens', () => output.includes('listening'));
  return { url: `http://127.0.0.1:${port}/`, output: () => output };
}

describe.each([
  ['TypeScript', process.execPath, 'receiver.ts'],
  ['Python', 'python3', 'receiver.py'],
])('the receiver of the docs in %s', (_language, command, file) => {
  test('accepts what is signed with its secret, once, and refuses the rest', async () => {
    const [secret, other] = [newSecret(), newSecret()];
    const receiver = await start(command, file, secret);
    const sender = createSender({ resolver, clock: systemClock });
    const send = async (id: string, at: Date, secrets: Buffer[], sent = body) =>
      (await sender.send(receiver.url, sign(id, at, body, secrets), sent)).responseStatus;
    const now = new Date();
    expect(await send('msg_1', now, [secret])).toBe(204);
    expect(await send('msg_1', now, [secret])).toBe(204);
    expect(await send('msg_2', now, [other, secret])).toBe(204);
    expect(await send('msg_3', now, [other])).toBe(401);
    expect(await send('msg_3', now, [secret], body.replace('DE', 'FR'))).toBe(401);
    expect(await send('msg_3', new Date(now.getTime() - 301_000), [secret])).toBe(401);
    expect(receiver.output().match(/scan\.created scan_1 of qr_1 in DE/g)).toHaveLength(2);
    await sender.close();
  });
});

test('the page shows the verifier of the example, which is tested with 10,000 bodies', () => {
  const verifierOf = (path: string) => {
    const [, found] =
      /^(function verify\(.*?^\})/ms.exec(readFileSync(new URL(path, import.meta.url), 'utf8')) ?? [];
    return found?.trim();
  };
  const example = verifierOf('../docs/guides/examples/webhooks/receiver.ts');
  expect(example).toBeDefined();
  expect(verifierOf('../docs/guides/webhooks.md')).toBe(example);
  expect(verifierOf('../apps/server/src/http/reference/chapters/webhooks.md')).toBe(example);
  expect(verifierOf('../apps/server/src/webhooks/delivery/attempts/signature.test.ts')).toBe(example);
});
