import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { CreateQrCode } from '@signpost/contract';
import { type QrCode, Signpost } from '@signpost/sdk';
import type { CallerSettings, Config } from '../config.ts';
import { compileValidator } from '../http/validation.ts';
import { AppError } from '../kernel/errors.ts';
import { planImport, type Rule, toCreate } from '../moving/plan.ts';
import { readLinks } from '../moving/read-links.ts';
import { redirectMaps } from '../moving/redirect-map.ts';
import { type Failure, importReport } from '../moving/report.ts';
import { checkDestination, type Own } from '../qrcodes/destination.ts';
import { createOwnAddresses } from '../qrcodes/own-addresses.ts';
import { refuseReserved } from '../qrcodes/short-code.ts';
import { toLocation } from '../redirect/link.ts';
import { type ImportTarget, importDirectly } from './direct-import.ts';
import type { Print } from './print.ts';

export const movingUsage = `signpost import FILE --from bitly|dub|shlink|kutt [--host HOST] [--dry-run] [--direct]
                                         codes from the export of another service; try --dry-run first. --direct is
                                         for the operator: on the stores, with the settings of a server, past
                                         MIN_CHOSEN_CODE and the limit on new codes in a minute
signpost export DIRECTORY                codes with styles and scans, and their redirects for nginx, Caddy and Cloudflare
                                         Both work by the API: SIGNPOST_URL, and SIGNPOST_KEY or SIGNPOST_KEY_FILE`;

const atOnce = 500;
const validate = compileValidator(CreateQrCode);

/** Takes codes over from a file. What a dry run says is what the import then does, as far as the account can know. */
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
      'dry-run': { type: 'boolean' },
      direct: { type: 'boolean' },
    },
  });
  const [file] = positionals;
  const { from, host } = values;
  if (!file || !from) throw new AppError('invalid_request', `Say which file, and --from.\n\n${movingUsage}`);
  const dryRun = values['dry-run'] ?? false;
  const run = async ({ own, taken, make }: ImportTarget) => {
    const plan = planImport(readLinks(from, readFileSync(file, 'utf8')), { host, taken, rule: ruleFor(own) });
    const failed: Failure[] = [];
    for (let at = 0; at < plan.make.length && !dryRun; at += atOnce)
      failed.push(...(await make(plan.make.slice(at, at + atOnce))));
    for (const line of importReport(plan, failed, dryRun)) print(line);
  };
  if (values.direct) await importDirectly(readServerConfig(), settings.key, print, run);
  else await run(await byApi(settings));
}

async function byApi(settings: CallerSettings): Promise<ImportTarget> {
  await requireApi(settings);
  const signpost = patientClient(settings);
  const codes = await listCodes(signpost);
  return {
    own: createOwnAddresses({ urls: [shortBaseOf(codes[0], settings.url), settings.url], ports: [] }),
    taken: new Set(codes.map(code => lastPart(code.short_url).toLowerCase())),
    async make(links) {
      const { data } = await signpost.qrcodes.bulkCreate({ items: links.map(toCreate) });
      return data.flatMap(({ index, error }) => (error ? [{ link: links[index]!, why: error.message }] : []));
    },
  };
}

/** Writes everything of an account and mode into a directory. */
export async function runExport(
  args: readonly string[],
  settings: CallerSettings,
  print: Print,
): Promise<void> {
  const [directory] = args;
  if (!directory) throw new AppError('invalid_request', `Say into which directory.\n\n${movingUsage}`);
  await requireApi(settings);
  mkdirSync(join(directory, 'scans'), { recursive: true });
  mkdirSync(join(directory, 'redirects'), { recursive: true });
  const signpost = patientClient(settings);
  const codes: QrCode[] = [];
  for (const { id } of await listCodes(signpost)) codes.push(await signpost.qrcodes.get(id));
  writeFileSync(join(directory, 'codes.json'), `${JSON.stringify(codes, null, 1)}\n`);

  for (const code of codes.filter(one => one.total_scans > 0)) {
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
  const host = new URL(codes[0]?.short_url ?? settings.url).host;
  // As our own redirects send it: a server in our place must lead every client to the same page.
  const entries = active.map(code => ({
    path: new URL(code.short_url).pathname,
    destinationUrl: toLocation(code.destination_url),
  }));
  for (const [name, map] of Object.entries(redirectMaps))
    writeFileSync(join(directory, 'redirects', name), map(host, entries));
  print(`${codes.length} codes, ${active.length} of them redirect, are in ${directory}.`);
  print(`redirects/ has them for ${Object.keys(redirectMaps).join(', ')}.`);
}

const reachMs = 5_000;

/** The client tries again for minutes, which is right for a service that is busy, and wrong where there is none. */
async function requireApi({ url, key }: CallerSettings): Promise<void> {
  const next = 'Correct SIGNPOST_URL, or start the API there.';
  const { host } = new URL(url);
  const request = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(reachMs) };
  const answer = await fetch(`${url}/v1/qrcodes?limit=1`, request).catch(error => {
    const { cause } = error as { cause?: { code?: string } };
    const why = cause?.code ?? 'no answer in time';
    throw new Error(`SIGNPOST_URL: ${host} is not reached (${why}). ${next}`, { cause: error });
  });
  const body = (await answer.json().catch(() => null)) as { data?: unknown; error?: unknown } | null;
  if (answer.status === 401) throw new Error(`SIGNPOST_KEY: ${host} does not know this key. Set a good one.`);
  if (answer.status < 500 && !body?.data && !body?.error)
    throw new Error(`SIGNPOST_URL: what answers at ${host} is not the API of Signpost. ${next}`);
}

/** Waits as often as the rate limit asks for it. */
const patientClient = ({ url, key }: CallerSettings) =>
  new Signpost({ baseUrl: url, apiKey: key, maxRetries: 100, timeoutMs: 120_000 });

async function listCodes(signpost: Signpost) {
  const codes = [];
  for await (const code of signpost.qrcodes.list({ limit: 100 })) codes.push(code);
  return codes;
}

/** The rules that the service has for a new code, so that a dry run knows them. */
function ruleFor(own: Own): Rule {
  return link => {
    const wanted = toCreate(link);
    const result = validate(wanted);
    if ('error' in result) return result.error.message;
    try {
      checkDestination(link.destinationUrl, own);
      refuseReserved(link.shortCode);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  };
}

const lastPart = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const shortBaseOf = (code: { short_url: string } | undefined, url: string) =>
  code ? code.short_url.slice(0, code.short_url.lastIndexOf('/')) : url;
