import { join } from 'node:path';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import { installNewer, Unavailable } from '../engines/packages.ts';
import { type Caddy, startCaddy } from './domains/caddy.ts';

const hosts = { api: 'api.service.example', links: 'sign.service.example', brand: 'go.caddied.example' };
const menu = 'https://caddied.example/menu';

/** Older ones, as of Debian bookworm, do not ask before they load a certificate that they have stored. */
function findProgram(): string | null {
  try {
    return join(installNewer('caddy'), 'caddy');
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.log(
      `skipped: a Caddy that asks for stored certificates too cannot be had here: ${error.message}`,
    );
    return null;
  }
}

describe('behind Caddy with the Caddyfile of deploy/', () => {
  let program: string | null;
  let postgres: Engine;
  let fixture: Fixture;
  let redirect: TestServer;
  let caddy: Caddy;
  let brand: TestAccount;

  beforeAll(async () => {
    program = findProgram();
    if (program === null) return;
    postgres = await startPostgres();
    fixture = await createFixture(
      {
        SHORT_BASE_URL: `https://${hosts.links}`,
        PUBLIC_URL: `https://${hosts.api}`,
        TRUSTED_PROXIES: '127.0.0.1',
      },
      postgres.url,
    );
    const api = await fixture.server();
    redirect = await TestServer.start('redirect', fixture.env);
    brand = await fixture.account('business');
    await admin('add-domain', hosts.brand, '--account', formatId('acct', brand.id));
    await admin('set-domain', hosts.brand, '--root-url', 'https://caddied.example/');
    const code = { name: 'Menu', destination_url: menu, short_code: 'menu', domain: hosts.brand };
    const created = await ask({
      method: 'POST',
      url: `${api.url}/v1/qrcodes`,
      key: brand.live,
      body: code,
    });
    expect(created.status).toBe(201);
    caddy = await startCaddy(program, {
      PUBLIC_URL: `https://${hosts.api}`,
      SHORT_BASE_URL: `https://${hosts.links}`,
      API: new URL(api.url).host,
      LINKS: new URL(redirect.url).host,
      TLS_ASK: redirect.metricsUrl.replace('/metrics', '/tls-ask'),
    });
  });
  afterAll(async () => {
    await caddy?.remove();
    await redirect?.end('SIGTERM');
    await fixture?.close();
    await postgres?.remove();
  });

  beforeEach(({ skip }) => skip(program === null));

  async function admin(...args: string[]): Promise<void> {
    const { code, output } = await runCommand(['admin', ...args], fixture.env);
    expect({ code, output }).toMatchObject({ code: 0 });
  }

  const seen = async (host: string, path: string) => {
    const answer = await caddy.get(host, path);
    return answer === 'refused' ? answer : [answer.status, answer.location];
  };

  test('a domain gets its certificate when it is scanned first, and a name that nobody knows gets none', async () => {
    expect(await seen(hosts.brand, '/menu')).toEqual([302, menu]);
    expect(await seen(hosts.brand, '/')).toEqual([302, 'https://caddied.example/']);
    expect(await seen('other.caddied.example', '/menu')).toBe('refused');
    expect(await seen('caddied.example', '/menu')).toBe('refused');
  });

  test('each name reaches its part of the service, and a domain short links alone', async () => {
    expect(await seen(hosts.api, '/healthz')).toEqual([200, undefined]);
    expect(await seen(hosts.links, '/menu')).toEqual([404, undefined]);
    for (const path of ['/app', '/docs', '/v1/domains', '/healthz'])
      expect(await seen(hosts.brand, path), path).toEqual([404, undefined]);
    const plain = await ask({
      url: `http://127.0.0.1:${caddy.httpPort}/menu`,
      headers: { host: hosts.brand },
    });
    expect([plain.status, new URL(plain.headers.location!).hostname]).toEqual([308, hosts.brand]);
  });

  test('without PostgreSQL, after a restart of Caddy and redirect and without a stored certificate, it is served', async () => {
    await postgres.stop();
    await caddy.engine.stop();
    caddy.deleteCertificates();
    await redirect.end('SIGTERM');
    await redirect.start();
    await caddy.engine.start();
    expect(await seen(hosts.brand, '/menu')).toEqual([302, menu]);
    expect(await seen(hosts.brand, '/')).toEqual([302, 'https://caddied.example/']);
    // Whether this code exists, nobody can say.
    expect(await seen(hosts.links, '/menu')).toEqual([503, undefined]);
    expect(await seen('other.caddied.example', '/menu')).toBe('refused');
    await postgres.start();
  });

  test('a released domain answers 404, and is refused by a Caddy that still has its certificate on disk', async () => {
    await admin('remove-domain', hosts.brand, '--release');
    expect(await seen(hosts.brand, '/menu')).toEqual([404, undefined]);
    await caddy.engine.restart();
    expect(await seen(hosts.brand, '/menu')).toBe('refused');
    await admin('add-domain', hosts.brand, '--account', formatId('acct', brand.id));
    expect(await seen(hosts.brand, '/menu')).toEqual([302, menu]);
  });
});
