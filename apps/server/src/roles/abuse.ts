import { parseArgs } from 'node:util';
import { AppError } from '../kernel/errors.ts';
import { createIds } from '../kernel/ids.ts';
import { parseHost } from '../qrcodes/blocked-host.ts';
import { createModeration, type Moderation, type Progress } from '../qrcodes/moderation.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inSteps, type Print } from './print.ts';

export const abuseUsage = `signpost admin block-host HOST [--reason TEXT]
                                         no code may lead there or to its subdomains; pauses those that do
signpost admin unblock-host HOST         what was paused stays paused
signpost admin list-blocked-hosts        each with the time and the reason
signpost admin pause-code SHORT_CODE     one code of anybody; when it answers, no redirect sends anybody on`;

const commands = ['block-host', 'unblock-host', 'list-blocked-hosts', 'pause-code'];

export const isAbuseCommand = (command: string | undefined): boolean => commands.includes(command ?? '');

/** What the operator does when a code is abused. */
export const runAbuse = (args: readonly string[], engines: AdminEngines, print: Print): Promise<void> =>
  withLinks(engines, print, links => {
    const { db, clock } = engines;
    const parts = { db, ids: createIds(clock), clock, links };
    return dispatch(args, createModeration(parts), print);
  });

async function dispatch(args: readonly string[], moderation: Moderation, print: Print): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  const [command, named = ''] = positionals;
  switch (command) {
    case 'block-host':
      return block(moderation, hostFrom(named), values.reason ?? null, print);
    case 'unblock-host': {
      const host = hostFrom(named);
      const was = await moderation.unblock(host);
      print(
        was
          ? `${host} is no longer blocked. Codes that were paused stay so until their owners set them active.`
          : `${host} was not blocked. signpost admin list-blocked-hosts shows what is.`,
      );
      return;
    }
    case 'list-blocked-hosts': {
      const hosts = await moderation.blockedHosts();
      for (const { host, reason, createdAt } of hosts)
        print(`${createdAt.toISOString()}  ${host}  ${reason}`.trimEnd());
      if (hosts.length === 0) print('No host is blocked.');
      return;
    }
    case 'pause-code': {
      if (named === '') throw usage('Say which code: what stands behind the last slash of its short link.');
      const { paused, destination } = await moderation.pauseCode(named);
      print(`${named} ${paused ? 'is paused' : 'was paused already'}. It leads to ${destination}`);
      print('Its owner can set it active again. Block the host where that must not be.');
      return;
    }
    default:
      throw usage(`There is no command ${command}.`);
  }
}

async function block(
  moderation: Moderation,
  host: string,
  reason: string | null,
  print: Print,
): Promise<void> {
  await moderation.block(host, reason);
  print(`${host} and its subdomains are blocked. Looking for codes that lead there.`);
  const tell = inSteps(print);
  const { looked, paused } = await moderation.pauseAll(host, progress =>
    tell(stepOf(progress), say(progress)),
  );
  print(`Done: ${say({ looked, paused })}`);
}

/** Worth a line: every 100,000 codes looked at, every 1,000 paused. */
const stepOf = ({ looked, paused }: Progress) => Math.floor(looked / 100_000) + Math.floor(paused / 1000);

const say = ({ looked, paused }: Progress) =>
  `codes paused: ${paused.toLocaleString('en')}, looked at: ${looked.toLocaleString('en')}`;

function hostFrom(text: string): string {
  const host = parseHost(text);
  if (host === null)
    throw usage(
      `${text === '' ? 'Name a host' : `${text} is no host`}: evil.example, without https:// or a path.`,
    );
  return host;
}

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${abuseUsage}`);
