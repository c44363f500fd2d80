import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText } from './error-text.ts';

export function diagnoseRedis(error: unknown, server: string): Diagnosis | null {
  const { message } = errorText(error);
  const quote = `${server} says: ${message}`;
  if (/^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH))/.test(message))
    return misconfiguration(
      quote,
      'Correct the user and the password in REDIS_URL, as redis://user:password@host:6379; for `requirepass` leave the user empty.',
    );
  if (/DB index|^ERR .*SELECT is not allowed/.test(message))
    return misconfiguration(
      quote,
      'Put an existing database after the last / of REDIS_URL: 0, or a number below `databases` of the server.',
    );
  if (/^DENIED/.test(message))
    return misconfiguration(
      `${server} is in protected mode`,
      'Set `bind` and a password on the server, and put the password into REDIS_URL.',
    );
  if (/^(LOADING|MASTERDOWN|READONLY|MISCONF|BUSY|CLUSTERDOWN|TRYAGAIN|ERR max number)/.test(message))
    return outage(quote, 'Wait until it has started, and check its log.');
  if (/^MOVED|^CROSSSLOT/.test(message))
    return misconfiguration(quote, 'It is a cluster, which Signpost does not support: use a single Redis.');
  return null;
}
