import type { appealsText as English } from '../appeals.ts';
import type { Translation } from '../translation.ts';

export const appealsText: Translation<typeof English> = {
  accountTitle: 'Su cuenta está suspendida',
  accountMeaning:
    'Sus enlaces no redirigen a nadie, y usted no puede crear ni cambiar nada. No se ha eliminado nada: aún puede ver y exportar sus datos, eliminar códigos y revocar claves.',
  codeTitle: 'Este código está suspendido por seguridad',
  codeMeaning:
    'Quienes lo escanean ven que fue bloqueado. Sus cambios se guardan, pero solo el operador puede restablecerlo.',
  since: 'Desde {time}',
  reason: 'el motivo',
  yourAppeal: 'su recurso',
  answer: 'la respuesta',
  appealed: 'Recurrió {at}.',
  waiting: 'El operador lo leerá. Aún puede cambiarlo.',
  answered: 'El operador leyó su recurso el {time}. La suspensión se mantiene.',
  answeredWith: 'El operador leyó su recurso el {time}. La suspensión se mantiene: {text}',
  appeal: 'Recurrir',
  changeAppeal: 'Cambiar el recurso',
  appealAgain: 'Recurrir de nuevo',
  form: {
    title: 'Recurso',
    changeTitle: 'Cambiar su recurso',
    label: '¿Qué debería saber el operador?',
    hint: 'Por qué es un error, o qué ha cambiado desde entonces.',
    missing: 'Escriba una o dos frases',
    length: '{characters} de {most} caracteres',
    failure: 'Su recurso no se envió',
    cancel: 'Cancelar',
    send: 'Enviar recurso',
    sent: 'Recurso enviado. El operador lo leerá.',
  },
};
