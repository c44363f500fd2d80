import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../../apps/server/src/config/settings.ts';
import { hasEveryPart, serverRoles } from '../../../apps/server/src/roles/server-role.ts';
import { root } from '../files.ts';
import { missingSettings, unknownSettings } from '../settings.ts';
import { chart, findFaults, type Manifest, render } from './chart.ts';

const least = {
  existingSecret: 'signpost-engines',
  settings: { PUBLIC_URL: 'https://qr.example.com', SHORT_BASE_URL: 'https://go.example.com' },
};
const most = {
  ...least,
  image: { repository: 'registry.example.com/signpost', tag: '1.2.3', pullSecrets: [{ name: 'pull' }] },
  ingress: {
    ...{ enabled: true, className: 'nginx', annotations: { a: 'b' } },
    ...{ apiHost: 'qr.example.com', shortHost: 'go.example.com', tlsSecretName: 'tls' },
  },
  networkPolicy: {
    clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metrics: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  },
  podAnnotations: { 'prometheus.io/scrape': 'true' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'qr', operator: 'Exists' }],
  priorityClassName: 'high',
  backup: { enabled: true, storageClassName: 'slow' },
};

const roles = serverRoles.filter(role => !hasEveryPart(role));
let manifests: readonly Manifest[];
const ofKinds = (all: readonly Manifest[], ...kinds: string[]) =>
  all.filter(({ kind }) => kinds.includes(kind));
const ofKind = (...kinds: string[]) => ofKinds(manifests, ...kinds);
const named = (kind: string, name: string) =>
  manifests.find(one => one.kind === kind && one.metadata.name === `test-signpost-${name}`);
const workloadKinds = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];
const workloads = () => ofKind(...workloadKinds).map(withTemplate);
/** The pod template is nested deeper in a CronJob. */
const withTemplate = (one: Manifest): Manifest =>
  one.kind === 'CronJob' ? { ...one, spec: one.spec.jobTemplate.spec } : one;
const chartValues = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));

const withBackup = { ...least, backup: { enabled: true } };

beforeAll(() => {
  manifests = render(withBackup);
});

