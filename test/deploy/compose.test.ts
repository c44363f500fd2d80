import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../apps/server/src/config/settings.ts';
import { hasEveryPart, serverRoles } from '../../apps/server/src/roles/server-role.ts';
import { type Compose, composeFiles, deploy, oursOf, readCompose, readDeploy } from './files.ts';
import { missingSettings, unknownSettings } from './settings.ts';

describe.each(composeFiles)('%s', file => {
  const compose = readCompose(file);
  const ours = oursOf(compose);

  test('sets only settings that exist, and all that are required', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const [name, { environment = {} }] of ours) {
      expect(unknownSettings(Object.keys(environment)), name).toEqual([]);
      expect(missingSettings(Object.keys(environment)), name).toEqual([]);
    }
  });

  test('gives each service the secrets that its settings read', () => {
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
      const read = Object.values(environment).filter(value => String(value).startsWith('/run/secrets/'));
      expect(secrets, name).toEqual(expect.arrayContaining(read.map(path => basename(path))));
      for (const secret of secrets) expect(compose.secrets, name).toHaveProperty([secret]);
    }
  });

  test('gives no service a secret that it does not read', () => {
    for (const [name, { environment = {}, secrets = [] }] of ours)
      for (const secret of secrets)
        expect(Object.values(environment), name).toContain(`/run/secrets/${secret}`);
    const redirect = compose.services.redirect;
    if (redirect) expect(redirect.secrets).toEqual(['redirect_database_url', 'redis_url', 'nats_url']);
  });

  test('pins every image to a version', () => {
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:\d+(\.\d+)+(-\w+)?$/);
  });

  test('checks the health of every long-running service', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      if (service.command?.[0] === 'migrate' || service.profiles) continue;
      // Our image has its own health check.
      expect(service.healthcheck ?? ours.some(([own]) => own === name), name).toBeTruthy();
      expect(service.healthcheck?.disable, name).not.toBe(true);
      expect(service.restart, name).toBe('unless-stopped');
    }
  });

  test('probes our services for readiness on the private port', () => {
    const { default: port } = settings.metricsPort;
    const asked = ours.flatMap(([, { healthcheck }]) =>
      healthcheck?.test ? [healthcheck.test.join(' ')] : [],
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const question of asked) expect(question).toContain(`http://127.0.0.1:${port}/readyz`);
  });

  test('runs every service with a read-only root, a limit of memory, no capabilities and no way to gain any', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
      });
      expect(service.cap_add, name).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : undefined);
      // Our images name a user themselves.
      if (ours.some(([own]) => own === name)) expect(service.tmpfs, name).toContain('/tmp');
      else expect(service.user, name).toMatch(/^(?!root|0)./);
    }
  });

  test('publishes ports on this machine only, and none of an engine', () => {
    const { caddy, ...inside } = compose.services;
    expect(caddy).toMatchObject({ profiles: ['tls'] });
    for (const [name, { ports = [] }] of Object.entries(inside)) {
      if (ports.length > 0) expect(ours.map(([one]) => one)).toContain(name);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('waits for what it needs', () => {
    for (const [, { depends_on = {} }] of ours) {
      expect(Object.keys(depends_on).length).toBeGreaterThan(0);
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty([name]);
    }
  });

  test('allows sign-up only if the operator enables it', () => {
    for (const [name, { environment }] of ours)
      expect(environment!.SIGN_UP, name).toMatch(/^\$\{SIGN_UP:-closed\}$/);
    expect(readDeploy('.env.example')).toMatch(/^SIGN_UP=closed$/m);
  });

  test('has a backup service that up does not start, with the settings and secrets of the others', () => {
    const { backup, caddy: _, ...others } = compose.services;
    expect(backup).toMatchObject({ profiles: ['backup'], restart: 'no' });
    expect(backup!.image).toMatch(/-backup$/);
    for (const [name, other] of Object.entries(others)) expect(other.profiles, name).toBeUndefined();
    const beside = compose.services.ingest ?? compose.services.signpost!;
    expect(backup!.environment).toEqual(beside.environment);
    expect(backup!.secrets).toEqual(beside.secrets);
    // It must start before the migrations: a restore goes into an empty database.
    expect(backup!.depends_on).not.toHaveProperty('migrate');
    expect(backup!.depends_on).toMatchObject({ postgres: { condition: 'service_healthy' } });
  });

  test('keeps backups in a volume, or in the host folder in BACKUPS', () => {
    const [, name] = /^\$\{BACKUPS:-(\w+)\}:\/backups$/.exec(compose.services.backup!.volumes!.at(-1)!)!;
    expect(compose.volumes).toHaveProperty(name!);
    expect(readDeploy('.env.example')).toMatch(new RegExp(`^BACKUPS=${name}$`, 'm'));
  });
});

test.each(composeFiles)(
  'the images of %s are pulled by their tag, or built by the target of that name',
  file => {
    for (const [name, { image, build }] of oursOf(readCompose(file))) {
      const [, suffix = 'full'] = /:\d+\.\d+\.\d+(?:-(\w+))?$/.exec(image)!;
      expect(build, name).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile', target: suffix });
    }
  },
);

test('compose.cluster.yaml has every role but all, each after the migrations', () => {
  const ours = oursOf(readCompose('compose.cluster.yaml')).filter(([, { profiles }]) => !profiles);
  expect(ours.map(([, { command }]) => command?.[0]).toSorted()).toEqual(
    [...serverRoles.filter(role => !hasEveryPart(role)), 'migrate'].toSorted(),
  );
  for (const [, { command, depends_on }] of ours) {
    if (command?.[0] === 'migrate') continue;
    expect(depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  }
});

test('our long-running services can be scaled: none has a container name, and only the API has a fixed port', () => {
  const { services } = readCompose('compose.cluster.yaml');
  const fixed = Object.entries(services).filter(
    ([, { container_name, ports = [] }]) => container_name || ports.some(port => /:\d+:\d+$/.test(port)),
  );
  expect(fixed.map(([name]) => name)).toEqual(['api']);
});

test('each compose file has its own network, whose gateway the example trusts as a proxy', () => {
  const subnets = composeFiles.map(file => readCompose(file).networks.default.ipam.config[0]!.subnet);
  expect(new Set(subnets).size).toBe(composeFiles.length);
  const at = (last: string) => subnets.map(subnet => subnet.replace(/\.0\/24$/, last));
  expect(readDeploy('.env.example')).toContain(
    `\nTRUSTED_PROXIES=${[...at('.1'), ...at('.250')].join(',')}\n`,
  );
  const addresses = composeFiles.map(
    file => readCompose(file).services.caddy!.networks!.default.ipv4_address,
  );
  expect(addresses).toEqual(at('.250'));
});

test('the example names the project, since docker-compose 1.29 takes no name from the files', () => {
  expect(readDeploy('.env.example')).toMatch(/^COMPOSE_PROJECT_NAME=\w+$/m);
  for (const file of composeFiles) expect(readCompose(file)).not.toHaveProperty('name');
});

test('compose.yaml is solo and PostgreSQL alone, and persists its data', () => {
  const { backup, signpost, caddy: _, ...engines } = readCompose('compose.yaml').services;
  expect(Object.keys(engines)).toEqual(['postgres']);
  expect(signpost!.entrypoint!.at(-1)).toMatch(
    /main\.ts migrate && exec node apps\/server\/src\/main\.ts solo$/,
  );
  expect(signpost!.volumes).toEqual(['signpost:/var/lib/signpost']);
  expect(Object.keys(signpost!.environment!).join()).not.toContain('CLICKHOUSE');
  expect(backup!.volumes).toHaveLength(1);
});

test('compose.cluster.yaml stores scans in PostgreSQL, and its commented example gives ClickHouse to those that need it', () => {
  const withClickHouse = ({ services }: Compose) =>
    Object.keys(services).filter(name => services[name]!.environment?.CLICKHOUSE_URL_FILE);
  const file = 'compose.cluster.yaml';
  expect(withClickHouse(readCompose(file))).toEqual([]);
  expect(Object.keys(readCompose(file).services)).not.toContain('clickhouse');
  const uncommented = readDeploy(file).replaceAll(/# (CLICKHOUSE_URL_FILE|clickhouse_url):/g, '$1:');
  const compose = parse(uncommented, { merge: true }) as Compose;
  expect(withClickHouse(compose)).toEqual(['migrate', 'api', 'ingest', 'backup']);
  expect(compose.secrets).toHaveProperty('clickhouse_url');
});

test('the variables that the compose files read are in the example, and no others', () => {
  const read = composeFiles.flatMap(file =>
    [...readDeploy(file).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!),
  );
  // Read by docker-compose itself.
  read.push('COMPOSE_PROJECT_NAME');
  const given = [...readDeploy('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  expect(given.toSorted()).toEqual([...new Set(read)].toSorted());
});

describe('make-secrets', () => {
  const made = () => {
    const dir = join(mkdtempSync(join(tmpdir(), 'signpost-secrets-')), 'secrets');
    const run = () => execFileSync('sh', [join(deploy, 'make-secrets'), dir]);
    run();
    const files = () =>
      Object.fromEntries(readdirSync(dir).map(name => [name, readFileSync(join(dir, name), 'utf8')]));
    return { run, files };
  };

  test('creates every secret that the compose files read, with new passwords each time', () => {
    const [one, other] = [made().files(), made().files()];
    for (const file of composeFiles) {
      for (const secret of Object.values(readCompose(file).secrets)) {
        expect(one[basename(secret.file)], secret.file).toBeTruthy();
      }
    }
    expect(one.postgres_password).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(one.postgres_password).not.toBe(other.postgres_password);
    expect(one.database_url).toContain(one.postgres_password);
    for (const service of ['postgres', 'valkey', 'nats']) {
      expect(readCompose('compose.cluster.yaml').services).toHaveProperty(service);
      expect(
        Object.values(one).some(text => text.includes(`@${service}:`)),
        service,
      ).toBe(true);
    }
  });

  test('does not change existing secrets', () => {
    const { run, files } = made();
    const before = files();
    run();
    expect(files()).toEqual(before);
  });
});
