import { List, Stack, Text } from '@mantine/core';
import type { Edit, QrCode, RuleBody } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';
import { formatDateTime } from '../../ui/format.ts';
import { RestoreButton } from '../codes/restore-button.tsx';
import { describeRules, type RuleChange, readRules } from './rules-changes.ts';

const text = rulesText.history;

/** What an edit did to the rules, and the way back to those before it. */
export function RulesEdit({ edit, code }: { readonly edit: Edit; readonly code: QrCode }) {
  const [before, after] = [readRules(edit.from), readRules(edit.to)];
  if (!before || !after) return null;
  const restored = describeRules(code.rules, before);
  return (
    <Stack gap={4} align="flex-start">
      <Lines changes={describeRules(before, after)} />
      {restored.length > 0 && (
        <RestoreButton
          code={code}
          change={{ rules: before as RuleBody[] }}
          words={text}
          label={text.restoreOf(formatDateTime(edit.at))}
        >
          <Stack gap="xs">
            <Text size="sm">{text.restoreHint}</Text>
            <Lines changes={restored} />
          </Stack>
        </RestoreButton>
      )}
    </Stack>
  );
}

function Lines({ changes }: { readonly changes: readonly RuleChange[] }) {
  return (
    <List size="sm" spacing={2} listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
      {changes.map(({ key, line }) => (
        <List.Item key={key}>{line}</List.Item>
      ))}
    </List>
  );
}