describe('the chart', () => {
  test('renders valid Kubernetes objects with the fewest values and with the most', async () => {
    expect(await findFaults([...manifests, ...render(least), ...render(most)])).toEqual([]);
  });

  test('an unknown field, a wrong type or a value that is none of the allowed ones makes the check fail', async () => {
    const api = named('Deployment', 'api')!;
    const { spec: pod } = api.spec.template;
    const withSpec = (change: object) => ({ ...api, spec: { ...api.spec, ...change } });
    const withPod = (change: object) =>
      withSpec({ template: { ...api.spec.template, spec: { ...pod, ...change } } });
    const withContainer = (change: object) => withPod({ containers: [{ ...pod.containers[0], ...change }] });
    const faults = await findFaults([
      withSpec({ replica: 2 }),
      withContainer({ readinesProbe: pod.containers[0].readinessProbe }),
      withSpec({ replicas: '2' }),
      withSpec({ replicas: 1.5 }),
      withPod({ restartPolicy: 'Sometimes' }),
      withSpec({ selector: undefined }),
    ]);
    const found = faults.join('\n');
    for (const part of [
      '"replica"\' does not exist',
      '"readinesProbe"\' does not exist',
      "Type 'string' is not assignable to type 'number'",
      'data/spec/replicas must match format "int32"',
      'data/spec/template/spec/restartPolicy must be equal to one of the allowed values',
      'data/spec must have required property selector',
    ])
      expect(found).toContain(part);
  });

  test('has every role but all, with a disruption budget and a network policy each', () => {
    expect(Object.keys(chartValues.roles).toSorted()).toEqual(roles.toSorted());
    for (const role of roles) {
      expect(named('Deployment', role) ?? named('StatefulSet', role), role).toBeDefined();
      expect(named('PodDisruptionBudget', role), role).toBeDefined();
      expect(named('NetworkPolicy', role)!.spec.policyTypes, role).toEqual(['Ingress', 'Egress']);
    }
  });

  test('gives every container only known settings, all that are required, and secrets only by reference', () => {
    expect(workloads()).toHaveLength(roles.length + 2);
    for (const { spec } of workloads()) {
      const { containers, volumes } = spec.template.spec;
      const names = containers[0].env.map(({ name }: { name: string }) => name);
      expect(unknownSettings(names)).toEqual([]);
      expect(missingSettings(names)).toEqual([]);
      expect(volumes[0]).toMatchObject({ secret: { secretName: 'signpost-engines' } });
      const files = containers[0].env.flatMap(({ value }: { value?: string }) =>
        value?.startsWith('/run/secrets/signpost/') ? basename(value) : [],
      );
      expect(volumes[0].secret.items.map(({ path }: { path: string }) => path)).toEqual(files.toSorted());
    }
    expect(ofKind('Secret')).toEqual([]);
    expect(unknownSettings(Object.keys(chartValues.settings))).toEqual([]);
    expect(render({ ...withBackup, settings: { ...least.settings, A: '' } })).toEqual(manifests);
  });

  test('gives every role only the secrets that it reads', () => {
    const all = ['AUTH_SECRET', 'CLICKHOUSE_URL', 'NATS_URL', 'REDIS_URL', 'SMTP_URL', 'WEBHOOK_SECRET_KEYS'];
    const withMail = {
      ...least,
      smtp: { enabled: true, port: 465 },
      clickhouse: { enabled: true, port: 8123 },
      settings: { ...least.settings, REQUIRE_VERIFIED_EMAIL: 'on' },
    };
    const secretsOf = (role: string) => {
      const { spec } = ofKinds(render(withMail), ...workloadKinds)
        .map(withTemplate)
        .find(({ metadata }) => metadata.name.endsWith(`-${role}`))!;
      const names = spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name);
      return all.filter(name => names.includes(`${name}_FILE`) || names.includes(name));
    };
    const ingest = workloads().find(({ metadata }) => metadata.name.endsWith('-ingest'))!;
    expect(JSON.stringify(ingest)).not.toMatch(/clickhouse/i);
    expect(secretsOf('redirect')).toEqual(['NATS_URL', 'REDIS_URL']);
    expect(secretsOf('ingest')).toEqual(['CLICKHOUSE_URL', 'NATS_URL', 'REDIS_URL']);
    expect(secretsOf('deliver')).toEqual(['NATS_URL', 'REDIS_URL', 'WEBHOOK_SECRET_KEYS']);
    expect(secretsOf('api')).toEqual(all);
  });

  test('gives redirects the database user that only reads, whom the migrations create', () => {
    const databaseOf = ({ spec }: Manifest) =>
      spec.template.spec.containers[0].env.filter(({ name }: { name: string }) => name.includes('DATABASE'));
    const file = (name: string, key: string) => ({ name, value: `/run/secrets/signpost/${key}` });
    const own = file('DATABASE_URL_FILE', 'redirect-database-url');
    const pooled = render({ ...least, settings: { ...least.settings, DATABASE_POOLER: 'transaction' } });
    for (const redirect of [named('StatefulSet', 'redirect')!, ofKinds(pooled, 'StatefulSet')[0]!])
      expect(databaseOf(redirect).filter(({ name }: { name: string }) => name !== 'DATABASE_POOLER')).toEqual(
        [own],
      );
    expect(databaseOf(named('Job', 'migrate')!)).toEqual(
      expect.arrayContaining([
        file('DATABASE_URL_FILE', 'database-url'),
        file('REDIRECT_DATABASE_URL_FILE', 'redirect-database-url'),
      ]),
    );
  });

  test('gives every container but those of redirects the direct address of PostgreSQL, only if there is a pooler', () => {
    const direct = { name: 'DATABASE_DIRECT_URL_FILE', value: '/run/secrets/signpost/database-direct-url' };
    const pooled = { ...withBackup, settings: { ...least.settings, DATABASE_POOLER: 'transaction' } };
    const behind = ofKinds(render(pooled), ...workloadKinds).map(withTemplate);
    expect(behind).toHaveLength(roles.length + 2);
    for (const { spec, kind } of behind.filter(({ kind }) => kind !== 'StatefulSet'))
      expect(spec.template.spec.containers[0].env, kind).toContainEqual(direct);
    for (const { spec } of workloads())
      expect(spec.template.spec.containers[0].env).not.toContainEqual(direct);
  });

  test('runs nothing as root, with a writable root or with a capability', () => {
    for (const { spec } of workloads()) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.containers[0].resources).toHaveProperty('requests.memory');
    }
  });

  test('probes liveness and readiness of each role on its private port', () => {
    const portOf = { api: settings.apiPort.default, redirect: settings.redirectPort.default };
    for (const role of roles) {
      const [container] = (named('Deployment', role) ?? named('StatefulSet', role))!.spec.template.spec
        .containers;
      const ports = Object.fromEntries(container.ports.map((port: { name: string }) => [port.name, port]));
      expect(String(ports.metrics.containerPort)).toBe(settings.metricsPort.default);
      const port = portOf[role as keyof typeof portOf];
      expect(ports.http && String(ports.http.containerPort)).toBe(port);
      const { startupProbe, livenessProbe, readinessProbe } = container;
      for (const { httpGet } of [startupProbe, livenessProbe])
        expect(httpGet).toEqual({ path: '/healthz', port: 'metrics' });
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    }
  });

  test('gives a redirect more time to drain its spool than others have, and less than the grace period of its pod', () => {
    const { spec } = named('StatefulSet', 'redirect')!.spec.template;
    const [{ env, lifecycle }] = spec.containers;
    const stopMs = Number(env.find(({ name }: { name: string }) => name === 'SHUTDOWN_TIMEOUT_MS').value);
    const sleepMs = Number(lifecycle.preStop.exec.command[1]) * 1_000;
    expect(stopMs).toBeGreaterThan(Number(settings.shutdownTimeoutMs.default));
    expect(sleepMs + stopMs).toBeLessThan(spec.terminationGracePeriodSeconds * 1_000);
  });

  test('the job of the README drains the claim of a redirect pod, with the settings of the redirects', async () => {
    const page = readFileSync(join(root, 'deploy/README.md'), 'utf8');
    const [, program] = /jq --arg claim "\$claim" '([\s\S]+?)' \|/.exec(page)!;
    const redirect = named('StatefulSet', 'redirect')!;
    const output = execFileSync('jq', ['--arg', 'claim', 'spool-test-signpost-redirect-3', program!], {
      input: JSON.stringify(redirect),
      encoding: 'utf8',
    });
    const job = JSON.parse(output) as Manifest;
    expect(await findFaults([job])).toEqual([]);
    const { containers, volumes, restartPolicy } = job.spec.template.spec;
    expect(restartPolicy).toBe('Never');
    expect(containers).toMatchObject([{ args: ['spool', 'drain'] }]);
    expect(containers[0].volumeMounts).toContainEqual({ name: 'spool', mountPath: '/var/lib/signpost' });
    expect(volumes).toContainEqual({
      name: 'spool',
      persistentVolumeClaim: { claimName: 'spool-test-signpost-redirect-3' },
    });
    const names = containers[0].env.map(({ name }: { name: string }) => name);
    expect(missingSettings(names)).toEqual([]);
    // A Service that selected this pod would send scans to it.
    expect(job.spec.template.metadata).toBeUndefined();
  });

  test('keeps the spool when a redirect pod is replaced, and scales redirects by load', () => {
    const redirect = named('StatefulSet', 'redirect')!;
    expect(redirect.spec.volumeClaimTemplates[0].metadata.name).toBe('spool');
    expect(redirect.spec).not.toHaveProperty('replicas');
    const [scaler, ...more] = ofKind('HorizontalPodAutoscaler');
    expect(more).toEqual([]);
    expect(scaler!.spec.scaleTargetRef).toMatchObject({ kind: 'StatefulSet', name: redirect.metadata.name });
    expect(scaler!.spec.minReplicas).toBeGreaterThan(
      named('PodDisruptionBudget', 'redirect')!.spec.minAvailable,
    );
  });

  test('selects by labels that the pods have', () => {
    const pods = workloads().map(({ spec }) => spec.template.metadata.labels);
    const selectors = manifests.flatMap(({ kind, spec }) =>
      kind === 'Service'
        ? [spec.selector]
        : kind === 'NetworkPolicy'
          ? [spec.podSelector.matchLabels]
          : (spec.selector?.matchLabels ?? []),
    );
    expect(selectors.length).toBeGreaterThan(8);
    for (const selector of selectors) {
      expect(
        pods.filter(labels => Object.entries(selector).every(([key, value]) => labels[key] === value)),
      ).toHaveLength(1);
    }
  });

  test('backs up on a schedule if enabled, to a volume that outlives the chart', () => {
    const { spec } = named('CronJob', 'backup')!;
    expect(spec).toMatchObject({ schedule: '15 3 * * *', concurrencyPolicy: 'Forbid' });
    const { containers, volumes } = spec.jobTemplate.spec.template.spec;
    const [{ image, args, volumeMounts }] = containers;
    const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
    expect(image).toBe(`signpost:${project}-backup`);
    expect(args).toEqual(['backup', '--into', '/backups', '--keep', '14']);
    expect(volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
    const claim = named('PersistentVolumeClaim', 'backup')!;
    expect(claim.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    expect(volumes.at(-1)).toEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: claim.metadata.name },
    });
    expect(named('NetworkPolicy', 'backup')!.spec).not.toHaveProperty('ingress');
  });

  test('renders nothing for backups if they are disabled, and no volume if one is given', () => {
    const of = (values: object) =>
      render(values).filter(({ metadata }) => metadata.name === 'test-signpost-backup');
    expect(of(least)).toEqual([]);
    const [job, ...more] = of({ ...least, backup: { enabled: true, existingClaim: 'elsewhere', keep: 3 } });
    expect(more.map(({ kind }) => kind)).toEqual(['NetworkPolicy']);
    const { containers, volumes } = job!.spec.jobTemplate.spec.template.spec;
    expect(containers[0].args.at(-1)).toBe('3');
    expect(volumes.at(-1).persistentVolumeClaim.claimName).toBe('elsewhere');
  });

  test('allows sign-up only if the operator enables it', () => {
    const signUp = (values: object) =>
      render(values)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) =>
          spec.template.spec.containers[0].env.find(({ name }: { name: string }) => name === 'SIGN_UP'),
        );
    expect(new Set(signUp(least).map(({ value }) => value))).toEqual(new Set(['closed']));
    const open = { ...least, settings: { ...least.settings, SIGN_UP: 'open' } };
    expect(new Set(signUp(open).map(({ value }) => value))).toEqual(new Set(['open']));
  });

  test('migrates before an installation and an upgrade, without resources that are created later', () => {
    const migrate = named('Job', 'migrate')!;
    expect(migrate.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      // A Job cannot be changed: that of the earlier version, which may have failed, goes first.
      'helm.sh/hook-delete-policy': expect.stringContaining('before-hook-creation'),
    });
    expect(migrate.spec.template.spec).not.toHaveProperty('serviceAccountName');
  });

  test('refuses values without a secret or an address, and says which', () => {
    const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
    const check = new Ajv({ strict: false }).compile({ ...schema, $schema: undefined });
    expect(check(chartValues)).toBe(false);
    expect(check({ ...chartValues, ...least })).toBe(true);
    expect(check({ ...chartValues, ...least, settings: { PUBLIC_URL: 'qr' } })).toBe(false);
    expect(check({ ...chartValues, ...least, settings: { ...least.settings, SIGN_UP: 'yes' } })).toBe(false);
    expect(check({ ...chartValues, ...least, backup: { enabled: true, keep: 0 } })).toBe(false);
    expect(() => render({ ...least, existingSecret: '' })).toThrow('existingSecret must name a Secret');
  });
});
