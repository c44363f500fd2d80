import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { Engine } from '@signpost/testing/engines/engine.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { knowsSyncAlways, natsAnswers } from '@signpost/testing/engines/nats.ts';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../apps/server/src/config/settings.ts';
import { type Compose, composeFiles, deploy, oursOf, readCompose, readDeploy } from './files.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'signpost-deploy-'));
  cpSync(deploy, dir, { recursive: true });
  execFileSync('sh', [join(dir, 'make-secrets')]);
  cpSync(join(dir, '.env.example'), join(dir, '.env'));
});

const taken = (file: string, env: Record<string, string> = {}) => {
  const options = ['--file', join(dir, file), '--profile', 'backup', '--profile', 'tls', 'config'];
  const output = execFileSync('docker-compose', options, {
    // From the parent folder, as an operator does; .env is found beside the file.
    cwd: join(dir, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return parse(output) as Compose;
};

test.each(composeFiles)('docker-compose accepts %s', file => {
  const { services } = taken(file);
  expect(services.backup!.volumes).toContain('backups:/backups:rw');
  expect(Object.keys(services).toSorted()).toEqual(Object.keys(readCompose(file).services).toSorted());
  for (const [, { environment, image, build }] of oursOf({ ...readCompose(file), services })) {
    expect(environment).toMatchObject({ SHORT_BASE_URL: 'https://go.example.com', SIGN_UP: 'closed' });
    expect([image, build?.target]).toEqual([
      expect.stringMatching(/^registry\.example\.com\/signpost:0/),
      expect.any(String),
    ]);
  }
});

test.each(composeFiles)('caddy accepts the Caddyfile with the names and the services of %s', file => {
  const { environment } = taken(file).services.caddy!;
  const adapted = execFileSync(
    'caddy',
    ['adapt', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile', '--validate'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    },
  );
  const text = JSON.stringify(JSON.parse(adapted));
  for (const part of [
    '"qr.example.com"',
    '"go.example.com"',
    `"dial":"${environment!.API}"`,
    `"dial":"${environment!.LINKS}"`,
    environment!.TLS_ASK!,
  ])
    expect(text).toContain(part);
  const services = readCompose(file).services;
  const asked = new URL(environment!.TLS_ASK!);
  expect([asked.port, asked.pathname]).toEqual([settings.metricsPort.default, '/tls-ask']);
  for (const upstream of [environment!.API!, environment!.LINKS!, asked.host])
    expect(services).toHaveProperty([upstream.split(':')[0]!]);
});

test.each(composeFiles)('in %s backups go to the folder in BACKUPS if it is set', file => {
  const elsewhere = taken(file, { BACKUPS: '/srv/signpost-backups' });
  expect(elsewhere.services.backup!.volumes).toContain('/srv/signpost-backups:/backups:rw');
});

test('redirects can be scaled: each has a port of the range, and a directory in the shared volume', () => {
  const three = taken('compose.cluster.yaml', { REDIRECT_PORTS: '8081-8083' });
  expect(three.services.redirect!.ports).toEqual(['127.0.0.1:8081-8083:8081/tcp']);
  expect(three.services.redirect!.volumes).toEqual(['redirect-spool:/var/lib/signpost:rw']);
  expect(readDeploy('Dockerfile')).toContain('SPOOL_DIR=/var/lib/signpost/spool');
});

test.each(composeFiles)(
  '%s refuses an .env from before the name of the project was in it, and says where to read on',
  file => {
    const env = readDeploy('.env.example').replace(/^ENV_FORMAT=.*\n/m, '');
    writeFileSync(join(dir, '.env'), env);
    try {
      expect(() => taken(file)).toThrow('see Upgrade in deploy/README.md');
    } finally {
      writeFileSync(join(dir, '.env'), readDeploy('.env.example'));
    }
  },
);

test('NATS accepts nats.conf: with JetStream, and only with the password', async () => {
  const [port, httpPort] = [await freePort(), await freePort()];
  const place = join(dir, 'nats');
  mkdirSync(join(place, 'run'), { recursive: true });
  cpSync(join(dir, 'secrets'), join(place, 'run/secrets'), { recursive: true });
  const config = readDeploy('nats.conf')
    .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
    .replace('0.0.0.0:8222', `127.0.0.1:${httpPort}`)
    .replace('"/var/tmp"', JSON.stringify(join(place, 'data')));
  expect(config).toMatch(/^ {2}sync_interval: always$/m);
  writeFileSync(
    join(place, 'nats.conf'),
    knowsSyncAlways() ? config : config.replace(/^ {2}sync_interval.*\n/m, ''),
  );
  const engine = await new Engine({
    name: 'NATS by nats.conf',
    url: `nats://127.0.0.1:${port}`,
    port,
    dir: place,
    temporary: false,
    command: needBinary('nats-server'),
    args: ['--config', join(place, 'nats.conf')],
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => natsAnswers(port),
  }).start();
  try {
    const health = await fetch(`http://127.0.0.1:${httpPort}/healthz?js-enabled-only=true`);
    expect(health.status).toBe(200);
    await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toThrow(/authoriz/i);
    const pass = readFileSync(join(dir, 'secrets/nats_password'), 'utf8');
    const connection = await connect({ servers: `127.0.0.1:${port}`, user: 'signpost', pass });
    await connection.close();
  } finally {
    await engine.stop();
  }
});
