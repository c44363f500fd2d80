import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifItRuns } from '@signpost/testing/engines/process-tree.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { expect, onTestFinished, test } from 'vitest';

/** Starts the script in a process that ends its children when it is asked to end; resolves to their ids. */
async function startParent(script: string, count: number) {
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'parent-process.ts'), script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  let printed = '';
  parent.stdout.on('data', chunk => {
    printed += chunk;
  });
  const pids = () => printed.split('\n').filter(Boolean).map(Number);
  await waitUntil('the children run', () => pids().length === count);
  onTestFinished(() =>
    pids()
      .filter(runs)
      .forEach(pid => void process.kill(pid, 'SIGKILL')),
  );
  return { parent, pids: pids() };
}

const stateOf = (pid: number) =>
  ifItRuns(() => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!);
const runs = (pid: number) => !['Z', undefined].includes(stateOf(pid));

test.each(['SIGINT', 'SIGTERM'] as const)('a run that %s stops ends all of its children', async signal => {
  // As parts run: in a process group of their own, with a child of a child, and one that a test has frozen.
  const { parent, pids } = await startParent(
    'timeout 5m sh -c "echo \\$\\$; sleep 300 & echo \\$!; sh -c \'echo \\$\\$; kill -STOP \\$\\$; sleep 300\' & wait"',
    3,
  );
  await waitUntil('one is frozen', () => pids.some(pid => stateOf(pid) === 'T'));
  parent.kill(signal);
  await waitUntil('all have ended', () => !pids.some(runs));
  await waitUntil('the parent has ended', () => parent.exitCode !== null);
  expect(parent.exitCode).toBe(3);
});

test('a child that does not listen is killed', async () => {
  const { parent, pids } = await startParent('trap "" TERM; echo $$; while :; do sleep 1; done', 1);
  parent.kill('SIGTERM');
  await waitUntil('all have ended', () => !pids.some(runs));
  await waitUntil('the parent has ended', () => parent.exitCode !== null);
});
