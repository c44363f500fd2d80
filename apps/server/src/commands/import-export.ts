import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { CreateQrCode } from '@signpost/contract';
import { type QrCode, Signpost } from '@signpost/sdk';
import type { CallerSettings, Config } from '../config/config.ts';
import { compileValidator } from '../http/validation/validation.ts';
import { toLocation } from '../kernel/addresses/location.ts';
import { AppError } from '../kernel/errors.ts';
import type { Print } from '../kernel/print.ts';
import { createOwnAddresses } from '../qrcodes/creation/own-addresses.ts';
import { refuseReserved } from '../qrcodes/creation/short-code.ts';
import { planImport, type Rule, toCreate, toPlaceKey } from '../qrcodes/import-export/plan.ts';
import { readLinks } from '../qrcodes/import-export/read-links.ts';
import { type RedirectHost, redirectMaps } from '../qrcodes/import-export/redirect-map.ts';
import { type ImportFailure, importReport } from '../qrcodes/import-export/report.ts';
import { checkDestinations, type OwnAddressCheck } from '../qrcodes/targets/destination.ts';
import { checkRules } from '../rules/checks.ts';
import { toRulesChange } from '../rules/wire.ts';
import { type ImportTarget, importDirectly } from './import-direct.ts';

export const importExportUsage = `signpost import FILE --from bitly|dub|shlink|kutt [--host HOST | --domains] [--reclaim] [--dry-run] [--direct]
                                         codes from the export of another service; try --dry-run first. --domains
                                         puts each link on the active domain of its host, instead of all of
                                         one host on the host of the service. --reclaim
                                         uses short codes again whose codes you have deleted. --direct is
                                         for the operator: it needs the settings of a server, and ignores
                                         MIN_CUSTOM_CODE_LENGTH and the limit on new codes per minute
signpost export DIRECTORY                codes with styles and scans, and their redirects for nginx, Caddy and Cloudflare
                                         Both use the API: SIGNPOST_URL, and SIGNPOST_KEY or SIGNPOST_KEY_FILE`;

const codesPerCall = 500;
const validate = compileValidator(CreateQrCode);

/** Imports codes from a file. A dry run applies every rule that the account can know in advance. */
export async function runImport(
  args: readonly string[],
  settings: CallerSettings,
  print: Print,
  readServerConfig: () => Config,
): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      host: { type: 'string' },
      domains: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean' },
      reclaim: { type: 'boolean' },
      direct: { type: 'boolean' },
    },
  });
  const [file] = positionals;
  const { from, host } = values;
  if (!file || !from)
    throw new AppError(
      'invalid_request',
      `Name the file, and say --from which service.\n\n${importExportUsage}`,
    );
  const { 'dry-run': dryRun = false, reclaim = false } = values;
  if (host !== undefined && values.domains)
    throw new AppError('invalid_request', 'Use --host or --domains, not both.');
  const run = async ({ own, taken, listDomains, createMany }: ImportTarget) => {
    const domains = values.domains ? new Set(await listDomains()) : undefined;
    const links = readLinks(from, readFileSync(file, 'utf8'));
    const plan = planImport(links, { host, domains, taken, rule: ruleFor(own) });
    const failed: ImportFailure[] = [];
    for (let start = 0; start < plan.create.length && !dryRun; start += codesPerCall)
      failed.push(...(await createMany(plan.create.slice(start, start + codesPerCall), reclaim)));
    for (const line of importReport(plan, failed, dryRun)) print(line);
  };
  if (values.direct) await importDirectly(readServerConfig(), settings.key, print, run);
  else await run(await apiTarget(settings));
}

async function apiTarget(settings: CallerSettings): Promise<ImportTarget> {
  await requireApi(settings);
  const signpost = createClient(settings);
  const codes = await listCodes(signpost);
  return {
    own: createOwnAddresses({
      urls: [getShortBase(codes.find(onService), settings.url), settings.url],
      ports: [],
    }),
    taken: new Set(codes.map(code => toPlaceKey(lastSegment(code.short_url), code.domain))),
    listDomains: async () =>
      (await signpost.domains.list()).data.flatMap(({ host, status }) => (status === 'active' ? host : [])),
    async createMany(links, reclaim) {
      const { data } = await signpost.qrcodes.bulkCreate({
        items: links.map(link => toCreate(link, reclaim)),
      });
      return data.flatMap(item =>
        item.status === 'failed' ? [{ link: links[item.index]!, reason: item.error.message }] : [],
      );
    },
  };
}

