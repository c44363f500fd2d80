import type { Config } from '../../config/config.ts';

/** An address of NATS, and the setting that it comes from. */
export type NatsAddress = {
  readonly address: string;
  readonly setting: 'NATS_URL' | 'LOG_NATS_URL' | 'BUS_NATS_URL';
};

type Addresses = Pick<Config, 'natsUrl' | 'logNatsUrl' | 'busNatsUrl'>;

/** Where the scan log is. */
export const logAddress = ({ natsUrl, logNatsUrl }: Addresses): NatsAddress => ({
  address: logNatsUrl,
  setting: logNatsUrl === natsUrl ? 'NATS_URL' : 'LOG_NATS_URL',
});

/** Where everything else is: changes of links, requests that were not redirected, and the queue of webhooks. */
export const busAddress = ({ natsUrl, busNatsUrl }: Addresses): NatsAddress => ({
  address: busNatsUrl,
  setting: busNatsUrl === natsUrl ? 'NATS_URL' : 'BUS_NATS_URL',
});

/** The texts about NATS name NATS_URL: this names the setting that the address comes from. */
export const namingSetting = (text: string, { setting }: NatsAddress): string =>
  text.replace(/(?<!_)NATS_URL/g, setting);
