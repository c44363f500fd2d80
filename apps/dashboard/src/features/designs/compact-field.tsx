import { Checkbox, Text } from '@mantine/core';
import { type Style, toCompact } from '@signpost/qr';
import { designsText } from '../../strings/designs.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';

type Props = {
  readonly style: Style;
  readonly onChange: (style: Style) => void;
  readonly link: string;
};

const text = designsText.compact;

/** Whether the code is drawn smaller; nothing where the link cannot be. */
export function CompactField({ style, onChange, link }: Props) {
  const { compact = false, ...usual } = style;
  if (!toCompact(link)) return null;
  return (
    <div>
      <Checkbox
        label={text.label}
        description={text.hint}
        checked={compact}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? { ...usual, compact: true } : usual)
        }
      />
      <Text size="xs" mt={6}>
        {/* In a tab of its own: the form would lose its fields. */}
        <LinkAnchor to="/print/compare" target="_blank" inherit>
          {text.compare}
        </LinkAnchor>
      </Text>
    </div>
  );
}
