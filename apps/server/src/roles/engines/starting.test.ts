import { describe, expect, test } from 'vitest';
import type { EngineDiagnosis } from '../../platform/diagnosis/engine-diagnosis.ts';
import { listening, startsWith, withSetting } from './starting.ts';

const faultOf = (engine: EngineDiagnosis['engine'], kind: EngineDiagnosis['kind']): EngineDiagnosis => ({
  engine,
  kind,
  finding: '',
  remedy: '',
  sentence: '',
});
const installations = {
  'is new': { hasSnapshot: false, hasWorked: false },
  'has worked': { hasSnapshot: false, hasWorked: true },
  'has a snapshot': { hasSnapshot: true, hasWorked: true },
} as const;

describe('a role starts', () => {
  test.each([
    ['redirect', 'postgres', 'misconfiguration', ['has a snapshot']],
    ['redirect', 'postgres', 'outage', Object.keys(installations)],
    ['redirect', 'redis', 'misconfiguration', ['has worked', 'has a snapshot']],
    ['redirect', 'nats', 'misconfiguration', ['has worked', 'has a snapshot']],
    ['all', 'postgres', 'outage', []],
    ['all', 'nats', 'misconfiguration', ['has worked', 'has a snapshot']],
    ['all', 'clickhouse', 'outage', Object.keys(installations)],
    ['ingest', 'nats', 'misconfiguration', []],
    ['ingest', 'nats', 'outage', Object.keys(installations)],
    ['api', 'postgres', 'outage', []],
  ] as const)('%s: %s %s, where the installation %j', (role, engine, kind, expected) => {
    const starting = Object.entries(installations).filter(([, installation]) =>
      startsWith(role, faultOf(engine, kind), installation),
    );
    expect(starting.map(([name]) => name)).toEqual(expected);
  });
});

const failing = (code: string) => async () => {
  throw Object.assign(new Error(`${code}: failed`), { code });
};

test('only an address that this machine does not have is the fault of HOST', async () => {
  const at = { host: 'x', port: 1, setting: 'API_PORT' };
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL'])
    await expect(listening(at, failing(code))).rejects.toThrow(/^HOST: x is not an address of this machine/);
  for (const code of ['EMFILE', 'FST_ERR_PLUGIN_TIMEOUT'])
    await expect(listening(at, failing(code))).rejects.toThrow(new RegExp(`^${code}: failed$`));
});

test('a full disk has a cure of its own', async () => {
  const opening = (code: string) => withSetting('SPOOL_DIR', 'Name a directory.', failing(code));
  await expect(opening('ENOSPC')).rejects.toThrow(/^SPOOL_DIR: .*\. Free some space/);
  await expect(opening('EACCES')).rejects.toThrow(/^SPOOL_DIR: .*\. Name a directory\.$/);
});
