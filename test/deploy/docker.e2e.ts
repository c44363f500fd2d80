import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AllInOne } from './docker/all-in-one.ts';
import { makeBaseImages } from './docker/base-images.ts';
import {
  type Code,
  countScans,
  createCode,
  Deployment,
  findRights,
  killContainer,
  Scanner,
} from './docker/deployment.ts';
import { DockerEngine, whyNot } from './docker/engine.ts';
import { root } from './files.ts';

const why = whyNot();
if (why) console.log(why);

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'signpost', 'docker');
const image = 'registry.example.com/signpost:0.2.0';
const images = { full: image, backup: `${image}-backup`, 'all-in-one': `${image}-all-in-one` };
const scanSeconds = Number(process.env.DOCKER_SCAN_SECONDS ?? 300);
const report: string[] = [];
let engine: DockerEngine;

/** Notes how long something takes, for the last line. */
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  report.push(`${what} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

const accountKey = (printed: string) => /^live key key_\w+ +(sk_live_\w{38})$/m.exec(printed)![1]!;
const createAccount = ['admin', 'create-account', 'My shop', '--owner', 'you@example.com', '--operator'];
const signpost = ['node', 'apps/server/src/main.ts'];

describe('on a Docker engine of its own', { skip: why !== null }, () => {
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    engine = await new DockerEngine(cache).start();
    await timed('base images', () => makeBaseImages(engine, cache));
  }, 1_800_000);
  afterAll(async () => {
    await engine.stop();
    console.log(`docker: ${report.join(', ')}`);
  });

  test('Docker builds every image of the Dockerfile', async () => {
    for (const [target, tag] of Object.entries(images)) {
      const file = ['--file', join(root, 'deploy/Dockerfile')];
      await timed(`build of ${target}`, () =>
        engine.docker('build', ...file, '--target', target, '--tag', tag, root),
      );
      const size = Number(await engine.docker('image', 'inspect', '--format', '{{.Size}}', tag));
      report.push(`${target} ${(size / 1e6).toFixed(0)} MB`);
      expect(await engine.docker('run', '--rm', tag, 'help')).toContain('signpost solo');
    }
  }, 1_800_000);

  describe.each([
    {
      file: 'compose.yaml',
      server: 'signpost',
      scale: [],
      apiPort: 8080,
      linkPorts: [8080],
      volume: 'signpost_postgres',
    },
    {
      file: 'compose.cluster.yaml',
      server: 'api',
      scale: ['--scale', 'redirect=3'],
      apiPort: 8080,
      linkPorts: [8081, 8082, 8083],
      volume: 'signpost_postgres',
    },
  ])('$file', ({ file, server, scale, apiPort, linkPorts, volume }) => {
    let deployment: Deployment;
    let api: string;
    let links: readonly string[];
    let key: string;
    let code: Code;
    /** What was answered so far, and sent. */
    let answered = 0;
    let sent = 0;

    const expectNothingLost = async () => {
      let counted = 0;
      await waitUntil(`${answered} scans are counted`, async () => {
        counted = await countScans(api, key, code);
        return counted >= answered;
      });
      expect(counted).toBeLessThanOrEqual(sent);
    };
    const scanOnEach = async (times: number) => {
      const scanner = new Scanner(links, code, 50);
      await waitUntil('the scans are sent', () => scanner.sent >= times);
      await scanner.stop();
      expect(scanner.answered).toBe(scanner.sent);
      answered += scanner.answered;
      sent += scanner.sent;
    };

    beforeAll(async () => {
      deployment = new Deployment(engine, file, { REDIRECT_PORTS: '8081-8083' });
      api = await engine.forward(apiPort);
      links = await Promise.all(linkPorts.map(port => (port === apiPort ? api : engine.forward(port))));
      await timed(`start of ${file}`, () => deployment.up(...scale));
    });
    afterAll(() => deployment.remove());

    test('the first ten minutes: an account, a code, its picture, a scan that is counted', async () => {
      key = accountKey(await deployment.compose('exec', '--no-TTY', server, ...signpost, ...createAccount));
      code = await createCode(api, key);
      const png = await fetch(`${api}/v1/qrcodes/${code.id}/download?size=1024`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const picture = join(tmpdir(), `${code.shortCode}.png`);
      writeFileSync(picture, Buffer.from(await png.arrayBuffer()));
      const read = execFileSync('zbarimg', ['--quiet', '--nodbus', '--raw', picture], { encoding: 'utf8' });
      expect(read.trim()).toBe(code.shortUrl);
      await scanOnEach(2 * links.length);
      await expectNothingLost();
    });

    test('every process runs without root, capabilities, a writable root or a way to gain any', async () => {
      const containers = await deployment.containers();
      expect(containers.length).toBeGreaterThan(1);
      const found = await Promise.all(containers.map(one => findRights(engine, one)));
      expect(found.flat()).toEqual([]);
    });

    test('kill -9 of each container in turn loses no scan that was answered', async () => {
      const scanner = new Scanner(links, code, 50);
      const containers = await deployment.containers();
      for (const container of containers) await killContainer(engine, container);
      await scanner.stop();
      answered += scanner.answered;
      sent += scanner.sent;
      expect(scanner.answered).toBeGreaterThan(containers.length);
      await expectNothingLost();
      report.push(`${file}: ${containers.length} kills, ${scanner.answered} answered, 0 lost`);
    });

    test('down and up again keep everything', async () => {
      await timed(`stop of ${file}`, () => deployment.down({ volumes: false }));
      await timed(`second start of ${file}`, () => deployment.up(...scale));
      await expectNothingLost();
      await scanOnEach(links.length);
      await expectNothingLost();
    });

    test('a backup made beside it is restored, with the scans since from the log', async () => {
      const backup = ['run', '--rm', '--no-TTY', 'backup'];
      await timed(`backup of ${file}`, () => deployment.compose(...backup, 'backup', '/backups/one'));
      await scanOnEach(3 * links.length);
      await expectNothingLost();
      await deployment.down({ volumes: false });
      await engine.docker('volume', 'rm', volume);
      const restored = await deployment.compose(...backup, 'restore', '/backups/one');
      expect(restored).toContain('1 codes');
      await deployment.up(...scale);
      await expectNothingLost();
      await scanOnEach(links.length);
      await expectNothingLost();
    });
  });

  describe('the all-in-one image', () => {
    const email = 'olga@people.example';
    let api: string;
    let one: AllInOne;
    let key: string;
    let code: Code;
    let answered = 0;
    let sent = 0;

    beforeAll(async () => {
      api = await engine.forward(8080);
      one = new AllInOne(engine, images['all-in-one'], api);
      await timed('start of all-in-one', () => one.start());
    });
    afterAll(() => one.remove());

    const scan = async (perSecond: number, work: (scanner: Scanner) => Promise<unknown>) => {
      const scanner = new Scanner([api], code, perSecond);
      await work(scanner);
      await scanner.stop();
      answered += scanner.answered;
      sent += scanner.sent;
      return scanner;
    };
    const expectNothingLost = async () => {
      let counted = 0;
      await waitUntil(`${answered} scans are counted`, async () => {
        counted = await countScans(api, key, code);
        return counted >= answered;
      });
      expect(counted).toBeLessThanOrEqual(sent);
    };

    test('the token in its log creates the operator on the page that the first visit leads to', async () => {
      const { token, page } = await one.firstOperatorToken();
      expect(page).toBe('http://localhost:8080/app');
      expect((await fetch(`${api}/app/`)).status).toBe(200);
      const created = await ask({
        method: 'POST',
        url: `${api}/auth/first-operator`,
        headers: { origin: 'http://localhost:8080' },
        body: { token, name: 'Olga', email, password: 'correct horse battery' },
      });
      expect(created.status).toBe(201);
      key = /sk_live_\w{38}/.exec(await one.signpost('admin', 'create-key', email, 'live'))![0];
      code = await createCode(api, key);
      const scanner = await scan(20, () => sleep(1000));
      expect(scanner.answered).toBe(scanner.sent);
      await expectNothingLost();
      expect(await findRights(engine, await one.inspect())).toEqual([]);
    });

    test('kill -9 of PostgreSQL, of solo and of the container loses no scan that was answered', async () => {
      const scanner = await scan(50, async scanner => {
        for (const process of ['postgres', 'node', 's6-svscan'] as const) {
          await one.kill(process);
          await scanner.answers(50);
        }
      });
      await expectNothingLost();
      report.push(`all-in-one: 3 kills, ${scanner.answered} answered, 0 lost`);
    });

    test('a stop is clean, and keeps everything', async () => {
      await timed('stop of all-in-one', () => one.stop());
      expect(await one.exitCode()).toBe(0);
      expect(await one.logs()).toContain('database system is shut down');
      const before = (await one.logs()).length;
      await one.startAgain();
      expect((await one.logs()).slice(before)).not.toContain('not properly shut down');
      await expectNothingLost();
    });

    test(`200 scans per second for ${scanSeconds} s do not get it killed in 512 MB`, async () => {
      const { restarts } = await one.inspect();
      const scanner = await scan(200, () => sleep(scanSeconds * 1000));
      await expectNothingLost();
      const limit = 512 * 1024 * 1024;
      expect(await one.inspect()).toMatchObject({ memoryLimit: limit, wasKilledForMemory: false, restarts });
      const { kills, usedMb } = await one.memory();
      expect(kills).toBe(0);
      expect(scanner.sent).toBeGreaterThan(0.99 * 200 * scanSeconds);
      report.push(
        `all-in-one in 512 MB: ${scanner.answered} of ${scanner.sent} scans answered in ${scanSeconds} s, ${usedMb} MB in use`,
      );
    });

    test('a volume of another major version is refused untouched, and upgraded by backup and restore', async () => {
      await timed('backup of all-in-one', () => one.signpost('backup', '/data/before'));
      await one.stop();
      await one.removeContainer();
      await one.inVolume('echo 17 >/data/postgres/PG_VERSION');
      const listing = () => one.inVolume('cd /data && find . -type f | sort | xargs sha256sum');
      const before = await listing();
      await expect(one.command('doctor')).rejects.toThrow('/data is of PostgreSQL 17, and this image has 18');
      await expect(one.command()).rejects.toThrow('To upgrade:');
      expect(await listing()).toBe(before);
      expect(await one.command('restore', '/data/before')).toContain('1 codes');
      await one.start();
      await expectNothingLost();
      expect(await one.inVolume('ls /data')).toContain('postgres-17');
    });

    test('with --demo it has an example account with months of scans', async () => {
      await one.remove();
      await timed('start of all-in-one with --demo', () => one.start('--demo'));
      const { email: demo, password } = await timed('example account', () => one.demoAccount());
      const signedIn = await ask({
        method: 'POST',
        url: `${api}/auth/sign-in`,
        headers: { origin: 'http://localhost:8080' },
        body: { email: demo, password },
      });
      expect(signedIn.status).toBe(200);
      const demoKey = /sk_live_\w{38}/.exec(await one.signpost('admin', 'create-key', demo, 'live'))![0];
      const { body } = await ask({ url: `${api}/v1/qrcodes?limit=100`, key: demoKey });
      const scans = body.data.reduce(
        (sum: number, { total_scans }: { total_scans: number }) => sum + total_scans,
        0,
      );
      expect(scans).toBeGreaterThan(1000);
      expect(await one.logs()).not.toContain('with this token');
    });
  });
});
