import { parseArgs } from 'node:util';
import { parseHost } from '../../kernel/addresses/hosts.ts';
import { escapeControlCharacters, printSteps } from '../../kernel/print.ts';
import { listHosts } from '../../qrcodes/targets/blocked-hosts.ts';
import type { AdminCommand } from './context.ts';
import { moderationUsageError, progressCodes, startTimer, withModeration } from './moderation.ts';

export const blockHost: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  const host = requireHost(positionals[0] ?? '');
  const { print } = context;
  await withModeration(context, async ({ moderation }) => {
    const elapsed = startTimer();
    const ownerReason = await moderation.block(host, values.reason ?? null);
    print(`${host} and its subdomains are blocked on all redirects (${elapsed()}).`);
    const progress = printSteps(print);
    const suspended = await moderation.suspendAll(host, ownerReason, soFar =>
      progress(Math.floor(soFar / progressCodes), `codes marked as suspended: ${soFar.toLocaleString('en')}`),
    );
    print(
      `Done: codes suspended: ${suspended.toLocaleString('en')}. Their owners read: ${escapeControlCharacters(ownerReason)}`,
    );
  });
};

export const unblockHost: AdminCommand = async ([target = ''], context) => {
  const host = requireHost(target);
  const { print } = context;
  await withModeration(context, async ({ moderation }) => {
    const progress = printSteps(print);
    const { wasBlocked, released } = await moderation.unblock(host, soFar =>
      progress(Math.floor(soFar / progressCodes), `codes released: ${soFar.toLocaleString('en')}`),
    );
    print(
      wasBlocked || released > 0
        ? `${host} is no longer blocked. Codes released: ${released.toLocaleString('en')}.`
        : `${host} was not blocked. signpost admin list-blocked-hosts shows the blocked hosts.`,
    );
  });
};

export const listBlockedHosts: AdminCommand = async (_args, { engines, print }) => {
  const hosts = await listHosts(engines.db);
  for (const { host, reason, createdAt } of hosts)
    print(`${createdAt.toISOString()}  ${host}  ${reason}`.trimEnd());
  if (hosts.length === 0) print('No host is blocked.');
};

function requireHost(text: string): string {
  const host = parseHost(text);
  if (host !== null) return host;
  const reason = text === '' ? 'A host is missing' : `${text} is not a host`;
  throw moderationUsageError(`${reason}. Name one such as evil.example, without https:// or a path.`);
}
