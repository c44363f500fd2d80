import type { Config } from '../config.ts';
import { type Chores, createChores } from '../platform/chores.ts';
import type { Logger } from '../platform/logger.ts';
import { createOwnAddresses, type OwnAddresses } from '../qrcodes/own-addresses.ts';
import { createHostResolver } from '../webhooks/resolver.ts';

type OwnConfig = Pick<Config, 'shortBaseUrl' | 'publicUrl' | 'imageBaseUrl' | 'apiPort' | 'redirectPort'>;

export const ownAddressesOf = (config: OwnConfig): OwnAddresses =>
  createOwnAddresses({
    urls: [config.shortBaseUrl, config.publicUrl, config.imageBaseUrl],
    ports: [config.apiPort, config.redirectPort],
  });

const everyMs = 60_000;

/**
 * Looks our own names up beside the calls: none of them waits for a name server. Where nobody answers, what was known
 * last stays.
 */
export function watchOwnNames(
  own: OwnAddresses,
  servers: readonly string[],
  logger: Pick<Logger, 'warn' | 'debug'>,
): Chores {
  const resolver = createHostResolver({ allows: () => true }, servers);

  const lookUp = (name: string) =>
    resolver.resolve(name).then(
      found =>
        own.learn(
          name,
          found.map(({ address }) => address),
        ),
      error => logger.debug({ err: error, name }, 'own name not found'),
    );

  return createChores(logger, [
    {
      name: 'look up our own names',
      everyMs,
      // Nobody waits for the answers, not even the end of the process: each comes within seconds or not at all.
      async run() {
        for (const name of own.names) void lookUp(name);
        return false;
      },
    },
  ]);
}
