/** Code → title of an error, its usual HTTP status, and the details that come with it. */
const catalogue = {
  1: { title: 'An unknown error occurred', status: 400, details: '' },
  4: { title: '(#4) Application request limit reached', status: 429, details: '' },
  100: { title: '(#100) Invalid parameter', status: 400, details: '' },
  200: { title: '(#200) You do not have permission to access this resource', status: 403, details: '' },
  368: { title: '(#368) Temporarily blocked for policies violations', status: 403, details: '' },
  80007: {
    title: '(#80007) There have been too many calls from this WhatsApp Business account. Wait a bit and try again.',
    status: 429,
    details: '',
  },
  130429: { title: 'Rate limit hit', status: 429, details: 'Cloud API message throughput has been reached.' },
  130472: {
    title: "User's number is part of an experiment",
    status: 400,
    details: 'Message was not sent as part of an experiment.',
  },
  131000: { title: 'Something went wrong', status: 500, details: 'Message failed to send due to an unknown error.' },
  131005: { title: 'Access denied', status: 403, details: 'Permission is either not granted or has been removed.' },
  131008: { title: 'Required parameter is missing', status: 400, details: 'Parameter missing' },
  131009: { title: 'Parameter value is not valid', status: 400, details: 'Parameter value is not valid' },
  131016: { title: 'Service unavailable', status: 500, details: 'Service temporarily unavailable' },
  131021: {
    title: 'Recipient cannot be sender',
    status: 400,
    details: 'Recipient phone number and sender phone number are the same',
  },
  131026: { title: 'Message undeliverable', status: 400, details: 'Message Undeliverable.' },
  131031: { title: 'Business Account locked', status: 403, details: 'Account has been locked' },
  131042: {
    title: 'Business eligibility payment issue',
    status: 400,
    details: 'There was an error related to your payment method.',
  },
  131047: {
    title: 'Re-engagement message',
    status: 400,
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
  131048: {
    title: 'Spam rate limit hit',
    status: 429,
    details:
      'Message failed to send because there are restrictions on how many messages can be sent from this phone number.',
  },
  131049: {
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    status: 400,
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
  131050: {
    title: 'User has stopped marketing messages',
    status: 400,
    details: 'This recipient has chosen to stop receiving marketing messages from your business.',
  },
  131051: { title: 'Unsupported message type', status: 400, details: 'Message type is not currently supported' },
  131052: { title: 'Media download error', status: 400, details: 'Unable to download the media used in the message.' },
  131053: { title: 'Media upload error', status: 400, details: 'Unable to upload the media used in the message.' },
  131056: {
    title: '(Business Account, Consumer Account) pair rate limit hit',
    status: 429,
    details:
      'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
  },
  131057: { title: 'Account in maintenance mode', status: 500, details: 'Business Account is in maintenance mode' },
  131062: {
    title: 'BSUID recipients not supported',
    status: 400,
    details: 'Business-scoped User ID (BSUID) recipients are not supported for this message.',
  },
  132000: {
    title: 'Number of parameters does not match the expected number of params',
    status: 400,
    details: '',
  },
  132001: { title: 'Template name does not exist in the translation', status: 404, details: '' },
  132005: { title: 'Translated text too long', status: 400, details: 'Translated text is too long' },
  132012: { title: 'Parameter format does not match format in the created template', status: 400, details: '' },
  132015: {
    title: 'Template is paused',
    status: 400,
    details: 'Template is paused due to low quality so it cannot be sent in a template message.',
  },
  132016: {
    title: 'Template is disabled',
    status: 400,
    details: 'Template has been paused too many times due to low quality and is now permanently disabled.',
  },
  132018: { title: 'Parameter value is not valid for this template', status: 400, details: '' },
  133005: { title: 'Two step verification PIN Mismatch', status: 400, details: 'Two step verification PIN mismatch' },
  133006: {
    title: 'Phone number re-verification needed',
    status: 400,
    details: 'Phone number needs to be verified before registering',
  },
  133010: { title: 'Account not registered', status: 400, details: 'The account is not registered' },
  133016: {
    title: 'Account register deregister rate limit exceeded',
    status: 400,
    details: 'Registration or Deregistration failed because there were too many attempts for this phone number.',
  },
  136024: { title: 'Request code error', status: 400, details: 'The code could not be sent.' },
  136025: { title: 'Verify code error', status: 400, details: "Code couldn't be verified." },
} as const
export type GraphCode = keyof typeof catalogue

/** Returns whether the simulator can answer with a code. */
export const isGraphCode = (code: number): code is GraphCode => Object.hasOwn(catalogue, code)

interface Options {
  readonly details?: string
  readonly subcode?: number
  readonly message?: string
  readonly status?: number
  readonly type?: string
  readonly userTitle?: string
  readonly userMessage?: string
  readonly retryAfterSeconds?: number
}

/** An error answer of the Graph API. */
export class GraphError extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined
  constructor(code: GraphCode | 190 | 2388299 | 2388293 | 2388023 | 2388024 | 2388039, options: Options = {}) {
    const known = isGraphCode(code) ? catalogue[code] : { title: '', status: 400, details: '' }
    const title = known.title.startsWith('(#') || code === 1 ? known.title : `(#${code}) ${known.title}`
    super(options.message ?? title)
    this.name = 'GraphError'
    this.status = options.status ?? known.status
    this.retryAfterSeconds = options.retryAfterSeconds
    const details = options.details ?? known.details
    this.error = {
      message: this.message,
      type: options.type ?? 'OAuthException',
      code: code > 2_000_000 ? 100 : code,
      ...(code > 2_000_000
        ? { error_subcode: code }
        : options.subcode !== undefined && { error_subcode: options.subcode }),
      ...(details !== '' && { error_data: { messaging_product: 'whatsapp', details } }),
      ...(options.userTitle !== undefined && { error_user_title: options.userTitle }),
      ...(options.userMessage !== undefined && { error_user_msg: options.userMessage }),
    }
  }
}

/** Creates the error for an object that does not exist, or that the caller may not see: the API does not distinguish them. */
export const unknownObject = (id: string): GraphError =>
  new GraphError(100, {
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  })

/** Returns the fields of an error in a `failed` status. */
export const statusError = (code: number) => {
  const { title, details } = isGraphCode(code) ? catalogue[code] : { title: `Error ${code}`, details: '' }
  return {
    code,
    title,
    message: title,
    error_data: { details: details || title },
    href: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes/',
  }
}
