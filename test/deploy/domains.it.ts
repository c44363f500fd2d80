import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runDomains } from '../../apps/server/src/commands/domains.ts';
import { proxyConfigs } from '../../apps/server/src/domains/proxy-config.ts';
import { parseHost } from '../../apps/server/src/kernel/addresses/hosts.ts';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import { findFaults, type Manifest } from './helm/chart.ts';

let api: TestApi;
/** The longest name that DNS knows, an underscore, and letters of another alphabet. */
const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
const hosts = ['go.a.example', 'go_b.example', 'xn--bcher-kva.example', longest];

beforeAll(async () => {
  api = await createTestApi();
  const account = formatId('acct', (await api.account()).id as never);
  for (const host of [...hosts.slice(0, 2), 'bücher.example', longest, 'left.example'])
    await api.admin('add-domain', host, '--account', account);
  await api.admin('remove-domain', 'left.example');
});
afterAll(() => api?.close());

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  await runDomains(
    args,
    () => api.config,
    line => lines.push(line),
  );
  return lines.join('\n');
}

/** Whether nginx takes the servers, with a certificate for each host. */
function nginxFault(servers: string, names: readonly string[], certificates: string): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-nginx-'));
  const files = { key: join(dir, 'key.pem'), certificate: join(dir, 'certificate.pem') };
  execFileSync(
    needBinary('openssl'),
    [
      ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
      ...['-subj', '/CN=go.example.com', '-keyout', files.key, '-out', files.certificate],
    ],
    { stdio: 'ignore' },
  );
  for (const name of names) {
    mkdirSync(join(certificates, name), { recursive: true });
    execFileSync('cp', [files.certificate, join(certificates, name, 'fullchain.pem')]);
    execFileSync('cp', [files.key, join(certificates, name, 'privkey.pem')]);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${dir};`)
    .join(' ');
  writeFileSync(
    join(dir, 'nginx.conf'),
    `pid ${dir}/pid; error_log ${dir}/error.log; events {}
     http { access_log off; ${temporary} upstream signpost { server 127.0.0.1:8080; } ${servers} }`,
  );
  const args = ['-t', '-p', dir, '-c', join(dir, 'nginx.conf')];
  const { status, stderr } = spawnSync(needBinary('nginx'), args, { encoding: 'utf8' });
  return status === 0 ? null : stderr;
}

describe('configuration of the active domains', () => {
  test('is accepted by nginx, with a server for each host', async () => {
    const certificates = mkdtempSync(join(tmpdir(), 'signpost-live-'));
    const servers = await run('--format', 'nginx', '--certificates', certificates);
    expect(servers.match(/(?<=server_name ).*(?=;)/g)!.toSorted()).toEqual(hosts.toSorted());
    expect(nginxFault(servers, hosts, certificates)).toBeNull();
    expect(nginxFault(`${servers} server { nonsense; }`, hosts, certificates)).toContain('nonsense');
  });

  test('is what Kubernetes knows, with a certificate for each host', async () => {
    const output = await run('--format', 'cert-manager', '--issuer', 'ours', '--service', 'links');
    const documents = parseAllDocuments(output).map(one => {
      if ('errors' in one) expect(one.errors).toEqual([]);
      return (one as { toJS(): Manifest | null }).toJS();
    });
    const manifests = documents.filter(one => one !== null);
    expect(await findFaults(manifests)).toEqual([]);
    const possible = hosts.filter(host => !host.includes('_')).toSorted();
    expect(manifests.map(({ spec }) => spec.rules[0].host).toSorted()).toEqual(possible);
    for (const { metadata, spec } of manifests) {
      expect(metadata.annotations).toEqual({ 'cert-manager.io/cluster-issuer': 'ours' });
      expect(spec.tls).toEqual([{ secretName: spec.rules[0].host, hosts: [spec.rules[0].host] }]);
      expect(spec.rules[0].http.paths[0].backend.service).toEqual({ name: 'links', port: { name: 'http' } });
    }
    expect(output).toContain('# go_b.example has an underscore');
  });

  test('of many domains is accepted by nginx', () => {
    const many = Array.from({ length: 450 }, (_, at) => `go${at}.brand.example`);
    const certificates = mkdtempSync(join(tmpdir(), 'signpost-live-'));
    const options = { certificates, issuer: 'x', service: 'x' };
    // One certificate is enough to see that the names fit.
    const servers = proxyConfigs.nginx!(many, options).replaceAll(/live-\w+\/go\d+\./g, match =>
      match.replace(/go\d+\./, 'go0.'),
    );
    expect(nginxFault(servers, many.slice(0, 1), certificates)).toBeNull();
  });
});

test('neither options nor hosts can add anything to a configuration', async () => {
  await expect(run('--format', 'apache')).rejects.toThrow('--format must be one of nginx, cert-manager');
  await expect(run('--format', 'constructor')).rejects.toThrow('--format must be one of');
  await expect(run('--format', 'nginx', '--certificates', '/a; }')).rejects.toThrow('--certificates');
  await expect(run('--format', 'cert-manager', '--issuer', 'a"\n')).rejects.toThrow('--issuer');
  await expect(run('--format', 'cert-manager', '--service', 'a: b')).rejects.toThrow('--service');
  const ends = [';', '"', ' }', '\n', '\n}', '#', '/x', ':80', '$host', '\\', '\t'];
  for (const text of [...ends.map(end => `a.example${end}`), '*.a.example', '$host.example', '"a.example'])
    expect(parseHost(text) ?? '', text).toMatch(/^[a-z0-9._-]*$/);
});
