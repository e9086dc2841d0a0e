import type { ProfileFields, ProfileUpdate } from '@parley/contracts/account/profile'
import { parsePhone } from '@parley/phone'
import { errors } from '@parley/service-kit/core/errors'
import { photoProblem } from './photo.ts'

/**
 * The rules of a profile change beyond the shape which the contract checks: a number that can exist, a photo that is one.
 * @returns the fields to store, the number as E.164.
 * @throws `validation_failed` naming each field that is not acceptable.
 */
export function checkProfileUpdate(
  changes: Omit<ProfileUpdate, 'version'>,
  { current, picture }: { current: Pick<ProfileFields, 'profileImageUrl'>; picture: string | undefined },
): Partial<ProfileFields> {
  const problems: Record<string, string> = {}
  const accepted: { -readonly [K in keyof ProfileFields]?: ProfileFields[K] } = {}
  for (const key of ['firstName', 'lastName', 'address', 'timezone'] as const) {
    if (changes[key] !== undefined) accepted[key] = changes[key]
  }
  if (changes.mobile !== undefined) {
    const phone = parsePhone(changes.mobile)
    if (phone) accepted.mobile = phone.e164
    else problems['mobile'] = 'Enter a valid mobile number with its country code, like +91 98765 43210.'
  }
  const { profileImageUrl } = changes
  if (profileImageUrl !== undefined && profileImageUrl !== current.profileImageUrl) {
    const problem = photoProblem(profileImageUrl, picture)
    if (problem) problems['profileImageUrl'] = problem
    else accepted.profileImageUrl = profileImageUrl
  }
  if (Object.keys(problems).length > 0) throw errors.validation(problems)
  return accepted
}
