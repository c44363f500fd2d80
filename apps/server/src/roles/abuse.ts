import { parseArgs } from 'node:util';
import { createKeyForgetter } from '../accounts/key-cache.ts';
import { AppError } from '../kernel/errors.ts';
import { createIds, formatId, parseId, type Uuid } from '../kernel/ids.ts';
import { shortUrlOf } from '../kernel/link-key.ts';
import { tokenKey } from '../limits/rate-limiter.ts';
import { parseHost } from '../qrcodes/blocked-host.ts';
import { createModeration, type Moderation } from '../qrcodes/moderation.ts';
import { createHostSuspensions } from '../suspensions/by-host.ts';
import { parseLooked } from '../suspensions/looked-for.ts';
import { findAccount, findCodes } from '../suspensions/operator-view.ts';
import { createSuspensions, type Suspensions } from '../suspensions/service.ts';
import type { Suspension } from '../suspensions/suspension.ts';
import { afterAccountRelease, afterRelease } from './after-release.ts';
import { byWebhook } from './announcing.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inOneLine, inSteps, type Print } from './print.ts';
import { printWho } from './who.ts';

export const abuseUsage = `signpost admin who SHORT_CODE|URL         whose code it is, with the account's people and its other codes; for the
                                         address of a page, the codes that lead to its host
signpost admin suspend-code SHORT_CODE|SHORT_LINK --reason TEXT
                                         stops one code of anybody, a test code as t/TAG/SHORT_CODE; the owner is told the
                                         reason and cannot lift it
signpost admin suspend-account ACCOUNT --reason TEXT
                                         the same for an account with all its codes
signpost admin release-code SHORT_CODE|SHORT_LINK
signpost admin release-account ACCOUNT
signpost admin list-suspensions [--appealed]
                                         what is suspended; with --appealed what an owner has appealed against
signpost admin block-host HOST [--reason TEXT]
                                         no code may lead there or to its subdomains; suspends those that do
signpost admin unblock-host HOST         releases the codes that were suspended for it
signpost admin list-blocked-hosts        each with the time and the reason
signpost admin pause-code SHORT_CODE|SHORT_LINK
                                         pauses one code of anybody, whose owner can set it active again`;

const commands = [
  'who',
  'suspend-code',
  'suspend-account',
  'release-code',
  'release-account',
  'list-suspensions',
  'block-host',
  'unblock-host',
  'list-blocked-hosts',
  'pause-code',
];

export const isAbuseCommand = (command: string | undefined): boolean => commands.includes(command ?? '');

/** What the operator does when a code is abused. */
export async function runAbuse(args: readonly string[], engines: AdminEngines, print: Print): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { reason: { type: 'string' }, appealed: { type: 'boolean', default: false } },
  });
  const [command, named = ''] = positionals;
  const { db, config } = engines;
  if (command === 'who') {
    if (named === '') throw usage('Say what to look for: a short code, a short link or another URL.');
    return printWho(db, named, config.shortBaseUrl, print);
  }
  return withLinks(engines, print, redirects =>
    dispatch(command, named, values, openTools(engines, redirects), print),
  );
}

type Tools = {
  readonly engines: AdminEngines;
  readonly moderation: Moderation;
  readonly suspensions: Suspensions;
};

function openTools(
  engines: AdminEngines,
  redirects: Parameters<typeof createModeration>[0]['redirects'],
): Tools {
  const { db, clock, redis } = engines;
  const ids = createIds(clock);
  const { forget } = createKeyForgetter(redis, tokenKey, 1000);
  const suspender = createHostSuspensions({ db, clock, redirects, announce: byWebhook });
  return {
    engines,
    moderation: createModeration({ db, ids, clock, redirects, suspender }),
    suspensions: createSuspensions({ ids, clock, redirects, forget, announce: byWebhook }),
  };
}

type Options = { readonly reason?: string | undefined; readonly appealed: boolean };

