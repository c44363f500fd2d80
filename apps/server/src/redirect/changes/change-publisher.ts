import { randomUUID } from 'node:crypto';
import { createInbox } from '@nats-io/transport-node';
import type { Nats, NatsConnection } from '../../platform/nats/nats.ts';
import { Acknowledgements, type AckTimes } from './acknowledgements.ts';
import { type ChangeNumber, type Changes, decodeAck } from './change.ts';
import type { ChangeStream } from './change-stream.ts';

/** Gives changes their number, and receives the acknowledgements of the processes that have applied them. */
export type ChangePublisher = {
  /** Null where nothing can be numbered. */
  publish(changes: Changes): Promise<NumberedChanges | null>;
};

type NumberedChanges = {
  readonly n: number;
  /** The same with its stream; null where that could not be found out. */
  readonly newest: ChangeNumber | null;
  readonly acknowledgements: Acknowledgements;
};

type Parts = {
  readonly nats: Pick<Nats, 'connection'>;
  readonly stream: ChangeStream;
  readonly times: AckTimes;
};

/**
 * What is acknowledged over one inbox has numbers of one copy of the stream. After a failure, or when a number was assigned
 * twice, there is a new inbox: acknowledgements of before do not count for what comes after.
 */
type Inbox = {
  readonly connection: NatsConnection;
  readonly subject: string;
  readonly acknowledgements: Acknowledgements;
  readonly stream: Promise<string | null>;
  newest: number;
  close(): void;
};

/** Longer than anybody waits for an acknowledgement. */
const closeAfterMs = 30_000;

export function createChangePublisher({ nats, stream, times }: Parts): ChangePublisher {
  let current: Inbox | null = null;

  function openInbox(connection: NatsConnection): Inbox {
    const subject = createInbox();
    const acknowledgements = new Acknowledgements(times);
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return;
        const { process, n } = decodeAck(message.string());
        acknowledgements.add(process, n);
      },
    });
    return {
      connection,
      subject,
      acknowledgements,
      newest: 0,
      stream: stream.state().then(
        state => state.stream,
        () => null,
      ),
      close: () => subscription.unsubscribe(),
    };
  }

  /** Rounds under way still get their acknowledgements. */
  function retire(inbox: Inbox): void {
    if (current === inbox) current = null;
    setTimeout(() => inbox.connection.isClosed() || inbox.close(), closeAfterMs).unref();
  }

  async function publish(changes: Changes, all: boolean): Promise<NumberedChanges | null> {
    const connection = nats.connection();
    if (!connection) return null;
    if (current && current.connection !== connection) retire(current);
    try {
      current ??= openInbox(connection);
    } catch {
      // The connection was closed a moment ago; its status event is still to come.
      return null;
    }
    const inbox = current;
    const before = inbox.newest;
    let n: number;
    try {
      n = await stream.append({ ...changes, all, id: randomUUID(), inbox: inbox.subject });
    } catch {
      // It may have been stored nevertheless, under a number that nobody knows here.
      retire(inbox);
      return null;
    }
    if (n <= before) {
      // The stream was replaced, or it has lost its end and with it changes that some process may not have applied.
      retire(inbox);
      return all ? null : publish(changes, true);
    }
    inbox.newest = Math.max(inbox.newest, n);
    const name = await inbox.stream;
    return {
      n,
      newest: name === null ? null : { stream: name, n },
      acknowledgements: inbox.acknowledgements,
    };
  }

  return { publish: changes => publish(changes, false) };
}
