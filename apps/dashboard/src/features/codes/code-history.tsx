import { Button, Group, Stack, Text, Timeline } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Edit, QrCode } from '@signpost/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RulesEdit } from '../rules/rules-edit.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { describeEdit, isRestorable } from './edits.ts';
import { codeQuery, historyQuery } from './queries.ts';
import { useUpdateCode } from './use-update-code.tsx';

const route = getRouteApi('/inside/codes/$id/history');
const text = codesText.history;
const anywhere = { overflowWrap: 'anywhere' } as const;

/** Who changed what, when, from what to what; a destination and rules can be restored. */
export function CodeHistory() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const query = useQuery(historyQuery(mode, id));
  return (
    <Panel title={text.title}>
      <QueryView query={query}>
        {({ data, pagination }) => (
          <Stack>
            <Timeline bulletSize={14} lineWidth={2} active={data.length}>
              {data.map(edit => (
                <Timeline.Item
                  key={edit.id}
                  title={
                    <Text size="sm" fw={500}>
                      {describeEdit(edit)}
                    </Text>
                  }
                >
                  <EditBody edit={edit} code={code} />
                </Timeline.Item>
              ))}
            </Timeline>
            {pagination.total > data.length && (
              <Text size="sm" c="dimmed">
                {text.older(data.length)}
              </Text>
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

function EditBody({ edit, code }: { readonly edit: Edit; readonly code: QrCode }) {
  const isPlain = edit.field === 'name' || edit.field === 'destination_url';
  return (
    <Stack gap={4} mt={4}>
      {isPlain && (
        <>
          <Group gap="sm">
            <Value label={text.from} value={edit.from ?? ''} />
            {isRestorable(edit, code.destination_url) && <Restore code={code} destination={edit.from!} />}
          </Group>
          <Value label={text.to} value={edit.to ?? ''} />
        </>
      )}
      {edit.field === 'rules' && <RulesEdit edit={edit} code={code} />}
      <Text size="xs" c="dimmed">
        {text.by(edit.by.name, formatDateTime(edit.at))}
      </Text>
    </Stack>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Text size="sm" style={anywhere}>
      <Text span inherit c="dimmed">
        {label}
      </Text>{' '}
      {value}
    </Text>
  );
}

/** Later changes lie between, so it is said where the code leads now and where it will. */
function Restore({ code, destination }: { readonly code: QrCode; readonly destination: string }) {
  const { change, isPending } = useUpdateCode(code);
  const isRefused = useRefusal() !== undefined;
  const ask = () =>
    modals.openConfirmModal({
      title: text.restoreTitle,
      children: (
        <Text size="sm" style={anywhere}>
          {text.restoreBody}{' '}
          <Text span inherit fw={500}>
            {destination}
          </Text>{' '}
          {text.restoreInstead} {code.destination_url}.
        </Text>
      ),
      labels: { confirm: text.restoreConfirm, cancel: codesText.cancel },
      onConfirm: () => change({ destination_url: destination }),
    });
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconArrowBackUp size={14} aria-hidden />}
      loading={isPending}
      disabled={isRefused}
      onClick={ask}
      aria-label={text.restoreThis(destination)}
    >
      {text.restore}
    </Button>
  );
}
