import { parseArgs } from 'node:util';
import type { Domain } from '../../domains/domain.ts';
import { createDomains } from '../../domains/service.ts';
import { parseHost } from '../../kernel/addresses/hosts.ts';
import { createIds, formatId } from '../../kernel/ids.ts';
import { escapeControlCharacters } from '../../kernel/print.ts';
import { collectOwnAddresses } from '../../qrcodes/creation/own-names.ts';
import { createTargetCheck } from '../../qrcodes/targets/target-check.ts';
import { type AdminEngines, withLinks } from '../../roles/links.ts';
import { requireId, usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';

export const domainUsage = `signpost admin add-domain HOST --account ACCOUNT
                                         short links of the account's live codes can be on this host from then on; a
                                         host that the account released returns with its codes
signpost admin set-domain HOST [--root-url URL] [--not-found-url URL] [--default]
                                         where the host leads without a short code, and where short links lead that do
                                         not exist; none instead of URL removes it. With --default, the dashboard
                                         preselects the domain
signpost admin list-domains [--account ACCOUNT]
signpost admin remove-domain HOST [--release]
                                         the host serves no short links any more; with --release also where codes are
                                         on it: they stay, and answer 404 until the host is added again`;

export const addDomain: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { account: { type: 'string', default: '' } },
  });
  const host = requireHost(positionals[0] ?? '');
  refuseOwn(host, context.engines);
  const accountId = requireId('acct', values.account, domainUsage);
  const { db, linkNames } = context.engines;
  const domain = await withDomains(context, domains => domains.add(db, host, accountId));
  context.print(`Short links of ${values.account} can begin with ${linkNames.domainBase(host)}/ now.`);
  if (domain.codes > 0) context.print(`Codes that are on it already: ${domain.codes.toLocaleString('en')}.`);
  context.print(`Point the DNS of ${host} to this service before anything is printed.`);
};

export const setDomain: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'root-url': { type: 'string' },
      'not-found-url': { type: 'string' },
      default: { type: 'boolean' },
    },
  });
  const host = requireHost(positionals[0] ?? '');
  if (Object.keys(values).length === 0)
    throw usageError('Say what to set: --root-url, --not-found-url or --default.', domainUsage);
  const wanted = {
    rootUrl: readUrl(values['root-url']),
    notFoundUrl: readUrl(values['not-found-url']),
    isDefault: values.default ? (true as const) : undefined,
  };
  const { db, config, linkNames } = context.engines;
  const check = createTargetCheck(collectOwnAddresses(config, linkNames));
  context.print(describe(await withDomains(context, domains => domains.set(db, host, wanted, check))));
};

export const listDomains: AdminCommand = async (args, context) => {
  const { values } = parseArgs({ args: [...args], options: { account: { type: 'string' } } });
  const accountId = values.account === undefined ? null : requireId('acct', values.account, domainUsage);
  const { db } = context.engines;
  const { print } = context;
  let count = 0;
  for (let page = await nextPage(''); page.length > 0; page = await nextPage(page.at(-1)!.host)) {
    for (const domain of page) print(describe(domain));
    count += page.length;
    if (accountId !== null) break;
  }
  if (count === 0) print('No domain was added. signpost admin add-domain HOST --account ACCOUNT adds one.');

  async function nextPage(after: string): Promise<readonly Domain[]> {
    return withDomains(context, domains =>
      accountId === null ? domains.listAll(db, after, 1000) : domains.list(db, accountId),
    );
  }
};

export const removeDomain: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { release: { type: 'boolean', default: false } },
  });
  const host = requireHost(positionals[0] ?? '');
  const { db } = context.engines;
  const { accountId, codes } = await withDomains(context, domains =>
    domains.release(db, host, values.release),
  );
  context.print(`${host} serves no short links any more.`);
  if (codes > 0)
    context.print(
      `Its codes answer 404, and return with: signpost admin add-domain ${host} --account ${formatId('acct', accountId)}`,
    );
};

/** Runs work whose changes reach every redirect before it returns. */
const withDomains = <Result>(
  { engines, print }: AdminContext,
  work: (domains: ReturnType<typeof createDomains>) => Promise<Result>,
): Promise<Result> =>
  withLinks(engines, print, redirects =>
    work(createDomains({ ids: createIds(engines.clock), clock: engines.clock, redirects })),
  );

function requireHost(text: string): string {
  const host = parseHost(text);
  if (host !== null && !host.startsWith('[') && !/^[\d.]+$/.test(host)) return host;
  const reason = text === '' ? 'A host is missing' : `${text} is not a host name`;
  throw usageError(`${reason}. Name one such as go.example.com, without https:// or a path.`, domainUsage);
}

/** A host of the service has its own codes. */
function refuseOwn(host: string, { config, linkNames }: AdminEngines): void {
  const urls = [linkNames.base, config.publicUrl, config.imageBaseUrl];
  const own = [...urls.map(url => new URL(url).hostname), ...config.shortHosts];
  if (own.includes(host))
    throw usageError(
      `${host} is a host of this service, so it cannot be a domain of an account.`,
      domainUsage,
    );
}

const readUrl = (text: string | undefined) => (text === 'none' ? null : text);

function describe({ host, accountId, status, isDefault, codes, rootUrl, notFoundUrl }: Domain): string {
  return escapeControlCharacters(
    [
      host,
      formatId('acct', accountId),
      status,
      isDefault && 'default',
      `codes ${codes.toLocaleString('en')}`,
      rootUrl && `root ${rootUrl}`,
      notFoundUrl && `not found ${notFoundUrl}`,
    ]
      .filter(Boolean)
      .join('  '),
  );
}
