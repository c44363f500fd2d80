import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createFixture } from '@signpost/testing/fixture.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { expect, onTestFinished, test } from 'vitest';

const main = new URL('../main.ts', import.meta.url).pathname;

test('a command whose reader is gone, as in `| head -1`, does its work and ends quietly', async () => {
  const fixture = await createFixture({ CLICKHOUSE_URL: 'http://127.0.0.1:1' });
  onTestFinished(() => fixture.close());
  const env = { PATH: process.env.PATH, ...fixture.env };
  for (const args of [['help'], ['admin', 'create-account', 'My shop'], ['admin', 'list-accounts']]) {
    const child = spawn(process.execPath, [main, ...args], { env });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', chunk => (said += chunk));
    const [code] = await once(child, 'close');
    expect([args, code, said]).toEqual([args, 0, '']);
  }
  const { output } = await runCommand(['admin', 'list-accounts'], fixture.env);
  expect(output).toContain('My shop');
});
