import type { ServerMessages } from '../server-messages.ts';

export const serverMessages: ServerMessages = {
  invalid_url: 'La dirección debe ser una dirección http o https completa.',
  invalid_short_code:
    'El final de enlace contiene caracteres no permitidos o tiene una longitud no permitida.',
  reserved_short_code: 'Este final de enlace está reservado. Elija otro.',
  unscannable_style:
    'Un código con este diseño no se puede escanear. Elija colores con más contraste, un logo más pequeño o un enlace más corto.',
  plan_required: 'Su plan no lo incluye.',
  quota_exceeded: 'Se ha alcanzado el límite.',
  destination_blocked: 'Este destino está bloqueado. Elija otro, o pregunte al operador de este servidor.',
  short_code_taken: 'Este final de enlace ya está ocupado. Elija otro.',
  external_id_taken: 'Otro código tiene este ID externo.',
  placement_taken: 'El código ya tiene una ubicación con este final de enlace.',
  count_changed: 'Ahora coincide otro número de códigos. No se cambió nada. Inténtelo de nuevo.',
  last_owner:
    'Una cuenta necesita un propietario. Haga antes propietaria a otra persona, o cierre la cuenta.',
  asset_in_use: 'Un código o un diseño usa este logo. Elimínelos primero.',
  precondition_failed: 'Otra persona lo ha cambiado mientras tanto. No se guardó nada. Recargue la página.',
  gone: 'Este código se eliminó.',
  payload_too_large: 'Es demasiado grande para enviarlo.',
  rate_limit_exceeded: 'Demasiados intentos en poco tiempo.',
  internal_error: 'Se ha producido un error en el servidor.',
  unavailable: 'El servidor no puede hacerlo ahora. Inténtelo de nuevo en un momento.',
  timeout: 'Ha tardado demasiado. Elija un periodo más corto o menos resultados.',
  no_account: 'No pertenece a ninguna cuenta. Abra el enlace de una invitación, o pida una.',
  not_found: 'Ya no existe, o pertenece al otro modo o a otra cuenta.',
  'Wrong e-mail or password.': 'Correo o contraseña incorrectos.',
  'You are not signed in.': 'No ha iniciado sesión.',
  'You are not signed in, or your session has ended. Sign in again.':
    'No ha iniciado sesión, o su sesión ha terminado. Inicie sesión de nuevo.',
  'This account has been closed.': 'Esta cuenta se ha cerrado.',
  'The current password is wrong.': 'La contraseña actual es incorrecta.',
  'This is your current password. Choose a different one.': 'Es su contraseña actual. Elija otra.',
  'This password is easy to guess: it is common, a simple pattern, or made of your e-mail address or name. Choose another one, such as four random words.':
    'Esta contraseña es fácil de adivinar: es común, un patrón sencillo, o sale de su correo o su nombre. Elija otra, como cuatro palabras al azar.',
  'An account with this e-mail address already exists. Sign in, or get a new password.':
    'Ya existe una cuenta con esta dirección de correo. Inicie sesión, o defina una nueva contraseña.',
  'This link was already used, has expired, or stopped working when the password changed. Get a new one.':
    'Este enlace ya se usó, ha caducado, o dejó de valer al cambiar la contraseña. Pida otro.',
  'This is already your e-mail address.': 'Ya es su dirección de correo.',
  'This is not your e-mail address.': 'No es su dirección de correo.',
  'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.':
    'Esta invitación ya se usó, se revocó o se sustituyó, o ha caducado. Pida una nueva.',
  'A person with this e-mail address already belongs to the account.':
    'Una persona con esta dirección de correo ya pertenece a la cuenta.',
  'Sign-up is closed. Ask the operator of this server for an account.':
    'El registro está cerrado. Pida una cuenta al operador de este servidor.',
  'This is not the token of this server. The token is in the file first-operator-token; the log says where.':
    'No es el token de este servidor. Está en el archivo first-operator-token; el registro dice dónde.',
  'expires_at must be later than starts_at.': 'El final debe ser posterior al inicio.',
  'There is no appeal to answer, or the suspension was already released.':
    'No hay recurso que responder, o la suspensión ya se levantó.',
  'Only an owner may make, change or remove an owner. Ask one of them.':
    'Solo un propietario puede nombrar, cambiar o quitar a un propietario. Pídaselo a uno de ellos.',
  'Only an owner may invite an owner, or change such an invitation. Ask one.':
    'Solo un propietario puede invitar a un propietario o cambiar una invitación así. Pídaselo a uno de ellos.',
  'This account is suspended and can invite nobody.':
    'Esta cuenta está suspendida y no puede invitar a nadie.',
  'Confirm your e-mail address before you invite people: the invitation names it. Settings can send the link again.':
    'Confirme su correo antes de invitar a nadie: aparece en la invitación. En los ajustes puede volver a pedir el enlace.',
  'An account can send {account} invitations within 24 hours, and an address can get {address}. Try again later.':
    'Una cuenta puede enviar {account} invitaciones en 24 horas, y {address} a una misma dirección. Inténtelo más tarde.',
  'The plan includes {limit} people, and the account has {used}, pending invitations included. Remove somebody, revoke an invitation, or change the plan.':
    'El plan incluye {limit} personas y la cuenta tiene {used}, contando las invitaciones pendientes. Quite a alguien, revoque una invitación o cambie de plan.',
  '{used} invitations are pending, and an account can have {limit}. Revoke one first.':
    'Hay {used} invitaciones pendientes y una cuenta puede tener {limit}. Revoque antes una.',
  'The person who invited you may no longer do so. Ask somebody else in the account for a new invitation.':
    'La persona que le invitó ya no puede hacerlo. Pida otra invitación a otra persona de la cuenta.',
  'This invitation is for {email}. Sign in or sign up with that e-mail address, or ask for an invitation to yours.':
    'Esta invitación es para {email}. Inicie sesión o regístrese con ese correo, o pida una invitación al suyo.',
  'Confirm your e-mail address first, then open the link of the invitation again. Settings can send the link that confirms it.':
    'Confirme primero su correo y vuelva a abrir el enlace de la invitación. En los ajustes puede pedir el enlace que lo confirma.',
  'You already have a sign-in with this e-mail address. Sign in, then open the link of the invitation again.':
    'Ya está registrado con este correo. Inicie sesión y vuelva a abrir el enlace de la invitación.',
  'Nobody can join this account at the moment. Ask the person who invited you.':
    'En este momento nadie puede unirse a esta cuenta. Pregunte a la persona que le invitó.',
  'The account has as many people as its plan includes. Ask the person who invited you.':
    'La cuenta ya tiene todas las personas que incluye su plan. Pregunte a la persona que le invitó.',
  'This server sends no mail, so a new e-mail address cannot be confirmed. Ask the operator to set up mail.':
    'Este servidor no envía correo, así que una dirección nueva no se puede confirmar. Pida al operador que configure el correo.',
  'Another account on this server already uses this e-mail address. Your address was not changed.':
    'Otra cuenta de este servidor ya usa este correo. El suyo no se ha cambiado.',
  'This link is for a different account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you did not create one, ignore the e-mail.':
    'Este enlace es de una cuenta distinta de la que tiene abierta. Inicie sesión en la cuenta que creó con este correo y vuelva a abrir el enlace. Si no creó ninguna, ignore el mensaje.',
  'Your session has ended. Sign in again.': 'Su sesión ha terminado. Vuelva a iniciar sesión.',
  'An account of yours is suspended. Until it is released, you cannot create another one.':
    'Una de sus cuentas está suspendida. Hasta que se restablezca no puede crear otra.',
  'You own {used} accounts, and a person can own {limit}. Close one, or hand one over.':
    'Es propietario de {used} cuentas y una persona puede tener {limit}. Cierre una o traspase una.',
  'This service already has an operator. Ask them for an account.':
    'Este servicio ya tiene un operador. Pídale una cuenta.',
  'This is not an e-mail address.': 'Esto no es una dirección de correo.',
  "A draft can't be paused. Publish it first.": 'Un borrador no se puede pausar. Publíquelo antes.',
  'This webhook is turned off. Turn it on first.': 'Este webhook está desactivado. Actívelo antes.',
  'This webhook no longer subscribes to {event}. Add it to its events first.':
    'Este webhook ya no recibe {event}. Añada antes ese evento.',
  'expires_at must be a time in the future. Leave it out for a link without an end.':
    'El final debe estar en el futuro. Déjelo vacío para un enlace sin final.',
  'expires_at must be in the future. To end the key now, revoke it.':
    'El final debe estar en el futuro. Para terminar la clave ahora, revóquela.',
  'allowed_cidrs[{index}] must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24 or 2001:db8::/32.':
    'Escriba una dirección como 203.0.113.7 o una red como 203.0.113.0/24 o 2001:db8::/32.',
  'Confirm your e-mail address first: until then figures of this account cannot be shared.':
    'Confirme primero su correo: hasta entonces no se pueden compartir cifras de esta cuenta.',
  'An account has at most {maxKeys} keys at a time. Revoke one that is not used.':
    'Una cuenta tiene como máximo {maxKeys} claves a la vez. Revoque una que no se use.',
  'Confirm your e-mail address first: open the link in the e-mail we sent when you signed up, or get a new one in your account settings. Until then you can create test keys.':
    'Confirme primero su correo: abra el enlace del mensaje que enviamos al registrarse, o pida otro en los ajustes de la cuenta. Hasta entonces puede crear claves de prueba.',
  'current_password is required, since the key may do more than before. Send the password of the user.':
    'La clave podrá hacer más que antes, por eso hace falta su contraseña.',
  'The account is closed. Its links no longer work.': 'La cuenta está cerrada. Sus enlaces ya no funcionan.',
  'There is no letter for "{missing}" in the font of frames.':
    'La letra de los marcos no tiene un signo para «{missing}».',
  'The filter matches {total} codes. At most {maxSheetCodes} fit into one file; narrow it or send qr_ids.':
    'La selección tiene {total} códigos. En un archivo caben {maxSheetCodes} como máximo: acote la búsqueda.',
  'The tag has more than {maxCodes} codes. Choose a tag with fewer, or ask for all codes.':
    'El tag tiene más de {maxCodes} códigos. Elija uno con menos, o todos los códigos.',
  'The picture is larger than 512 KiB.': 'La imagen ocupa más de 512 KiB.',
  'Only codes whose dots and corners are nearly black can be printed in black ink alone. Ask for rgb.':
    'Solo con tinta negra únicamente se imprimen códigos cuyos puntos y esquinas son casi negros. Elija RGB.',
  'created_to is before created_from. Exchange the two.':
    'El final es anterior al principio. Intercámbielos.',
  'This needs the permission {permission}, which you have no longer. Ask an owner of the account.':
    'Para esto hace falta el permiso {permission}, que ya no tiene. Pídaselo a un propietario de la cuenta.',
  'This e-mail address is not confirmed: somebody else may have signed up with it.':
    'Este correo no está confirmado: otra persona puede haberse registrado con él.',
  'problem:required': 'Este campo es obligatorio.',
  'problem:unknown_field': 'El campo {name} no existe.',
  'problem:fixed_field': 'El campo {name} no se puede indicar aquí.',
  'problem:type': 'Este valor no es del tipo correcto.',
  'problem:choice': 'Solo se admite: {allowed}.',
  'problem:range': 'Escriba un número del {min} al {max}.',
  'problem:range_from': 'Escriba un número a partir de {min}.',
  'problem:entries': 'Debe haber de {min} a {max} elementos.',
  'problem:entries_up_to': 'Puede haber {max} elementos como máximo.',
  'problem:entries_from': 'Debe haber al menos {min} elementos.',
  'problem:no_fields': 'Indique al menos un dato.',
  'problem:keys_up_to': 'Puede haber {max} campos como máximo.',
  'problem:text_length': 'Escriba de {min} a {max} caracteres visibles.',
  'problem:text_up_to': '{max} caracteres como máximo.',
  'problem:line_length': 'Escriba de {min} a {max} caracteres en una línea.',
  'problem:line_up_to': '{max} caracteres como máximo, en una línea.',
  'problem:name': 'Escriba de 1 a {max} caracteres en una línea, sin caracteres invisibles ni enlaces.',
  'problem:characters': 'De {min} a {max} caracteres: letras, cifras y {others}.',
  'problem:url':
    'Escriba una dirección http o https completa, sin espacios y de {max} caracteres como máximo.',
  'problem:url_without_scheme': 'La dirección no está completa. ¿Quiso decir {url}?',
  'problem:host': 'Escriba un host como {example}.',
  'problem:email': 'Escriba una dirección de correo como ada@example.com.',
  'problem:short_code':
    'El final del enlace debe tener de {min} a {max} letras, cifras, - o _, y empezar y terminar con una letra o una cifra.',
  'problem:color': 'Escriba un color como {example}.',
  'problem:id': 'No es un identificador como {example}.',
  'problem:country': 'Elija un país.',
  'problem:language': 'Elija un idioma.',
  'problem:time_zone': 'Elija una zona horaria como Europe/Madrid.',
  'problem:time_of_day': 'Escriba una hora de {from} a {to}.',
  'problem:day': 'Escriba un día.',
  'problem:day_missing': 'Ese día no existe en el calendario.',
  'problem:month_missing': 'Ese mes no existe.',
  'problem:year_range': 'Elija un día de los años 1970 a 2099.',
  'problem:moment': 'Escriba una fecha y una hora.',
  'problem:day_or_moment': 'Escriba un día o un momento exacto.',
  'problem:metadata_filter': 'Escriba un campo, dos puntos y el texto, por ejemplo branch:berlin.',
  'problem:list': 'Valores admitidos, una vez cada uno: {allowed}.',
  'problem:picture': 'La imagen puede ocupar {max} KiB como máximo.',
  'problem:base64_alone': 'La imagen se envió en una forma incorrecta.',
  'problem:query': 'Los filtros superan los {max} caracteres en total.',
};
