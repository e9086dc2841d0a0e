import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { storedFields } from '../core/records.ts'
import { timeZoneSchema } from '../core/time-zones.ts'
import { roleSchema } from './permissions.ts'

/** Largest stored photo in bytes, after the browser has shrunk it. */
export const photoMaxBytes = 256 * 1024
/** Longest photo field in characters: the base64 of {@link photoMaxBytes} plus the data URL's head. */
const photoMaxLength = Math.ceil(photoMaxBytes / 3) * 4 + 64
/** Longest side of a photo in pixels after shrinking. */
export const photoMaxSidePx = 512
/** Image types that may be stored; the browser re-encodes anything else which it can decode. */
export type PhotoType = 'image/png' | 'image/jpeg' | 'image/webp'
/** Largest body of a profile change: a photo at its limit and every other field at its own, with room for escapes. */
const profileBodyLimitBytes = 512 * 1024

const nameSchema = (label: string) =>
  z.string().trim().min(1, `Enter your ${label}.`).max(80, `Your ${label} can have at most 80 characters.`)

/** Fields of a profile as a person types them; the form and the API check the same. */
export const profileFieldsSchema = z.object({
  firstName: nameSchema('first name'),
  lastName: nameSchema('last name'),
  /** Country code joined to the number; stored and answered as E.164. */
  mobile: z.string().trim().min(1, 'Enter your mobile number.').max(32, 'That number is too long.'),
  /** `""` clears it. */
  address: z.string().trim().max(500, 'The address can have at most 500 characters.'),
  timezone: timeZoneSchema,
  /** PNG, JPEG or WebP as a data URL, the session's own `picture` URL, or `""` for none. */
  profileImageUrl: z.string().max(photoMaxLength, 'The photo is larger than 256 KiB. Choose a smaller one.'),
})
export type ProfileFields = z.infer<typeof profileFieldsSchema>

/**
 * Body of PATCH: an absent field keeps its value. With the `version` that the person has seen, a change that came first is
 * 409 `stale_version`; without it the fields replace whatever is stored.
 */
const profileUpdateSchema = profileFieldsSchema.partial().extend({ version: storedFields.version.optional() })
export type ProfileUpdate = z.infer<typeof profileUpdateSchema>

/** The signed-in user's own record. A field that was never filled in is `""`. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  mobile: z.string(),
  address: z.string(),
  timezone: z.string(),
  profileImageUrl: z.string(),
  /** The workspace that the session is in, its name, and the role there. */
  workspaceId: z.string(),
  workspaceName: z.string(),
  role: roleSchema,
  /** Set while the person sees the workspace as a lower role has it: `role` is that one. */
  viewing: z.literal(true).optional(),
  /** Set while the workspace is being deleted: when it will be erased. */
  closesAt: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: storedFields.version,
})
export type User = z.infer<typeof userSchema>

/** True once a person has a profile: both names are present. */
export const hasProfile = (user: Pick<User, 'firstName' | 'lastName'>): boolean =>
  user.firstName !== '' && user.lastName !== ''

/** A person's own profile: recorded at sign-in, read and changed. */
export const profileApi = {
  sync: defineEndpoint({
    operation: 'profile.sync',
    method: 'POST',
    path: '/api/auth/sync',
    access: 'session+bearer',
    permission: 'self',
    audit: 'none',
    allowsUnverified: true,
    summary: 'Records the sign-in: creates the user on the first call, brings e-mail and name claims up to date after.',
    status: 200,
    response: userSchema,
    errors: ['token_rejected', 'session_changed'],
  }),
  user: defineEndpoint({
    operation: 'profile.user',
    method: 'GET',
    path: '/api/auth/user',
    access: 'session',
    permission: 'self',
    allowsUnverified: true,
    summary: 'The signed-in user. A new user is 200 with empty fields.',
    status: 200,
    response: userSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'profile.update',
    method: 'PATCH',
    path: '/api/auth/profile',
    access: 'session+bearer',
    permission: 'self',
    allowsUnverified: true,
    summary: 'Changes the given fields of the profile and returns the whole user.',
    body: profileUpdateSchema,
    bodyLimitBytes: profileBodyLimitBytes,
    status: 200,
    response: userSchema,
    errors: ['token_rejected', 'session_changed', 'validation_failed', 'stale_version', 'body_too_large'],
  }),
}
