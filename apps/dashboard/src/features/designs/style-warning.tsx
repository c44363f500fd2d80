import { Alert, Button, List, Stack, Text } from '@mantine/core';
import {
  gradeStyle,
  logoPlanFor,
  type Style,
  type StyleFinding,
  styleFindings,
  unscannableField,
} from '@signpost/qr';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { designsText } from '../../strings/designs.ts';
import { fixColors } from './fix-style.ts';
import { NoRoom } from './logo-no-room.tsx';

type Props = {
  readonly style: Style;
  /** Of the code: a long one may leave no room for the logo. */
  readonly link: string;
  readonly onFix?: (style: Style) => void;
};

const text = designsText.style;
const colors = { good: 'signpost', fair: 'yellow', poor: 'red' };

/** How well this design scans and what would make it better, which one click does for colours. */
export function StyleWarning({ style, link, onFix }: Props) {
  const { logo } = style;
  if (logo && !logoPlanFor(link, logo, style.compact))
    return (
      <NoRoom
        logo={logo}
        link={link}
        isCompact={style.compact}
        {...(onFix ? { onShrink: size => onFix({ ...style, logo: { ...logo, size } }) } : {})}
      />
    );
  const isUnreadable = unscannableField(style) !== null;
  const level = isUnreadable ? 'poor' : gradeStyle(style).level;
  const findings = styleFindings(style);
  const canFix = onFix && findings.some(({ field }) => field !== undefined);
  // A corner that follows the dots has their fault and not one of its own.
  const sentences = [
    ...new Set(findings.filter(finding => isOwn(finding, style)).map(one => say(one, style))),
  ];
  return (
    <Alert
      color={colors[level]}
      variant="light"
      title={text.levels[isUnreadable ? 'unreadable' : level]}
      icon={level === 'good' ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        {sentences.length === 0 && <Text size="sm">{text.good}</Text>}
        {sentences.length === 1 && <Text size="sm">{sentences[0]}</Text>}
        {sentences.length > 1 && (
          <List size="sm" spacing={4}>
            {sentences.map(sentence => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
        {canFix && (
          <Button size="compact-sm" variant="default" onClick={() => onFix(fixColors(style))}>
            {text.fix}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function isOwn({ field }: StyleFinding, style: Style): boolean {
  if (field === undefined || field === 'dotsColor' || style[field] !== undefined) return true;
  const hasDotsFault = styleFindings(style).some(one => one.field === 'dotsColor');
  return !hasDotsFault;
}

function say({ cause, field = 'dotsColor' }: StyleFinding, style: Style): string {
  const part = field === 'dotsColor' && style.dotsGradient ? 'dotsGradient' : field;
  switch (cause) {
    case 'close':
    case 'light':
    case 'inverted':
      return text[cause][part];
    case 'square-centre':
      return text.squareCentre;
    case 'rounded-among-dots':
      return text.roundedAmongDots;
    case 'round-corner':
      return text.roundCorner;
  }
}