/** Writes all codes of one account and mode into a directory. */
export async function runExport(
  args: readonly string[],
  settings: CallerSettings,
  print: Print,
): Promise<void> {
  const [directory] = args;
  if (!directory)
    throw new AppError('invalid_request', `Name the directory to write to.\n\n${importExportUsage}`);
  await requireApi(settings);
  mkdirSync(join(directory, 'scans'), { recursive: true });
  mkdirSync(join(directory, 'redirects'), { recursive: true });
  const signpost = createClient(settings);
  const codes: QrCode[] = [];
  for (const { id } of await listCodes(signpost)) codes.push(await signpost.qrcodes.get(id));
  writeFileSync(join(directory, 'codes.json'), `${JSON.stringify(codes, null, 1)}\n`);

  for (const code of codes.filter(({ total_scans }) => total_scans > 0)) {
    const { body } = await signpost.analytics.export(code.id, {
      format: 'csv',
      start_date: code.created_at.slice(0, 10),
    });
    await pipeline(
      Readable.fromWeb(body! as never),
      createWriteStream(join(directory, 'scans', `${code.id}.csv`)),
    );
  }

  const active = codes.filter(code => code.active);
  const hosts = toRedirectHosts(active, new URL(codes[0]?.short_url ?? settings.url).host);
  for (const [name, map] of Object.entries(redirectMaps))
    writeFileSync(join(directory, 'redirects', name), map(hosts));
  const partial = active.filter(hasMore);
  if (partial.length > 0)
    writeFileSync(
      join(directory, 'redirects', 'not-carried.txt'),
      partial.map(code => `${code.short_url}\t${listUnmapped(code).join(', ')}\n`).join(''),
    );
  print(`${codes.length} codes were written to ${directory}; ${active.length} of them redirect.`);
  print(`redirects/ has them for ${Object.keys(redirectMaps).join(', ')}.`);
  if (partial.length > 0)
    print(
      `${partial.length} of them have rules or a schedule, which the maps do not carry: see redirects/not-carried.txt.`,
    );
}

/** Written as our redirects send it: a server that replaces them must lead every client to the same page. */
function toRedirectHosts(codes: readonly QrCode[], hostWithoutCodes: string): RedirectHost[] {
  const byHost = Map.groupBy(codes, code => new URL(code.short_url).host);
  if (byHost.size === 0) return [{ host: hostWithoutCodes, entries: [] }];
  return [...byHost].map(([host, ofHost]) => ({
    host,
    entries: ofHost.map(code => ({
      path: new URL(code.short_url).pathname,
      destinationUrl: toLocation(code.destination_url),
    })),
  }));
}

/** What the maps do not carry: they lead everybody to the destination of a code, at any time. */
const listUnmapped = (code: QrCode): string[] =>
  [
    code.rules.length > 0 ? 'rules' : '',
    code.starts_at !== null || code.expires_at !== null ? 'schedule' : '',
    code.max_scans === null ? '' : 'max_scans',
    code.forward_query || Object.keys(code.append_query).length > 0 ? 'query' : '',
    code.placements.length > 0 ? 'placements' : '',
  ].filter(name => name !== '');

const hasMore = (code: QrCode) => listUnmapped(code).length > 0;

const connectTimeoutMs = 5_000;

/** The client retries for minutes, which is right for a busy service and wrong where there is none. */
async function requireApi({ url, key }: CallerSettings): Promise<void> {
  const next = 'Correct SIGNPOST_URL, or start the API there.';
  const { host } = new URL(url);
  const request = {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(connectTimeoutMs),
  };
  const response = await fetch(`${url}/v1/qrcodes?limit=1`, request).catch(error => {
    const { cause } = error as { cause?: { code?: string } };
    const why = cause?.code ?? 'timeout';
    throw new Error(`SIGNPOST_URL: ${host} cannot be reached (${why}). ${next}`, { cause: error });
  });
  const body = (await response.json().catch(() => null)) as { data?: unknown; error?: unknown } | null;
  if (response.status === 401)
    throw new Error(`SIGNPOST_KEY: ${host} does not know this key. Set a valid one.`);
  if (response.status < 500 && !body?.data && !body?.error)
    throw new Error(`SIGNPOST_URL: ${host} is not a Signpost API. ${next}`);
}

/** Waits as often as the rate limit asks for it. */
const createClient = ({ url, key }: CallerSettings) =>
  new Signpost({ baseUrl: url, apiKey: key, maxRetries: 100, timeoutMs: 120_000 });

async function listCodes(signpost: Signpost) {
  const codes = [];
  for (const archived of [false, true])
    for await (const code of signpost.qrcodes.list({ limit: 100, archived, include: ['domain'] }))
      codes.push(code);
  return codes;
}

/** The service's rules for a new code, so that a dry run reports what would be refused. */
function ruleFor(own: OwnAddressCheck): Rule {
  return link => {
    const result = validate(toCreate(link, false));
    if ('error' in result) return result.error.message;
    try {
      const routing = toRulesChange(link.routing);
      checkDestinations({ destinationUrl: link.destinationUrl, routing }, own);
      if (routing) checkRules(routing);
      refuseReserved(link.shortCode);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  };
}

const onService = ({ domain }: { domain?: string | null }) => !domain;
const lastSegment = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const getShortBase = (code: { short_url: string } | undefined, url: string) =>
  code ? code.short_url.slice(0, code.short_url.lastIndexOf('/')) : url;
