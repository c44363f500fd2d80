import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Fixed messages, varying fields, one JSON object a line. No address, user agent, key or secret is logged. */
export function createLogger(level: string, role: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Nothing of this is logged on purpose; this is for the day when somebody logs a whole request by mistake.
    redact: ['authorization', 'headers', 'key', 'secret', 'req.headers', 'req.authorization'],
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? standardOutput());
}

/** What a time limit throws carries every constant of the browsers' error codes along. */
function describeError(error: Error) {
  if (!(error instanceof DOMException)) return pino.stdSerializers.err(error);
  return { type: error.name, message: error.message, stack: error.stack };
}

/** A few lines at a time: one write of the system a request would cost more than the line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 });
  process.once('exit', () => output.flushSync());
  return output;
}
