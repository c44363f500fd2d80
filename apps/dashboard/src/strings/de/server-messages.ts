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
  'Only an owner may make, change or remove an owner. Ask one of them.':
    'Nur Inhaber dürfen Inhaber ernennen, ändern oder entfernen. Bitten Sie einen von ihnen.',
  'Only an owner may invite an owner, or change such an invitation. Ask one.':
    'Nur Inhaber dürfen Inhaber einladen oder eine solche Einladung ändern. Bitten Sie einen von ihnen.',
  'This account is suspended and can invite nobody.':
    'Dieses Konto ist gesperrt und kann niemanden einladen.',
  'Confirm your e-mail address before you invite people: the invitation names it. Settings can send the link again.':
    'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie jemanden einladen: Sie steht in der Einladung. In den Einstellungen können Sie sich den Link noch einmal schicken lassen.',
  'An account can send {account} invitations within 24 hours, and an address can get {address}. Try again later.':
    'Ein Konto kann in 24 Stunden {account} Einladungen verschicken, an eine Adresse {address}. Versuchen Sie es später noch einmal.',
  'The plan includes {limit} people, and the account has {used}, pending invitations included. Remove somebody, revoke an invitation, or change the plan.':
    'Der Tarif umfasst {limit} Personen, und das Konto hat {used}, offene Einladungen eingerechnet. Entfernen Sie jemanden, widerrufen Sie eine Einladung oder wechseln Sie den Tarif.',
  '{used} invitations are pending, and an account can have {limit}. Revoke one first.':
    '{used} Einladungen sind offen, und ein Konto kann {limit} haben. Widerrufen Sie zuerst eine.',
  'The person who invited you may no longer do so. Ask somebody else in the account for a new invitation.':
    'Die Person, die Sie eingeladen hat, darf das nicht mehr. Bitten Sie jemand anderen im Konto um eine neue Einladung.',
  'This invitation is for {email}. Sign in or sign up with that e-mail address, or ask for an invitation to yours.':
    'Diese Einladung gilt für {email}. Melden Sie sich mit dieser E-Mail-Adresse an, registrieren Sie sich damit, oder bitten Sie um eine Einladung an Ihre Adresse.',
  'Confirm your e-mail address first, then open the link of the invitation again. Settings can send the link that confirms it.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse und öffnen Sie dann den Link der Einladung noch einmal. In den Einstellungen können Sie sich den Link zur Bestätigung schicken lassen.',
  'You already have a sign-in with this e-mail address. Sign in, then open the link of the invitation again.':
    'Mit dieser E-Mail-Adresse sind Sie schon registriert. Melden Sie sich an und öffnen Sie den Link der Einladung noch einmal.',
  'Nobody can join this account at the moment. Ask the person who invited you.':
    'Diesem Konto kann im Moment niemand beitreten. Fragen Sie die Person, die Sie eingeladen hat.',
  'The account has as many people as its plan includes. Ask the person who invited you.':
    'Das Konto hat schon so viele Personen, wie sein Tarif umfasst. Fragen Sie die Person, die Sie eingeladen hat.',
  'This server sends no mail, so a new e-mail address cannot be confirmed. Ask the operator to set up mail.':
    'Dieser Server verschickt keine Mails, deshalb lässt sich eine neue E-Mail-Adresse nicht bestätigen. Bitten Sie den Betreiber, Mails einzurichten.',
  'Another account on this server already uses this e-mail address. Your address was not changed.':
    'Ein anderes Konto auf diesem Server verwendet diese E-Mail-Adresse schon. Ihre Adresse wurde nicht geändert.',
  'This link is for a different account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you did not create one, ignore the e-mail.':
    'Dieser Link gehört zu einem anderen Konto als dem, mit dem Sie angemeldet sind. Melden Sie sich mit dem Konto an, das Sie mit dieser E-Mail-Adresse erstellt haben, und öffnen Sie den Link noch einmal. Haben Sie keines erstellt, ignorieren Sie die E-Mail.',
  'Your session has ended. Sign in again.': 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  'An account of yours is suspended. Until it is released, you cannot create another one.':
    'Eines Ihrer Konten ist gesperrt. Bis es freigegeben ist, können Sie kein weiteres erstellen.',
  'You own {used} accounts, and a person can own {limit}. Close one, or hand one over.':
    'Sie sind Inhaber von {used} Konten, und eine Person kann {limit} haben. Schließen Sie eines oder übergeben Sie eines.',
  'This service already has an operator. Ask them for an account.':
    'Dieser Dienst hat schon einen Betreiber. Bitten Sie ihn um ein Konto.',
  'This is not an e-mail address.': 'Das ist keine E-Mail-Adresse.',
  "A draft can't be paused. Publish it first.":
    'Ein Entwurf lässt sich nicht pausieren. Veröffentlichen Sie ihn zuerst.',
  'This webhook is turned off. Turn it on first.':
    'Dieser Webhook ist ausgeschaltet. Schalten Sie ihn zuerst ein.',
  'This webhook no longer subscribes to {event}. Add it to its events first.':
    'Dieser Webhook erhält {event} nicht mehr. Fügen Sie das Ereignis zuerst hinzu.',
  'expires_at must be a time in the future. Leave it out for a link without an end.':
    'Das Ende muss in der Zukunft liegen. Lassen Sie es leer für einen Link ohne Ende.',
  'expires_at must be in the future. To end the key now, revoke it.':
    'Das Ende muss in der Zukunft liegen. Um den Schlüssel jetzt zu beenden, widerrufen Sie ihn.',
  'allowed_cidrs[{index}] must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24 or 2001:db8::/32.':
    'Geben Sie eine Adresse wie 203.0.113.7 oder ein Netz wie 203.0.113.0/24 oder 2001:db8::/32 ein.',
  'Confirm your e-mail address first: until then figures of this account cannot be shared.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Bis dahin lassen sich Zahlen dieses Kontos nicht teilen.',
  'An account has at most {maxKeys} keys at a time. Revoke one that is not used.':
    'Ein Konto hat höchstens {maxKeys} Schlüssel zugleich. Widerrufen Sie einen, der nicht verwendet wird.',
  'Confirm your e-mail address first: open the link in the e-mail we sent when you signed up, or get a new one in your account settings. Until then you can create test keys.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link in der E-Mail, die wir bei der Registrierung geschickt haben, oder holen Sie sich in den Kontoeinstellungen einen neuen. Bis dahin können Sie Testschlüssel erstellen.',
  'current_password is required, since the key may do more than before. Send the password of the user.':
    'Der Schlüssel darf mehr als zuvor, deshalb ist Ihr Passwort erforderlich.',
  'The account is closed. Its links no longer work.':
    'Das Konto ist geschlossen. Seine Links funktionieren nicht mehr.',
  'There is no letter for "{missing}" in the font of frames.':
    'Die Schrift der Rahmen hat kein Zeichen für „{missing}“.',
  'The filter matches {total} codes. At most {maxSheetCodes} fit into one file; narrow it or send qr_ids.':
    'Die Auswahl umfasst {total} Codes. In eine Datei passen höchstens {maxSheetCodes}: Grenzen Sie die Auswahl ein.',
  'The tag has more than {maxCodes} codes. Choose a tag with fewer, or ask for all codes.':
    'Der Tag hat mehr als {maxCodes} Codes. Wählen Sie einen Tag mit weniger oder alle Codes.',
  'The picture is larger than 512 KiB.': 'Das Bild ist größer als 512 KiB.',
  'Only codes whose dots and corners are nearly black can be printed in black ink alone. Ask for rgb.':
    'Nur mit Schwarz lassen sich nur Codes drucken, deren Punkte und Ecken fast schwarz sind. Wählen Sie RGB.',
  'created_to is before created_from. Exchange the two.':
    'Das Ende liegt vor dem Beginn. Tauschen Sie die beiden.',
  'This needs the permission {permission}, which you have no longer. Ask an owner of the account.':
    'Dafür fehlt Ihnen inzwischen die Berechtigung {permission}. Bitten Sie einen Inhaber des Kontos.',
  'This e-mail address is not confirmed: somebody else may have signed up with it.':
    'Diese E-Mail-Adresse ist nicht bestätigt: Jemand anderes könnte sich damit registriert haben.',
  'problem:required': 'Dieses Feld ist erforderlich.',
  'problem:unknown_field': 'Das Feld {name} gibt es nicht.',
  'problem:fixed_field': 'Das Feld {name} lässt sich hier nicht setzen.',
  'problem:type': 'Dieser Wert hat die falsche Art.',
  'problem:choice': 'Erlaubt ist nur: {allowed}.',
  'problem:range': 'Geben Sie eine Zahl von {min} bis {max} ein.',
  'problem:range_from': 'Geben Sie eine Zahl ab {min} ein.',
  'problem:entries': 'Es müssen {min} bis {max} Einträge sein.',
  'problem:entries_up_to': 'Es dürfen höchstens {max} Einträge sein.',
  'problem:entries_from': 'Es müssen mindestens {min} Einträge sein.',
  'problem:no_fields': 'Mindestens eine Angabe ist erforderlich.',
  'problem:keys_up_to': 'Es dürfen höchstens {max} Felder sein.',
  'problem:text_length': 'Geben Sie {min} bis {max} sichtbare Zeichen ein.',
  'problem:text_up_to': 'Höchstens {max} Zeichen sind erlaubt.',
  'problem:line_length': 'Geben Sie {min} bis {max} Zeichen in einer Zeile ein.',
  'problem:line_up_to': 'Höchstens {max} Zeichen in einer Zeile sind erlaubt.',
  'problem:name': 'Geben Sie 1 bis {max} Zeichen in einer Zeile ein, ohne unsichtbare Zeichen und ohne Link.',
  'problem:characters': 'Erlaubt sind {min} bis {max} Zeichen: Buchstaben, Ziffern und {others}.',
  'problem:url':
    'Geben Sie eine vollständige http- oder https-Adresse ohne Leerzeichen ein, mit höchstens {max} Zeichen.',
  'problem:url_without_scheme': 'Die Adresse ist nicht vollständig. Meinten Sie {url}?',
  'problem:host': 'Geben Sie einen Host wie {example} ein.',
  'problem:email': 'Geben Sie eine E-Mail-Adresse wie ada@example.com ein.',
  'problem:short_code':
    'Das Linkende braucht {min} bis {max} Buchstaben, Ziffern, - oder _ und muss mit einem Buchstaben oder einer Ziffer beginnen und enden.',
  'problem:color': 'Geben Sie eine Farbe wie {example} ein.',
  'problem:id': 'Das ist keine ID wie {example}.',
  'problem:country': 'Wählen Sie ein Land.',
  'problem:language': 'Wählen Sie eine Sprache.',
  'problem:time_zone': 'Wählen Sie eine Zeitzone wie Europe/Berlin.',
  'problem:time_of_day': 'Geben Sie eine Uhrzeit von {from} bis {to} ein.',
  'problem:day': 'Geben Sie einen Tag ein.',
  'problem:day_missing': 'Diesen Tag gibt es im Kalender nicht.',
  'problem:month_missing': 'Diesen Monat gibt es nicht.',
  'problem:year_range': 'Wählen Sie einen Tag der Jahre 1970 bis 2099.',
  'problem:moment': 'Geben Sie Datum und Uhrzeit ein.',
  'problem:day_or_moment': 'Geben Sie einen Tag oder einen Zeitpunkt ein.',
  'problem:metadata_filter': 'Geben Sie ein Feld, einen Doppelpunkt und den Text ein, etwa branch:berlin.',
  'problem:list': 'Erlaubt sind nur, je einmal: {allowed}.',
  'problem:picture': 'Das Bild darf höchstens {max} KiB groß sein.',
  'problem:base64_alone': 'Das Bild wurde in der falschen Form gesendet.',
  'problem:query': 'Die Filter sind zusammen länger als {max} Zeichen.',
};
