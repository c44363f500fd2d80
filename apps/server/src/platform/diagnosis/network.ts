import { type EngineName, engineInfo, formatAddresses } from '../../kernel/addresses/engine-address.ts';
import { TimeoutError } from '../../kernel/running/with-timeout.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText } from './error-text.ts';

export function diagnoseTls(engine: EngineName, error: unknown, server: string): Diagnosis | null {
  const { code, message } = errorText(error);
  const { setting, example } = engineInfo[engine];
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return misconfiguration(
      `${server} presents a certificate that is not trusted (${code})`,
      'Renew it, use the host name that it is issued for, or name its authority in NODE_EXTRA_CA_CERTS.',
    );
  if (/^ERR_SSL|EPROTO/.test(code) || /tls|ssl routines/i.test(message))
    return misconfiguration(
      `${server} does not accept TLS, which ${setting} asks for (${code || message})`,
      `Turn on TLS on the server, or write the address without it: ${example}.`,
    );
  return null;
}

/** `unclear` if another kind of server on this port would look the same. */
export function diagnoseNetwork(
  engine: EngineName,
  address: string,
  error: unknown,
  server: string,
): Diagnosis | 'unclear' | null {
  const { code, message, name } = errorText(error);
  const { setting } = engineInfo[engine];
  const at = formatAddresses(engine, address);
  if (code === 'ECONNREFUSED')
    return outage(
      `nothing listens at ${at} (connection refused)`,
      `Start it, or correct ${setting}. From a container, localhost is the container itself.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return outage(
      `the host name of ${at} cannot be resolved`,
      `Correct the host in ${setting}, or its entry in DNS.`,
    );
  if (code === 'ENOENT')
    return outage(`there is no socket at ${at}`, `Start the server, or correct the path in ${setting}.`);
  if (code === 'EACCES' || code === 'EPERM')
    return misconfiguration(`this user may not connect to ${at}`, `Allow it, or correct ${setting}.`);
  if (/^E(HOST|NET)(UNREACH|DOWN)$/.test(code))
    return outage(`there is no route to ${at} (${code})`, `Correct ${setting}, or the network.`);
  if (code === 'ETIMEDOUT' && engine !== 'nats')
    return outage(`${server} does not answer`, `Correct ${setting}, or open the firewall in between.`);
  const isBroken =
    /^(ECONN|EPIPE|HPE_|UND_ERR|NR_CLOSED|ETIMEDOUT)/.test(code) || error instanceof TimeoutError;
  if (isBroken || brokenConnection.test(message) || /^(Timeout|Connection|Parser)Error$/.test(name))
    return 'unclear';
  // A web server that is not ClickHouse answers with text that the driver passes on as it is.
  return engine === 'clickhouse' ? 'unclear' : null;
}

/** Only at the start of a message: our own errors may name a migration that contains one of these words. */
const brokenConnection =
  /^(timeout|query read timeout|command timed out|connection (terminated|ended|is closed|closed|disconnected|timeout)|closed|socket (hang|closed|timeout)|unknown RESP|protocol error|client (has encountered|was closed)|read ECONN)/i;
