import type { GraphRefusal } from './graph-answer.ts'

/** Codes of the Cloud API that matter beyond their class. Source: Meta, WhatsApp Business Platform, error codes. */
export const errorCodes = {
  /** The object of a call does not exist, or may not be used with its token. Also a subcode of 100. */
  noAccess: 33,
  /** The message could not be delivered: no WhatsApp, an old version, or blocked. */
  undeliverable: 131_026,
  /** Left out by WhatsApp for an experiment of its own: says nothing about the address. */
  experiment: 130_472,
  /** A customer's file that WhatsApp does not hand out, since it is too large say. */
  fileNotFetched: 131_052,
  /** A file that WhatsApp does not take. */
  fileNotTaken: 131_053,
} as const

type Refusal = Pick<GraphRefusal, 'code' | 'subcode'>

/** Returns whether a code refuses the access token itself. */
export const isTokenCode = (code: number): boolean => code === 0 || code === 190

/** Returns whether what a call was about does not exist, or may not be used with its token: WhatsApp does not tell which. */
export const isNoAccess = ({ code, subcode }: Refusal): boolean =>
  code === errorCodes.noAccess || (code === 100 && subcode === errorCodes.noAccess)

/** Returns whether a message that brings a file may be refused for it: WhatsApp may not know its id any more. */
export const isRefusedForFile = (refusal: Refusal): boolean =>
  !isNoAccess(refusal) && [100, 131_009, errorCodes.fileNotTaken].includes(refusal.code)

/** Returns the code by which a refusal is known: 33 for one that 100 and its subcode tell of too. */
export const codeOf = (refusal: Refusal): number => (isNoAccess(refusal) ? errorCodes.noAccess : refusal.code)

/** Returns whether WhatsApp does not know a customer's file, or does not let its number be used. */
export const isUnknownFile = ({ code }: Refusal): boolean =>
  code === 100 || code === errorCodes.noAccess || code === errorCodes.fileNotFetched
