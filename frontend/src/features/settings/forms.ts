import {
  passwordMaxLength,
  passwordMinLength,
  passwordMismatch,
  passwordTooLong,
  passwordTooShort,
} from '@parley/contracts/account/auth'
import { workspaceFieldsSchema } from '@parley/contracts/account/workspace'
import { sendingHoursFields } from '@parley/contracts/campaigns/sending-hours'
import { credentialsChangeSchema } from '@parley/contracts/channel/credentials'
import { assignmentApi } from '@parley/contracts/inbox/assignment'
import { openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { ratingApi } from '@parley/contracts/inbox/ratings'
import { responseTargetApi } from '@parley/contracts/inbox/response-target'
import { approvalsApi } from '@parley/contracts/platform/approvals'
import type { CountryCode } from '@parley/phone'
import { z } from 'zod'
import { countryName, joinMobile } from '../../lib/mobile.ts'

const { phoneNumberId, businessAccountId, accessToken, appSecret } = credentialsChangeSchema.shape

/** The card shows the default number's credentials; a secret that is left empty stays as it is stored. */
export const credentialsSchema = z.object({
  phoneNumberId,
  businessAccountId,
  accessToken: z.union([z.literal(''), accessToken.unwrap()], {
    error: 'Enter the full access token, or leave it empty to keep the current one',
  }),
  appSecret: z.union([z.literal(''), appSecret.unwrap()], {
    error: 'Enter the app secret as Meta shows it, or leave it empty to keep the current one',
  }),
})
export type CredentialsForm = z.infer<typeof credentialsSchema>

/** Returns the fields to send of a form, without empty secrets. */
export const credentialsOf = ({ accessToken, appSecret, ...ids }: CredentialsForm) => ({
  ...ids,
  ...(accessToken !== '' && { accessToken }),
  ...(appSecret !== '' && { appSecret }),
})

const { mode, members, limit, limits } = assignmentApi.update.body.shape
export const assignmentSchema = z
  .object({ mode, members, limit: limit.unwrap(), limits: limits.unwrap() })
  .refine(({ mode, members }) => mode === 'off' || members.length > 0, {
    path: ['members'],
    message: 'Choose at least one member.',
  })
export type AssignmentForm = z.infer<typeof assignmentSchema>

const { version: _version, numberRemoval, ...approvalFields } = approvalsApi.updateRules.body.shape
export type ApprovalLimit = keyof typeof approvalFields

/** `limited`: for which actions the limit beside it counts. */
export const approvalRulesSchema = z
  .object({ ...approvalFields, numberRemoval, limited: z.record(z.string(), z.boolean()) })
  .superRefine(({ limited, ...rules }, { addIssue }) => {
    for (const name of approvalLimits)
      if (limited[name] && rules[name] === null) addIssue({ code: 'custom', path: [name], message: 'Enter a number.' })
  })
export type ApprovalRulesForm = z.infer<typeof approvalRulesSchema>
export const approvalLimits = [
  'campaignRecipients',
  'campaignCost',
  'exportedContacts',
  'deletedContacts',
] as const satisfies readonly ApprovalLimit[]

export const ratingSchema = ratingApi.update.body.omit({ version: true })

export const sendingHoursSchema = z
  .object(sendingHoursFields)
  .refine(({ limited, opens, closes }) => !limited || opens !== closes, {
    path: ['closes'],
    message: 'Choose an end time that differs from the start time.',
  })
export type SendingHoursForm = z.infer<typeof sendingHoursSchema>

const { awayAnswer } = openingHoursApi.update.body.shape
export const openingHoursSchema = openingHoursApi.update.body
  .omit({ version: true })
  .extend({ awayAnswer: awayAnswer.unwrap() })
export type OpeningHoursForm = z.infer<typeof openingHoursSchema>

export const responseTargetSchema = responseTargetApi.update.body.omit({ version: true })
export type ResponseTargetForm = z.infer<typeof responseTargetSchema>

export const accountSchema = z
  .object({
    name: workspaceFieldsSchema.shape.name,
    email: workspaceFieldsSchema.shape.email,
    country: z.custom<CountryCode>((value) => typeof value === 'string'),
    /** None where it is empty. */
    number: z.string().trim().max(32, 'At most 32 characters'),
  })
  .superRefine(({ country, number }, { addIssue }) => {
    if (number === '' || joinMobile({ country, number })) return
    const message = `This is not a valid phone number for ${countryName(country)}. Check its digits, or choose another country code.`
    addIssue({ code: 'custom', path: ['number'], message })
  })
export type AccountForm = z.infer<typeof accountSchema>

type Passwords = Pick<PasswordForm, 'next' | 'confirmation'>
const match = ({ next, confirmation }: Passwords) => next === confirmation

/** Both rules are checked whatever is wrong with the current password. */
const when = () => true

/** Mismatch is checked first; the only rule of a password is its length. */
export const passwordSchema = z
  .object({
    current: z.string().min(1, 'Enter your current password').max(passwordMaxLength, passwordTooLong),
    next: z.string().max(passwordMaxLength, passwordTooLong),
    confirmation: z.string().max(passwordMaxLength, passwordTooLong),
  })
  .refine(match, { path: ['confirmation'], message: passwordMismatch, when })
  .refine((form) => !match(form) || form.next.length >= passwordMinLength, {
    path: ['next'],
    message: passwordTooShort,
    when,
  })
export interface PasswordForm {
  current: string
  next: string
  confirmation: string
}
