import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../deploy/prometheus');

test('Prometheus takes the rules, and each alert fires when it should and not before', () => {
  const promtool = needBinary('promtool');
  const run = (...args: string[]) => execFileSync(promtool, args, { cwd: folder, encoding: 'utf8' });
  expect(run('check', 'rules', 'alerts.yaml')).toContain('SUCCESS');
  expect(run('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
});