async function dispatch(
  command: string | undefined,
  named: string,
  { reason, appealed }: Options,
  { engines, moderation, suspensions }: Tools,
  print: Print,
): Promise<void> {
  const { db, config } = engines;
  const took = stopwatch();
  switch (command) {
    case 'suspend-code': {
      const [code, why] = [codeFrom(named, config), reasonFrom(reason)];
      const suspension = await suspensions.suspendCode(db, code, why);
      print(`${suspension.code!.shortCode} is suspended on all redirects (${took()}).`);
      print(`It leads to ${inOneLine(suspension.url ?? '')}`);
      printEarlier(suspension, why, print);
      return;
    }
    case 'suspend-account': {
      const [id, why] = [accountFrom(named), reasonFrom(reason)];
      const suspension = await suspensions.suspendAccount(db, id, why);
      print(`${named} is suspended on all redirects (${took()}).`);
      printEarlier(suspension, why, print);
      return;
    }
    case 'release-code': {
      const { name } = codeFrom(named, config);
      await suspensions.releaseCode(db, { name });
      print(`${name} is released on all redirects (${took()}).`);
      const [code] = await findCodes(db, name, config.shortBaseUrl);
      print(code ? afterRelease(code) : '');
      return;
    }
    case 'release-account': {
      const id = accountFrom(named);
      await suspensions.releaseAccount(db, id);
      print(`${named} is released on all redirects (${took()}).`);
      const account = await findAccount(db, id);
      print(account ? afterAccountRelease(account) : '');
      return;
    }
    case 'list-suspensions': {
      const page = { page: 1, limit: listed };
      const { items, total } = await suspensions.list(db, page, appealed ? 'appealed' : 'open');
      for (const suspension of items) printSuspension(suspension, config.shortBaseUrl, print);
      if (total === 0) print(appealed ? 'There is no appeal.' : 'Nothing is suspended.');
      if (total > items.length) print(`These are the newest of ${total.toLocaleString('en')}.`);
      return;
    }
    case 'block-host':
      return block(moderation, hostFrom(named), reason ?? null, print);
    case 'unblock-host':
      return unblock(moderation, hostFrom(named), print);
    case 'list-blocked-hosts': {
      const hosts = await moderation.blockedHosts();
      for (const { host, reason, createdAt } of hosts)
        print(`${createdAt.toISOString()}  ${host}  ${reason}`.trimEnd());
      if (hosts.length === 0) print('No host is blocked.');
      return;
    }
    case 'pause-code': {
      const { name } = codeFrom(named, config);
      const { paused, destination } = await moderation.pauseCode(name);
      print(`${name} ${paused ? 'is paused' : 'was paused already'}. It leads to ${destination}`);
      print('Its owner can set it active again. Suspend the code where that must not be.');
      return;
    }
    default:
      throw usage(`There is no command ${command}.`);
  }
}

/** Suspensions that are shown at a time. */
const listed = 100;
/** Worth a line: every 10,000 codes. */
const stepCodes = 10_000;

async function block(
  moderation: Moderation,
  host: string,
  reason: string | null,
  print: Print,
): Promise<void> {
  const took = stopwatch();
  const told = await moderation.block(host, reason);
  print(`${host} and its subdomains are blocked on all redirects (${took()}).`);
  const tell = inSteps(print);
  const suspended = await moderation.suspendAll(host, told, soFar =>
    tell(Math.floor(soFar / stepCodes), `codes marked as suspended: ${soFar.toLocaleString('en')}`),
  );
  print(`Done: codes suspended: ${suspended.toLocaleString('en')}. Their owners read: ${inOneLine(told)}`);
}

async function unblock(moderation: Moderation, host: string, print: Print): Promise<void> {
  const tell = inSteps(print);
  const { was, released } = await moderation.unblock(host, soFar =>
    tell(Math.floor(soFar / stepCodes), `codes released: ${soFar.toLocaleString('en')}`),
  );
  print(
    was || released > 0
      ? `${host} is no longer blocked. Codes released: ${released.toLocaleString('en')}.`
      : `${host} was not blocked. signpost admin list-blocked-hosts shows what is.`,
  );
}

export function printSuspension(
  { code, account, cause, source, reason, suspendedAt, appeal }: Suspension,
  shortBaseUrl: string,
  print: Print,
): void {
  const what = code ? shortUrlOf(shortBaseUrl, code) : formatId('acct', account.id);
  const by = cause === 'operator' ? 'operator' : `${cause} ${source}`;
  print(`${suspendedAt.toISOString()}  ${what}  ${by}  ${inOneLine(reason)}`);
  if (appeal) print(`  appeal of ${appeal.at.toISOString()}: ${inOneLine(appeal.text)}`);
}

/** How long it has been since, as people read it. */
function stopwatch(): () => string {
  const startMs = performance.now();
  return () => `${((performance.now() - startMs) / 1000).toFixed(2)} s`;
}

/** However a report writes it: the short code, or the whole short link. */
function codeFrom(text: string, { shortBaseUrl }: AdminEngines['config']): { readonly name: string } {
  if (text === '') throw usage('Say which code: its short link, or what that has behind the host.');
  const looked = parseLooked(text, shortBaseUrl);
  if (looked === null || !('key' in looked))
    throw usage(`${text} is not a short link of this service. Those begin with ${shortBaseUrl}/`);
  return { name: looked.key };
}

/** The first reason stays: the owner may have answered to it. */
function printEarlier({ reason, suspendedAt }: Suspension, given: string, print: Print): void {
  if (reason === given) return;
  print(`It was suspended already, ${suspendedAt.toISOString()}: ${inOneLine(reason)}`);
  print('To give another reason, release it and suspend it again.');
}

function accountFrom(text: string): Uuid {
  const id = parseId('acct', text);
  if (!id)
    throw usage(
      `${text === '' ? 'An account id is missing' : `${text} is not an account id`}. Ids look like acct_…; signpost admin list-accounts shows them.`,
    );
  return id;
}

/** As long as the dashboard takes it. */
const maxReason = 500;

function reasonFrom(reason: string | undefined): string {
  const text = reason?.trim() ?? '';
  if (text === '') throw usage('Say why, in words for the owner: --reason "Phishing".');
  if (text.length > maxReason) throw usage(`--reason has at most ${maxReason} characters.`);
  return text;
}

function hostFrom(text: string): string {
  const host = parseHost(text);
  if (host === null)
    throw usage(
      `${text === '' ? 'A host is missing' : `${text} is not a host`}. Name one such as evil.example, without https:// or a path.`,
    );
  return host;
}

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${abuseUsage}`);
