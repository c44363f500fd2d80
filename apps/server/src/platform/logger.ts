import { type DestinationStream, type Logger, pino } from 'pino';
import { isUnavailable } from './postgres/postgres.ts';

export type { Logger };

/** Fixed messages, varying fields, one JSON object per line. No address, user agent, key or secret is logged. */
export function createLogger(level: string, role: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    // None of this is logged on purpose: this guards against logging a whole request by mistake.
    redact: ['authorization', 'headers', 'key', 'secret', 'req.headers', 'req.authorization'],
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * A DOMException, as time limits throw it, would drag along every constant of the browsers' error codes. That a database is away
 * says nothing about our code: its stack is left out.
 */
function describeError(error: Error) {
  if (isUnavailable(error)) {
    const { type, message } = pino.stdSerializers.err(error);
    return { type, message };
  }
  if (!(error instanceof DOMException)) return pino.stdSerializers.err(error);
  return { type: error.name, message: error.message, stack: error.stack };
}

/** A few lines at a time: a system call per request would cost more than the line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 });
  process.once('exit', () => output.flushSync());
  return output;
}
