/**
 * away: NATS is not connected. too_large: the log will never take it. unconfirmed: an ack that promises nothing.
 * reset: the log ends before the position asked for, so it is not the log that was read before.
 */
export type ScanLogFault = 'away' | 'too_large' | 'unconfirmed' | 'reset';

export class ScanLogError extends Error {
  readonly fault: ScanLogFault;

  constructor(fault: ScanLogFault, message: string) {
    super(message);
    this.name = 'ScanLogError';
    this.fault = fault;
  }
}
