import { Alert, Box, Grid, Stack } from '@mantine/core';
import { gradeStyle, logoPlanFor, type Style, unscannableField } from '@signpost/qr';
import { IconAlertTriangle } from '@tabler/icons-react';
import { importText } from '../../strings/import.ts';
import { Panel } from '../../ui/panel.tsx';
import { previewLink } from '../codes/new-code.ts';
import { DesignChips } from '../designs/design-chips.tsx';
import { NoRoom } from '../designs/logo-no-room.tsx';
import { QrImage } from '../designs/qr-image.tsx';
import { StyleFields } from '../designs/style-fields.tsx';

type Props = {
  readonly style: Style;
  readonly onChange: (style: Style) => void;
  /** The ending of the first code, and what its link begins with. */
  readonly ending: string;
  readonly base: string;
};

const words = importText.design;

/** One design for all codes of the import. */
export function DesignPanel({ style, onChange, ending, base }: Props) {
  const link = previewLink(ending, base);
  return (
    <Panel title={words.title} description={words.description}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 1 }}>
          <Stack gap="lg">
            <DesignChips style={style} onChange={onChange} />
            <StyleFields style={style} onChange={onChange} link={link} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 2 }}>
          <Stack gap="md">
            <Box maw={260} mx="auto" w="100%">
              <QrImage text={link} style={style} label={words.preview} />
            </Box>
            <Warning style={style} link={link} onFix={onChange} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Panel>
  );
}

type WarningProps = {
  readonly style: Style;
  readonly link: string;
  readonly onFix: (style: Style) => void;
};

/** Only what keeps these codes from scanning is worth a word here. */
function Warning({ style, link, onFix }: WarningProps) {
  const { logo } = style;
  if (logo && !logoPlanFor(link, logo, style.compact))
    return (
      <NoRoom
        logo={logo}
        link={link}
        isCompact={style.compact}
        onShrink={size => onFix({ ...style, logo: { ...logo, size } })}
      />
    );
  const isUnreadable = unscannableField(style) !== null;
  if (!isUnreadable && gradeStyle(style).level !== 'poor') return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="status">
      {isUnreadable ? words.unreadable : words.poor}
    </Alert>
  );
}
