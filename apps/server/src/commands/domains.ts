import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { proxyConfigs } from '../domains/proxy-config.ts';
import { listAllDomains } from '../domains/store.ts';
import { AppError } from '../kernel/errors.ts';
import type { Print } from '../kernel/print.ts';
import { checkEngineThoroughly, checkMigrated } from '../platform/diagnosis/engine-checks.ts';
import { EngineUnusableError } from '../platform/diagnosis/engine-diagnosis.ts';
import { createPostgres, type Database } from '../platform/postgres/postgres.ts';

export const domainsUsage = `signpost domains --format nginx [--certificates DIR]
signpost domains --format cert-manager [--issuer NAME] [--service NAME]
                                         prints configuration for the active domains of all accounts, for proxies
                                         that get no certificates on demand`;

const pageSize = 1000;

/** Prints configuration of a proxy for every active domain. */
export async function runDomains(
  args: readonly string[],
  readConfig: () => Config,
  print: Print,
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      format: { type: 'string', default: '' },
      certificates: { type: 'string', default: '/etc/letsencrypt/live' },
      issuer: { type: 'string', default: 'letsencrypt' },
      service: { type: 'string', default: 'signpost-redirect' },
    },
  });
  const toConfig = Object.hasOwn(proxyConfigs, values.format) ? proxyConfigs[values.format] : undefined;
  if (!toConfig) throw usage(`--format must be one of ${Object.keys(proxyConfigs).join(', ')}.`);
  if (!/^[\w./-]+$/.test(values.certificates))
    throw usage('--certificates must be a path of letters, digits, dots, hyphens, underscores and slashes.');
  for (const name of ['issuer', 'service'] as const)
    if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(values[name]))
      throw usage(`--${name} must be a name of Kubernetes: lower-case letters, digits, dots and hyphens.`);
  const hosts = await listActiveHosts(readConfig());
  print(toConfig(hosts, values).trimEnd());
}

async function listActiveHosts(config: Config): Promise<readonly string[]> {
  const migrated = checkMigrated(config.databasePooler);
  const fault = await checkEngineThoroughly('postgres', config.databaseUrl, migrated, 6_000);
  if (fault) throw new EngineUnusableError([fault]);
  const db = createPostgres({ ...config, databasePoolSize: 1, databaseTimeoutMs: 10_000 }, () => undefined);
  try {
    return await readActiveHosts(db);
  } finally {
    await db.close();
  }
}

async function readActiveHosts(db: Database): Promise<readonly string[]> {
  const hosts: string[] = [];
  let page = await listAllDomains(db, '', pageSize);
  while (page.length > 0) {
    for (const { host, status } of page) if (status === 'active') hosts.push(host);
    page = await listAllDomains(db, page.at(-1)!.host, pageSize);
  }
  return hosts;
}

const usage = (message: string) => new AppError('invalid_request', `${message}\n\n${domainsUsage}`);
