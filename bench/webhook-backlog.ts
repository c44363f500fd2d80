import { proveBacklog } from '../test/chaos/webhook-backlog.ts';

/**
 * An account with a million undelivered webhooks (`-- --messages N`): the queue in NATS stays within its limit, nothing is
 * dropped, and the shard's lag does not grow, not even while the queue does not answer at all.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--messages');
  const messages = at >= 0 ? Number(args[at + 1]) : 1_000_000;
  if (!Number.isInteger(messages) || messages < 1) throw new Error('Give a number: --messages 1000000');
  const figures = await proveBacklog({ messages, maxPerAccount: 10_000, seconds: 10 }, console.log);
  console.log(
    `webhook-backlog ${Object.entries(figures)
      .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`)
      .join(' ')}`,
  );
  if (!figures.holds) process.exitCode = 1;
}
