import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Suspension } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { Dot } from '../../ui/dot.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AccountName } from './account-chips.tsx';
import { AppealBox, KeepButton } from './appeal-box.tsx';
import { Entry } from './entries.tsx';
import { Targets } from './targets.tsx';
import { subjectOf } from './use-release.tsx';
import { hostOf } from './words.ts';

const text = operatorText.suspensions;

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
        <LongText text={suspension.reason} what={text.reason} size="sm" />
        <Leads suspension={suspension} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Sentence
            text={text.by[suspension.cause]}
            parts={{ suspended: <TimeAgo value={suspension.suspended_at} />, source: suspension.source }}
          />
          {suspension.released_at && (
            <>
              <Dot />
              <Sentence
                text={text.released}
                parts={{ released: <TimeAgo value={suspension.released_at} /> }}
              />
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
      <Badge variant="default" tt="none" fw={500} miw="fit-content">
        {text.subject[subject]}
      </Badge>
      {subject === 'code' &&
        (qr_code ? (
          <LinkAnchor
            to="/operator/look-up"
            search={{ link: qr_code.short_url }}
            size="sm"
            fw={500}
            ff="monospace"
            style={{ overflowWrap: 'anywhere' }}
          >
            {subjectOf(suspension)}
          </LinkAnchor>
        ) : (
          <Text size="sm" fw={500}>
            {text.deletedCode}
          </Text>
        ))}
      <AccountName account={account} />
      {deleted_at && (
        <Badge color="gray" variant="light" tt="none" fw={500} miw="fit-content">
          {text.deleted}
        </Badge>
      )}
    </Group>
  );
}

/** An appeal is judged by where the code leads now, not only by where it led then. */
function Leads({ suspension: { url, qr_code, deleted_at } }: { readonly suspension: Suspension }) {
  const targets = qr_code?.targets ?? [];
  const stillLeads = !deleted_at && targets.some(target => target.url === url && !target.removed_at);
  return (
    <>
      {url && <Led url={url} />}
      {stillLeads && (
        <Text size="xs" c="dimmed">
          {text.stillLeads}
        </Text>
      )}
      {qr_code && (targets.length > 1 || (targets.length === 1 && !stillLeads)) && (
        <>
          <Text size="sm">{deleted_at ? text.destinationsBefore : text.destinations}</Text>
          <Targets targets={targets} more={qr_code.more_targets} isLead={false} />
        </>
      )}
    </>
  );
}

function Led({ url }: { readonly url: string }) {
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Sentence text={text.ledTo} parts={{ host: <b>{hostOf(url)}</b> }} />
      </Text>
      <LongText
        text={url}
        what={operatorText.code.theDestination}
        lines={1}
        size="xs"
        c="dimmed"
        ff="monospace"
      />
    </div>
  );
}

function Action({ suspension, isReleasing, onRelease }: Props) {
  const { released_at, deleted_at, appeal } = suspension;
  if (released_at) return null;
  if (deleted_at)
    return (
      <Text size="xs" c="dimmed" maw={220}>
        {text.kept}
      </Text>
    );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={isReleasing}
        onClick={onRelease}
        aria-label={text.releaseOf(subjectOf(suspension))}
      >
        {text.release}
      </Button>
      {appeal && !appeal.answer && <KeepButton suspension={suspension} />}
    </>
  );
}
