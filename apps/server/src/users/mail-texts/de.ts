import type { MailTexts } from './en.ts';

export const de: MailTexts = {
  somebody: 'Jemand',
  operator: 'Der Betreiber dieses Dienstes',
  modes: { live: 'live', test: 'Test' },
  reset: {
    subject: 'Neues Passwort setzen',
    text: `Setzen Sie ein neues Passwort für Ihr Signpost-Konto. Dieser Link funktioniert einmal, eine Stunde lang:

{link}

Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt dasselbe.
`,
  },
  verify: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: `Bestätigen Sie Ihre E-Mail-Adresse, um die Einrichtung Ihres Signpost-Kontos abzuschließen. Dieser Link gilt 24 Stunden:

{link}

Wenn Sie dieses Konto nicht erstellt haben, ignorieren Sie diese E-Mail und öffnen Sie den Link nicht. Die Adresse bleibt unbestätigt.
`,
  },
  'new-key': {
    subject: 'Neuer API-Schlüssel ({mode}) in Ihrem Konto',
    text: `In Ihrem Signpost-Konto wurde am {time} ein neuer API-Schlüssel ({mode}) erstellt. Ihre Schlüssel:

{url}/app/settings/keys

Wenn Sie das nicht waren, widerrufen Sie dort den Schlüssel und setzen Sie dann ein neues Passwort:

{url}/app/forgot-password
`,
  },
  'new-password': {
    subject: 'Ihr Passwort wurde geändert',
    text: `Das Passwort Ihres Signpost-Kontos wurde am {time} geändert. Alle anderen Geräte wurden abgemeldet.

Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort:

{url}/app/forgot-password
`,
  },
  destinations: {
    subject: '{codes} Ihrer Codes führen jetzt woandershin',
    text: `Die Ziele von {codes} Codes in Ihrem Signpost-Konto wurden innerhalb weniger Minuten geändert, das letzte am {time}. Die Seite jedes Codes zeigt, wer es geändert hat und was vorher galt:

{url}/app/codes

Wenn Sie das nicht waren, widerrufen Sie API-Schlüssel, die Sie nicht kennen, und setzen Sie dann ein neues Passwort:

{url}/app/forgot-password
`,
  },
  deletions: {
    subject: '{codes} Ihrer Codes wurden gelöscht',
    text: `{codes} Codes in Ihrem Signpost-Konto wurden innerhalb weniger Minuten gelöscht, der letzte am {time}. Gedruckte Exemplare funktionieren nicht mehr. Wenn das ein Versehen war, erstellen Sie neue Codes mit denselben Linkenden: Nur Ihr Konto kann sie wieder verwenden. Ihre früheren Scans bleiben gelöscht.

{url}/app/codes

Wenn Sie das nicht waren, widerrufen Sie API-Schlüssel, die Sie nicht kennen, und setzen Sie dann ein neues Passwort:

{url}/app/forgot-password
`,
  },
  'new-browser': {
    subject: 'Neue Anmeldung in Ihrem Konto',
    text: `In Ihrem Signpost-Konto gab es eine Anmeldung mit einem neuen Browser: {device}, am {time}. Wo Sie angemeldet sind:

{url}/app/settings/account

Wenn Sie das nicht waren, setzen Sie ein neues Passwort. Damit werden alle Geräte abgemeldet:

{url}/app/forgot-password
`,
  },
  'suspended-account': {
    subject: 'Ihr Konto wurde aus Sicherheitsgründen gesperrt',
    text: `Ihr Signpost-Konto wurde am {time} aus Sicherheitsgründen gesperrt. Seine Kurzlinks leiten niemanden mehr weiter, und es wurde nichts gelöscht.

Melden Sie sich an, um den Grund zu sehen. Wenn das ein Irrtum ist, können Sie widersprechen:

{url}/app
`,
  },
  'suspended-code': {
    subject: 'Ihr Code wurde aus Sicherheitsgründen gesperrt',
    text: `Ihr Code {link} wurde am {time} aus Sicherheitsgründen gesperrt. Sein Kurzlink leitet niemanden mehr weiter, und es wurde nichts gelöscht.

Melden Sie sich an, um den Grund zu sehen. Wenn das ein Irrtum ist, können Sie widersprechen:

{url}/app
`,
  },
  'released-account': {
    subject: 'Ihr Konto ist nicht mehr gesperrt',
    text: `Ihr Signpost-Konto wurde am {time} freigegeben und ist nicht mehr aus Sicherheitsgründen gesperrt. Melden Sie sich an, um es zu sehen:

{url}/app
`,
  },
  'released-code': {
    subject: 'Ihr Code ist nicht mehr gesperrt',
    text: `Ihr Code {link} wurde am {time} freigegeben und ist nicht mehr aus Sicherheitsgründen gesperrt. Melden Sie sich an, um ihn zu sehen:

{url}/app
`,
  },
  'change-email': {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    text: `Sie möchten diese E-Mail-Adresse für Ihr Signpost-Konto verwenden. Öffnen Sie diesen Link innerhalb von 24 Stunden, um sie zu bestätigen, in einem Browser, in dem Sie angemeldet sind:

{link}

Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich nichts.
`,
  },
  'email-changing': {
    subject: 'Ihre E-Mail-Adresse bei Signpost soll sich ändern',
    text: `Jemand, der Ihr Passwort kennt, wollte am {time} die E-Mail-Adresse Ihres Signpost-Kontos ändern. Diese Adresse gilt weiter, bis die neue bestätigt ist. Hier können Sie die Änderung abbrechen:

{url}/app/settings/account

Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort. Auch das bricht die Änderung ab:

{url}/app/forgot-password
`,
  },
  'email-changed': {
    subject: 'Ihre E-Mail-Adresse bei Signpost wurde geändert',
    text: `Die E-Mail-Adresse Ihres Signpost-Kontos wurde am {time} geändert. Mit dieser Adresse können Sie sich nicht mehr anmelden und kein Passwort mehr zurücksetzen. Alle anderen Sitzungen wurden beendet.

Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber des Servers.
`,
  },
  'domain-target': {
    subject: '{host} führt nicht mehr zu einer seiner Seiten',
    text: `Eine Seite, zu der {host} neben seinen QR-Codes führte, wurde am {time} auf einem gesperrten Host oder einer Sperrliste gefunden. Sie wurde entfernt: Stattdessen erscheint dort eine Seite des Dienstes. Codes, die mit {host} gedruckt sind, sind davon nicht betroffen.

Fragen Sie den Betreiber des Dienstes, wenn das ein Irrtum ist:

{url}/app
`,
  },
  closed: {
    subject: 'Ihr Signpost-Konto wurde geschlossen',
    text: `Ein Signpost-Konto, zu dem Sie gehörten, wurde am {time} von einem Inhaber geschlossen, der sein Passwort kennt. Seine Codes funktionieren nicht mehr, und seine Daten werden gelöscht. Das lässt sich nicht rückgängig machen.

Wenn es Ihr einziges Konto war, wird auch Ihr Zugang gelöscht: mit dem Konto, wenn Sie es erstellt haben, und nach 30 Tagen, wenn Sie eingeladen wurden.

Wenn Sie das überrascht, fragen Sie die Inhaber des Kontos oder den Betreiber des Servers.
`,
  },
  removed: {
    subject: 'Sie wurden aus einem Signpost-Konto entfernt',
    text: `Sie wurden am {time} von einem Inhaber oder Admin aus einem Signpost-Konto entfernt. Seine Codes und Scans sehen Sie nicht mehr. Ihre anderen Konten bleiben, wie sie sind:

{url}/app

Wenn es Ihr einziges Konto war, wird Ihr Zugang nach 30 Tagen gelöscht.
`,
  },
  invitation: {
    subject: 'Sie sind in ein Signpost-Konto eingeladen',
    text: `{inviter} lädt Sie ein, in einem Signpost-Konto gemeinsam an QR-Codes zu arbeiten. Dieser Link funktioniert einmal, 7 Tage lang, und nur für diese E-Mail-Adresse:

{link}

Wenn Sie nicht wissen, wer das ist, ignorieren Sie diese E-Mail. Es geschieht nichts, solange Sie den Link nicht öffnen und annehmen.
`,
  },
};
