import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Suspension } from '@signpost/contract';
import { LongText } from '../../ui/long-text.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AccountName } from './account-chips.tsx';
import { AppealBox, KeepButton } from './appeal-box.tsx';
import { Entry } from './entries.tsx';
import { subjectOf } from './use-release.tsx';
import { causeOf, hostOf } from './words.ts';

type Props = {
  readonly suspension: Suspension;
  readonly isReleasing: boolean;
  readonly onRelease: () => void;
};

export function SuspensionEntry({ suspension, isReleasing, onRelease }: Props) {
  return (
    <Entry actions={<Action suspension={suspension} isReleasing={isReleasing} onRelease={onRelease} />}>
      <Stack gap={6}>
        <Subject suspension={suspension} />
        <LongText text={suspension.reason} what="the reason" size="sm" />
        <Leads suspension={suspension} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Suspended <TimeAgo value={suspension.suspended_at} /> {causeOf(suspension)}
          {suspension.released_at && (
            <>
              , released <TimeAgo value={suspension.released_at} />
            </>
          )}
        </Text>
        <AppealBox suspension={suspension} />
      </Stack>
    </Entry>
  );
}

function Subject({ suspension }: { readonly suspension: Suspension }) {
  const { qr_code, account, subject, deleted_at } = suspension;
  return (
    <Group gap="xs">
      <Badge variant="default" tt="none" fw={600} miw="fit-content">
        {subject === 'code' ? 'Code' : 'Account'}
      </Badge>
      {subject === 'code' && (
        <>
          {qr_code ? (
            <LinkAnchor
              to="/operator/look-up"
              search={{ link: qr_code.short_url }}
              size="sm"
              fw={600}
              ff="monospace"
              style={{ overflowWrap: 'anywhere' }}
            >
              {subjectOf(suspension)}
            </LinkAnchor>
          ) : (
            <Text size="sm" fw={600}>
              a code that was deleted
            </Text>
          )}
          <Text size="sm" c="dimmed">
            of
          </Text>
        </>
      )}
      <AccountName account={account} />
      {deleted_at && (
        <Badge color="gray" variant="light" tt="none" fw={600} miw="fit-content">
          Deleted
        </Badge>
      )}
    </Group>
  );
}

/** An appeal is judged by where the code leads now, not only by where it led then. */
function Leads({ suspension: { url, qr_code } }: { readonly suspension: Suspension }) {
  const now = qr_code?.destination_url ?? '';
  return (
    <>
      {url && <Destined before="Led to" url={url} after="when it was suspended" />}
      {now !== '' && now !== url && <Destined before="Leads to" url={now} after="now" />}
      {now !== '' && now === url && (
        <Text size="xs" c="dimmed">
          It still leads there.
        </Text>
      )}
    </>
  );
}

type DestinedProps = { readonly before: string; readonly url: string; readonly after: string };

function Destined({ before, url, after }: DestinedProps) {
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {before} <b>{hostOf(url)}</b> {after}
      </Text>
      <LongText text={url} what="the destination" lines={1} size="xs" c="dimmed" ff="monospace" />
    </div>
  );
}

function Action({ suspension, isReleasing, onRelease }: Props) {
  const { released_at, deleted_at, appeal } = suspension;
  if (released_at) return null;
  if (deleted_at)
    return (
      <Text size="xs" c="dimmed" maw={220}>
        It was deleted. What is known about it is kept for 90 days.
      </Text>
    );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={isReleasing}
        onClick={onRelease}
        aria-label={`Release ${subjectOf(suspension)}`}
      >
        Release
      </Button>
      {appeal && !appeal.answer && <KeepButton suspension={suspension} />}
    </>
  );
}
