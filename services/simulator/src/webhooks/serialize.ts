import { createHmac } from 'node:crypto'

/**
 * JSON as Meta's servers write it: everything beyond ASCII as a lower-case `\uXXXX`, a slash as `\/`. A receiver that checks
 * the signature over a re-serialised body fails with it, as it would in production.
 */
export const serialize = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns the value of `X-Hub-Signature-256` for exactly these bytes. */
export const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
