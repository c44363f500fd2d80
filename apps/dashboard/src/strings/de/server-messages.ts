import type { ServerMessages } from '../server-messages.ts';

export const serverMessages: ServerMessages = {
  invalid_url: 'Die Adresse muss eine vollständige http- oder https-Adresse sein.',
  invalid_short_code: 'Das Linkende enthält unerlaubte Zeichen oder hat eine unerlaubte Länge.',
  reserved_short_code: 'Dieses Linkende ist reserviert. Wählen Sie ein anderes.',
  unscannable_style:
    'Ein Code in diesem Design lässt sich nicht scannen. Wählen Sie Farben mit mehr Kontrast, ein kleineres Logo oder einen kürzeren Link.',
  plan_required: 'Ihr Tarif enthält das nicht.',
  quota_exceeded: 'Das Limit ist erreicht.',
  destination_blocked:
    'Dieses Ziel ist blockiert. Wählen Sie ein anderes oder fragen Sie den Betreiber dieses Servers.',
  short_code_taken: 'Dieses Linkende ist schon vergeben. Wählen Sie ein anderes.',
  external_id_taken: 'Ein anderer Code hat diese externe ID.',
  placement_taken: 'Der Code hat schon eine Platzierung mit diesem Linkende.',
  count_changed:
    'Inzwischen passt eine andere Zahl von Codes. Es wurde nichts geändert. Versuchen Sie es erneut.',
  last_owner:
    'Ein Konto braucht einen Inhaber. Machen Sie zuerst eine andere Person zum Inhaber oder schließen Sie das Konto.',
  asset_in_use: 'Ein Code oder ein Design verwendet dieses Logo. Löschen Sie diese zuerst.',
  precondition_failed:
    'Jemand anderes hat das inzwischen geändert. Es wurde nichts gespeichert. Laden Sie die Seite neu.',
  gone: 'Dieser Code wurde gelöscht.',
  payload_too_large: 'Das ist zu groß, um es zu senden.',
  rate_limit_exceeded: 'Zu viele Versuche in kurzer Zeit.',
  internal_error: 'Auf dem Server ist ein Fehler aufgetreten.',
  unavailable: 'Der Server kann das gerade nicht. Versuchen Sie es gleich noch einmal.',
  timeout: 'Das hat zu lange gedauert. Wählen Sie einen kürzeren Zeitraum oder weniger Ergebnisse.',
  no_account:
    'Sie gehören zu keinem Konto. Öffnen Sie den Link einer Einladung oder bitten Sie um eine neue.',
  not_found: 'Das gibt es nicht mehr, oder es gehört zum anderen Modus oder zu einem anderen Konto.',
  'Wrong e-mail or password.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'You are not signed in.': 'Sie sind nicht angemeldet.',
  'You are not signed in, or your session has ended. Sign in again.':
    'Sie sind nicht angemeldet, oder Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  'This account has been closed.': 'Dieses Konto wurde geschlossen.',
  'The current password is wrong.': 'Das aktuelle Passwort ist falsch.',
  'This is your current password. Choose a different one.':
    'Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.',
  'This password is easy to guess: it is common, a simple pattern, or made of your e-mail address or name. Choose another one, such as four random words.':
    'Dieses Passwort ist leicht zu erraten: Es ist gängig, ein einfaches Muster oder aus Ihrer E-Mail-Adresse oder Ihrem Namen gebildet. Wählen Sie ein anderes, etwa vier zufällige Wörter.',
  'An account with this e-mail address already exists. Sign in, or get a new password.':
    'Ein Konto mit dieser E-Mail-Adresse gibt es schon. Melden Sie sich an oder setzen Sie ein neues Passwort.',
  'This link was already used, has expired, or stopped working when the password changed. Get a new one.':
    'Dieser Link wurde schon verwendet, ist abgelaufen oder gilt seit einer Änderung des Passworts nicht mehr. Fordern Sie einen neuen an.',
  'This is already your e-mail address.': 'Das ist schon Ihre E-Mail-Adresse.',
  'This is not your e-mail address.': 'Das ist nicht Ihre E-Mail-Adresse.',
  'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.':
    'Diese Einladung wurde schon verwendet, widerrufen oder ersetzt, oder sie ist abgelaufen. Bitten Sie um eine neue.',
  'A person with this e-mail address already belongs to the account.':
    'Eine Person mit dieser E-Mail-Adresse gehört schon zum Konto.',
  'Sign-up is closed. Ask the operator of this server for an account.':
    'Die Registrierung ist geschlossen. Bitten Sie den Betreiber dieses Servers um ein Konto.',
  'This is not the token of this server. The token is in the file first-operator-token; the log says where.':
    'Das ist nicht das Token dieses Servers. Es steht in der Datei first-operator-token; das Log nennt den Ort.',
  'expires_at must be later than starts_at.': 'Das Ende muss nach dem Beginn liegen.',
  'There is no appeal to answer, or the suspension was already released.':
    'Es gibt keinen Widerspruch zu beantworten, oder die Sperrung wurde schon aufgehoben.',
};
