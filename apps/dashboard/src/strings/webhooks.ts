import { fill } from './fill.ts';

/** The words of webhook endpoints and their deliveries. */
export const webhooksText = {
  title: 'Webhooks',
  newEndpoint: 'New endpoint',
  endpoints: 'Endpoints',
  allEndpoints: 'All endpoints',
  address: 'URL',
  eventsHeading: 'Events',
  state: 'Status',
  created: 'Created',

  noPlan: {
    title: 'Your account has no live webhooks',
    text: 'Ask the operator of this server to turn them on, or try webhooks in test mode. Scans are counted either way.',
    action: 'See your plan',
  },
  empty: {
    title: 'No endpoints yet',
    text: 'Get a signed request on your server for every scan, usually within a second. Failed deliveries are retried for three days.',
  },

  form: {
    createTitle: 'New endpoint',
    create: 'Create endpoint',
    notCreated: 'The endpoint was not created',
    editTitle: 'Edit endpoint',
    save: 'Save',
    saved: 'Endpoint saved. New attempts go to this URL.',
    notSaved: 'The endpoint was not saved',
    address: 'Endpoint URL',
    addressHint: 'Receives a POST request for each event. Answer with a 2xx status.',
    addressPlaceholder: 'https://example.com/hooks/signpost',
    description: 'Description',
    descriptionPlaceholder: 'A note to yourself',
    events: 'Events',
    eventsHint: 'What we send to this endpoint.',
    codeDetails: 'Include details of the code in scans',
    codeDetailsHint:
      'Each scan event also includes the rule, target and placement, and the external ID, short code and metadata of the code.',
    eventsMissing: 'Choose at least one event, or turn the endpoint off.',
  },

  secret: {
    what: 'signing secret',
    newTitle: 'New signing secret',
    use: 'Use it to verify that a request came from this server. We store it encrypted and read it to sign each delivery.',
  },

  actions: {
    more: 'More actions',
    sendTest: 'Send test',
    testSent: 'Test sent. It appears below in a moment.',
    testNotSent: 'The test was not sent',
    edit: 'Edit',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    turnedOn: 'Endpoint turned on.',
    turnedOff: 'Endpoint turned off. Nothing is sent to it.',
    notChanged: 'The endpoint was not changed',
    rotate: 'Rotate secret',
    rotateTitle: 'Create a new secret?',
    rotateText: 'For 24 hours we sign each delivery with both secrets, so you can switch without a gap.',
    rotateConfirm: 'Rotate',
    notRotated: 'The secret was not rotated',
    replayFailed: (days: number) => fill('Retry failed deliveries ({days} days)', { days }),
    noneToReplay: (days: number) => fill('No failed deliveries in the last {days} days.', { days }),
    replayed: (count: number) =>
      fill({ one: 'Retrying {count} delivery.', other: 'Retrying {count} deliveries.' }, { count }),
    notReplayed: 'Nothing was retried',
    delete: 'Delete',
    deleteTitle: 'Delete this endpoint permanently?',
    deleteText: 'We stop sending to it and delete its delivery log.',
    cancel: 'Cancel',
    deleted: 'Endpoint deleted.',
    notDeleted: 'The endpoint was not deleted',
  },

  events: {
    'scan.created': { label: 'Scans', description: 'Every scan of your codes.' },
    'qrcode.suspended': { label: 'Codes suspended', description: 'A code was suspended for safety.' },
    'qrcode.released': { label: 'Codes released', description: 'A suspended code works again.' },
    'account.suspended': {
      label: 'Account suspended',
      description: 'Your whole account was suspended for safety.',
    },
    'account.released': { label: 'Account released', description: 'Your account works again.' },
  },
  sends: (events: string) => fill('Sends: {events}', { events }),
  onlyCodes: (count: number) =>
    fill({ one: 'Scans of {count} chosen code', other: 'Scans of {count} chosen codes' }, { count }),
  onlyTags: (tags: string) => fill('Scans of codes tagged {tags}', { tags }),

  states: {
    on: 'On',
    off: 'Off',
    failing: 'Failing',
    failingAdvice:
      'The latest attempts failed. Open a delivery below to see why. We retry failed deliveries automatically.',
    gone: 'Off: gone',
    goneAdvice: 'Your server answered 410 Gone, so we stopped sending. Turn the endpoint on when it’s back.',
    stopped: 'Off: failing',
    stoppedAdvice:
      'Every attempt failed for five days, so we stopped sending. Fix the receiver, turn the endpoint on, then retry the failed deliveries.',
  },
  rotating: (until: string) => fill('We sign with the old and the new secret until {until}.', { until }),

  deliveries: {
    title: 'Deliveries',
    period: 'Last 30 days',
    filter: 'Delivery status',
    all: 'All',
    delivered: 'Delivered',
    pending: 'Pending',
    failed: 'Failed',
    waiting: 'Waiting',
    empty: 'No deliveries yet',
    emptyOf: {
      delivered: 'No delivered events',
      pending: 'No pending deliveries',
      failed: 'No failed deliveries',
    },
    emptyText: 'Send a test or scan one of your codes. Deliveries appear here automatically.',
    when: 'Time',
    event: 'Event',
    status: 'Status',
    lastResponse: 'Last response',
    attempts: 'Attempts',
    test: 'Test',
    many: 'deliveries',
    testLimit: (used: number, limit: number) =>
      fill('{used} of {limit} test deliveries used today.', { used, limit }),
    testLimitReached: (limit: number) =>
      fill('Your plan includes {limit} test deliveries per day, and today’s are used up', { limit }),
    notQueued: (count: number) =>
      fill({ one: '{count} event was not sent.', other: '{count} events were not sent.' }, { count }),
    testLimitResets: (time: string) => fill('New ones are sent again from {time}.', { time }),
  },

  delivery: {
    title: 'Delivery',
    testAt: (time: string) => fill('Test, {time}', { time }),
    replay: 'Send again',
    replaying: 'Sending again.',
    notReplayed: 'The delivery was not sent again',
    request: 'Request',
    requestBody: 'request body',
    id: (id: string) => fill('webhook-id: {id}', { id }),
    responses: 'Responses',
    responseBody: 'response body',
    firstOnItsWay: 'The first attempt is on its way.',
    took: (time: string, milliseconds: string) => fill('{time}, {milliseconds} ms', { time, milliseconds }),
    nextAttempt: (time: string) => fill('Next attempt {time}', { time }),
  },

  outcomes: {
    notTried: 'Not sent yet',
    noStatus: 'Not a 2xx status',
    timeout: 'Timed out after 15 seconds',
    dns: 'Host not found',
    blocked_address: 'Private address, not allowed',
    connection: 'Connection failed',
    tls: 'TLS failed: check the certificate',
    disabled: 'Not sent: the endpoint was off',
    event_removed: 'Not sent: the endpoint no longer takes this event',
  },

  waits: {
    host_rate: 'Waiting: the rate limit for this host is reached. It is sent as soon as there is room.',
    first_success:
      'Waiting: until this URL first answers with 2xx, we send 10 attempts a minute. One success lifts the limit.',
  },
} as const;
