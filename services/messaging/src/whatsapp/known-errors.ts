import { fileErrors } from './file-errors.ts'
import { type KnownError, known } from './known-error.ts'
import { setUpErrors } from './set-up-errors.ts'

const minuteMs = 60_000

const tokenInvalid = known(
  'stop_number',
  'WhatsApp refused the access token',
  'Enter a new access token for this number. Messages wait until then.',
)
export const noPermission = known(
  'stop_number',
  'The access token lacks a permission',
  'Give the token the permissions whatsapp_business_messaging and whatsapp_business_management.',
)
const busy = known('retry', 'WhatsApp could not take the message', 'Parley will retry automatically.')
const badRequest = known(
  'bad_request',
  'WhatsApp did not accept the message',
  'The message cannot be sent as it is. Change it and send it again.',
)
const accountStopped = known(
  'stop_number',
  'WhatsApp has restricted this account',
  'Open the account in WhatsApp Manager and follow what it asks for.',
  { stops: { what: 'all', of: 'account' } },
)
const noPayment = known(
  'stop_number',
  'WhatsApp has a problem with the payment method',
  'Check the payment method in WhatsApp Manager.',
  { stops: { what: 'templates', of: 'account' } },
)
const badValue = known(
  'bad_value',
  'A value does not fit the template',
  'Check what the variables are filled with for this customer, then send it again.',
)
const templateMismatch = known(
  'fix_template',
  'The values do not fit the template',
  'Check the template and its variables, then send it again.',
)

/**
 * Code of the Cloud API → what it means here. The same code comes in an answer or in a `failed` status.
 * Source: developers.facebook.com, WhatsApp Business Platform, error codes.
 */
