import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { isJetStreamDisabled } from '../../platform/nats/jetstream.ts';
import type { Nats, NatsConnection } from '../../platform/nats/nats.ts';
import {
  createManager,
  ensureStream,
  isStreamAbsent,
  keepEnsured,
  nanos,
} from '../../platform/nats/streams.ts';
import { type Change, decodeChange, encodeChange } from './change.ts';
import type { ChangeHistory } from './change-sequence.ts';

export type ChangeStreamOptions = {
  readonly replicas: number;
  /** For each call. */
  readonly timeoutMs: number;
};

export const streamName = 'CHANGES';
const subject = 'signpost.changes';
/** NATS publishes every stored message here with its number. */
export const numberedSubject = `${subject}.numbered`;

/** A redirect that was cut off for longer forgets everything it has in memory. */
export const keptMs = 60 * 60 * 1000;
const maxMessages = 100_000;

/** The stream that numbers changes. All calls reject where NATS or JetStream is away. */
export type ChangeStream = ChangeHistory & {
  /** Stores the change and resolves to its number. */
  append(change: Change): Promise<number>;
};

export function createChangeStream(
  nats: Pick<Nats, 'connection'>,
  options: ChangeStreamOptions,
): ChangeStream {
  const { timeoutMs } = options;
  const connected = () => {
    const connection = nats.connection();
    if (!connection) throw new Error('not connected to NATS');
    return connection;
  };
  const openStreams = async (connection: NatsConnection) =>
    (await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs })).streams;

  /** The stream may have been deleted under an open connection. */
  async function withStream<Value>(
    connection: NatsConnection,
    isAbsent: (error: unknown) => boolean,
    work: () => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await ensureChangeStream(connection, options);
      return work();
    }
  }

  return {
    async append(change) {
      const connection = connected();
      // NATS says the same where no stream takes the message as where JetStream is off.
      const publish = () =>
        jetstream(connection).publish(subject, encodeChange(change), { timeout: timeoutMs });
      return (await withStream(connection, isJetStreamDisabled, publish)).seq;
    },
    async state() {
      const connection = connected();
      const streams = await openStreams(connection);
      const { created, state } = await withStream(connection, isStreamAbsent, () => streams.info(streamName));
      return { stream: created, first: state.first_seq, last: state.last_seq };
    },
    async read(n) {
      const message = await (await openStreams(connected())).getMessage(streamName, { seq: n });
      return message && decodeChange(message.string());
    },
  };
}

/** Creates the stream where it is missing, whenever NATS is (re)connected. Returns the stop function. */
export const keepChangeStream = (
  nats: Nats,
  options: Pick<ChangeStreamOptions, 'replicas'>,
  onError: (error: unknown) => void,
): (() => void) => keepEnsured(nats, connection => ensureChangeStream(connection, options), onError);

async function ensureChangeStream(
  connection: NatsConnection,
  { replicas }: Pick<ChangeStreamOptions, 'replicas'>,
): Promise<void> {
  await ensureStream(await createManager(connection), {
    name: streamName,
    subjects: [subject],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // Nobody waits for old ones: a redirect that finds them gone forgets everything.
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(keptMs),
    max_msgs: maxMessages,
    republish: { src: subject, dest: numberedSubject },
  });
}
