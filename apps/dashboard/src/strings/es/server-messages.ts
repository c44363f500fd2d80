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
};
