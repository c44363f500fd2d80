import { Button, List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Edit, QrCode, RuleBody } from '@signpost/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { commonText } from '../../strings/common.ts';
import { rulesText } from '../../strings/rules.ts';
import { formatDateTime } from '../../ui/format.ts';
import { useUpdateCode } from '../codes/use-update-code.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { describeRules, readRules } from './rules-changes.ts';

const text = rulesText.history;

/** What an edit did to the rules, and the way back to those before it. */
export function RulesEdit({ edit, code }: { readonly edit: Edit; readonly code: QrCode }) {
  const { change, isPending } = useUpdateCode(code);
  const isRefused = useRefusal() !== undefined;
  const [before, after] = [readRules(edit.from), readRules(edit.to)];
  if (!before || !after) return null;
  const lines = describeRules(code.rules, before);
  const ask = () =>
    modals.openConfirmModal({
      title: text.restoreTitle,
      children: (
        <Stack gap="xs">
          <Text size="sm">{text.restoreHint}</Text>
          <Lines lines={lines} />
        </Stack>
      ),
      labels: { confirm: text.restoreConfirm, cancel: commonText.cancel },
      onConfirm: () => change({ rules: before as RuleBody[] }),
    });
  return (
    <Stack gap={4} align="flex-start">
      <Lines lines={describeRules(before, after)} />
      {lines.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          loading={isPending}
          disabled={isRefused}
          onClick={ask}
          aria-label={text.restoreOf(formatDateTime(edit.at))}
        >
          {text.restore}
        </Button>
      )}
    </Stack>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <List size="sm" spacing={2} listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
      {lines.map(line => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  );
}