export const knownErrors: Readonly<Record<number, KnownError>> = {
  ...setUpErrors,
  ...fileErrors,
  0: tokenInvalid,
  190: tokenInvalid,
  3: noPermission,
  10: noPermission,
  131005: noPermission,
  33: known(
    'stop_number',
    'WhatsApp does not know this number, or the access token may not use it',
    'Check in Meta Business Settings that the number is still there and the system user may use it. Messages wait until then.',
  ),
  1: busy,
  2: busy,
  131000: busy,
  131016: busy,
  133004: busy,
  135000: busy,
  4: known('slow_number', 'Too many calls to WhatsApp', 'Parley will retry automatically, at a slower rate.'),
  613: known('slow_number', 'Too many calls to WhatsApp', 'Parley will retry automatically, at a slower rate.'),
  80007: known('slow_number', 'Too many calls for this account', 'Parley will retry automatically, at a slower rate.'),
  80008: known('slow_number', 'Too many calls for this account', 'Parley will retry automatically, at a slower rate.'),
  130429: known(
    'slow_number',
    'This number sends as fast as it may',
    'Parley will retry automatically, at a slower rate.',
  ),
  131057: known('retry', 'WhatsApp is upgrading this number', 'Parley will retry in a few minutes.', {
    retries: { firstMs: minuteMs },
  }),
  2494100: known('retry', 'WhatsApp is servicing this number', 'Parley will retry in a few minutes.', {
    retries: { firstMs: minuteMs },
  }),
  131014: known(
    'retry',
    'WhatsApp could not send the message',
    'Parley will retry. If it fails again, check its file or link.',
    {
      retries: { most: 2 },
    },
  ),
  131059: known(
    'retry',
    'WhatsApp’s list has changed while it was read',
    'Parley will read it again from the beginning.',
  ),
  131055: known(
    'fix_template',
    'WhatsApp takes nothing but marketing templates here',
    'Choose a marketing template, or have other messages sent by the Cloud API.',
  ),
  136024: known(
    'bad_request',
    'The number could not be verified',
    'Check the code, or ask for a new one in an hour. A number that is verified already can be registered.',
  ),
  136025: known(
    'bad_request',
    'WhatsApp did not take the verification code',
    'Ask for a new code and enter it. A number of the WhatsApp Business app is connected together with the app instead.',
  ),
  141000: known(
    'bad_request',
    'This number cannot do that on the Cloud API',
    'Calls are not offered to numbers that are also on the WhatsApp Business app.',
  ),
  131056: known('slow_contact', 'Too many messages to this customer at once', 'Parley will retry automatically later.'),
  131048: known(
    'stop_number',
    'WhatsApp limits this number because of its quality',
    'Marketing waits. Check the quality of the number in WhatsApp Manager.',
    { stops: { what: 'marketing', of: 'number' } },
  ),
  131064: known(
    'stop_number',
    'WhatsApp has lowered the limit of this account',
    'The limit rises again after a while. Check the categories of your templates in WhatsApp Manager.',
    { stops: { what: 'all', of: 'account' } },
  ),
  100: badRequest,
  131008: badRequest,
  131009: badRequest,
  131051: badRequest,
  131021: known('bad_contact', 'A number cannot write to itself', 'Choose another recipient.'),
  131026: known(
    'bad_contact',
    'The message could not be delivered',
    'The customer may not use WhatsApp, may use an old version, or may have blocked you.',
  ),
  131047: known(
    'window_closed',
    'The 24-hour window is closed',
    'Send an approved template. The customer opens the window again by answering.',
  ),
  131049: known(
    'wait_24h',
    'WhatsApp held the message back',
    'The customer has had enough marketing for now. Try again after 24 hours at the earliest.',
  ),
  131050: known(
    'opted_out',
    'The customer has stopped marketing messages',
    'Only replies and service messages may be sent.',
  ),
  130472: known(
    'bad_contact',
    'WhatsApp did not send the message as part of an experiment',
    'Nothing is wrong with the customer or the message.',
  ),
  131030: known(
    'bad_contact',
    'A test number can only write to numbers on its list',
    'Add the recipient in the app dashboard.',
  ),
  131031: accountStopped,
  368: accountStopped,
  130497: known(
    'bad_contact',
    'WhatsApp does not allow messages to this country',
    'Choose another channel for this customer.',
  ),
  131037: known(
    'stop_number',
    'The display name is not approved',
    'Have the display name approved in WhatsApp Manager.',
  ),
  131042: noPayment,
  131044: noPayment,
  131045: known('stop_number', 'The number has to be registered again', 'Register the number with its PIN.'),
  131052: known('bad_request', 'The file could not be fetched', 'Ask the customer to send it again.'),
  131053: known('retry', 'WhatsApp could not take the file', 'Parley will retry. If it fails again, check the file.', {
    retries: { most: 2 },
  }),
  131062: known(
    'bad_value',
    'This message needs a phone number',
    'The customer hides the phone number. Ask for it before you send this kind of message.',
    { nextStep: 'none' },
  ),
  131063: known(
    'stop_number',
    'WhatsApp does not accept marketing sent this way from this account',
    'Check the requirements for marketing messages in WhatsApp Manager.',
    { stops: { what: 'marketing', of: 'account' } },
  ),
  132000: templateMismatch,
  132005: known('bad_value', 'The text is too long with its values', 'Shorten the values or the template.'),
  132007: known(
    'fix_template',
    'The template breaks a rule of WhatsApp',
    'Change the template and have it reviewed again.',
  ),
  132008: templateMismatch,
  132012: badValue,
  132018: badValue,
  132001: known(
    'fix_template',
    'WhatsApp does not know this template in this language',
    'Synchronise the templates and choose again.',
  ),
  132015: known('fix_template', 'The template is paused', 'WhatsApp has paused it for low quality. Choose another.'),
  132016: known('fix_template', 'The template is disabled', 'It was paused too often. Make a new one.'),
  132068: known('fix_template', 'The flow is blocked', 'Check the flow in WhatsApp Manager.'),
  132069: known('retry', 'The flow is throttled', 'Parley will retry automatically later.', {
    retries: { firstMs: 6 * minuteMs, most: 3 },
  }),
  133005: known('stop_number', 'The PIN is wrong', 'Enter the two-step verification PIN of the number.'),
  133006: known('stop_number', 'The number has to be verified again', 'Verify the number in WhatsApp Manager.'),
  133008: known('stop_number', 'Too many wrong PINs', 'Wait, then enter the right PIN.'),
  133009: known('stop_number', 'The PIN was entered too fast', 'Wait a little, then enter it again.'),
  133010: known('stop_number', 'The number is not registered', 'Register the number with its PIN.'),
  133015: known(
    'stop_number',
    'The number was deleted a short while ago',
    'Wait five minutes, then register it again.',
  ),
  133016: known('stop_number', 'Too many registrations', 'Wait 72 hours, then register the number again.'),
  137000: known(
    'bad_contact',
    'The customer has changed the phone',
    'Confirm the customer’s identity before you send it again.',
  ),
}
